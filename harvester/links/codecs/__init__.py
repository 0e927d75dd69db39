"""Codecs of download links, one module each, found by themselves.

A module of this package that has a `CODEC` is registered: a `WrapperCodec` or `FinalCodec` under its
schemes, a `FormCodec` in its order. A new file is all a new codec takes.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from harvester.links.payload import Codec, FinalCodec, FormCodec, WrapperCodec


@cache
def _codecs() -> tuple[Codec, ...]:
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    return tuple(module.CODEC for module in modules if hasattr(module, "CODEC"))


@cache
def by_scheme() -> dict[str, WrapperCodec | FinalCodec]:
    """Every codec of a scheme, by its lower-case scheme."""
    return {
        scheme: codec for codec in _codecs() if not isinstance(codec, FormCodec) for scheme in codec.schemes
    }


@cache
def forms() -> tuple[FormCodec, ...]:
    """Every disguise without a scheme, in the order in which they are tried."""
    return tuple(sorted((c for c in _codecs() if isinstance(c, FormCodec)), key=lambda c: c.order))
