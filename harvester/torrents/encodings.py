"""Which charset the names of one torrent are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DecodedNames:
    """The text of the names of one torrent, in the order given.

    `encoding` is the codec that most of what is not ASCII was read with (`utf-8` when all is ASCII).
    `flags` are stable words: `encoding_declared`, `encoding_codepage`, `encoding_detected`,
    `encoding_fallback` (how it was chosen when not UTF-8), `encoding_mixed` (more than one charset in one
    torrent), `encoding_lies` (the declared one cannot be right), `encoding_unknown` (declared, not one we
    know), `names_from_twin` (a `.utf-8` twin replaced a name that reads otherwise), `bad_utf8_twin`.
    """

    texts: list[str]
    encoding: str
    flags: frozenset[str]


def decode_names(
    names: Sequence[bytes],
    *,
    twins: Sequence[bytes | None] | None = None,
    declared: object = None,
    codepage: object = None,
) -> DecodedNames:
    """Decode all names of one torrent together: root name, every path component, comment, …

    `names` are raw; `twins`, when given, is as long as `names` and holds the `.utf-8` twin of each name
    or None. `declared` is the value of `encoding`, `codepage` that of `codepage`, whatever their types.
    Order: twin, strict UTF-8, declared, codepage, detection over all names, cp1252 with a flag.
    Never raises and loses no name: two names that differ in bytes may give equal text, that is for
    `paths.safe_paths` to part. All-UTF-8 costs one join, one decode, one split.
    """
    raise NotImplementedError
