"""Display paths that are safe to show, to join to a folder, and to tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SafePaths:
    """One `/`-joined relative path for each input, in order, all different (also without regard to case).

    `flags` are stable words: `unsafe_path` (`..`, absolute, separators, a drive), `control_characters`,
    `invisible_characters` (bidi, zero width), `reserved_name`, `empty_name`, `name_shortened`,
    `path_too_deep`, `duplicate_path` (a ` (2)` was added).
    """

    paths: list[str]
    flags: frozenset[str]


def safe_name(text: str, default: str = "_") -> tuple[str, frozenset[str]]:
    """One safe path component and its flags; `default` (itself safe, such as the infohash) when nothing is left.

    At most 240 bytes of UTF-8, the extension kept.
    """
    raise NotImplementedError


def safe_paths(paths: Iterable[Sequence[str]]) -> SafePaths:
    """Safe, different display paths for the files of one torrent, given as decoded components.

    Linear in the number of components. Idempotent: split at `/` and given again, the result is the same.
    Directories keep their names; of two files that would collide the first keeps its name.
    """
    raise NotImplementedError
