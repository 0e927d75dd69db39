"""A link written backwards: `…:hitb:nru=tx?:tengam`."""

from __future__ import annotations

from harvester.links.payload import FormCodec


def attempt(text: str) -> str | None:
    """The text read from its end."""
    return text[::-1]


CODEC = FormCodec("reverse", 30, attempt)
