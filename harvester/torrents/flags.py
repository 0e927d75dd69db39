"""The words that flag what is unusual about a torrent file, each with its sentence."""

from __future__ import annotations


def describe_flag(flag: str) -> str:
    """Return the sentence for a flag; an unknown flag is its own description."""
    raise NotImplementedError
