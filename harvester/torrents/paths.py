"""Display paths that are safe to show, to join to a folder, and to tell apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from msgspec import Struct

MAX_COMPONENT_BYTES = 240
MAX_DEPTH = 100
_MAX_EXTENSION_BYTES = 32
_SUFFIX_ROOM = 12
_LONGEST_CHARACTER = 4

_CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_TRAILING = (
    ". \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_NO_CHARACTER = "\ud800-\udfff\ufffe\uffff"

_controls = re.compile(f"[{_CONTROL}]")
_invisibles = re.compile(f"[{_INVISIBLE}]")
_no_characters = re.compile(f"[{_NO_CHARACTER}]")
_separators = re.compile(r"[/\\]")
_drive = re.compile(r"(.):", re.DOTALL)
_only_selectors = re.compile("[\ufe00-\ufe0f\\s]*")
_special = re.compile(f"[{_CONTROL}{_INVISIBLE}{_NO_CHARACTER}/\\\\:]")
_unprintable = re.compile(f"[{_CONTROL}{_INVISIBLE}{_NO_CHARACTER}]")
_LETTERS = "0-9A-Za-z\u00c0-\u024f\u0400-\u0481\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
_plain = re.compile(
    rf"(?!(?i:con|prn|aux|nul|com|lpt))(?:[{_LETTERS}!-.;-\[\]-`{{-~][{_LETTERS} -.;-\[\]-`{{-~]{{0,58}})?"
    rf"[{_LETTERS}!-\-;-\[\]-`{{-~]"
)
_extension = re.compile(r"\.[^\s.()]{1,31}\Z")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{device}{digit}" for device in ("com", "lpt") for digit in "0123456789¹²³"]
)


class SafePaths(Struct, frozen=True):
    """One `/`-joined relative path for each input, in order, all different (also without regard to case).

    `flags` are stable words: `unsafe_path` (`..`, absolute, separators, a drive), `control_characters`,
    `invisible_characters` (bidi, zero width), `reserved_name`, `empty_name`, `name_shortened`,
    `path_too_deep`, `duplicate_path` (a ` (2)` was added).
    """

    paths: list[str]
    flags: frozenset[str]


def safe_name(text: str, default: str = "_") -> tuple[str, frozenset[str]]:
    """One safe path component and its flags; `default` (itself safe) when nothing is left.

    At most 240 bytes of UTF-8, the extension kept.
    """
    flags: set[str] = set()
    name = _clean(text, flags)
    if not name:
        flags.add("empty_name")
        name = default
    return name, frozenset(flags)


def safe_text(text: str) -> str:
    """A title or comment made safe to show on one line: invisible characters out, control ones to blanks."""
    if not _unprintable.search(text):
        return text.strip()
    text = _controls.sub(" ", _invisibles.sub("", text))
    return _no_characters.sub("\ufffd", text).strip()


def safe_paths(paths: Iterable[Sequence[str]]) -> SafePaths:
    """Safe, different display paths for the files of one torrent, given as decoded components.

    Linear in the number of components. Idempotent: split at `/` and given again, the result is the same.
    Directories keep their names; of two files that would collide the first keeps its name.
    """
    flags: set[str] = set()
    folders: dict[tuple[str, ...], str] = {}
    safe: list[str] = []
    for components in paths:
        if len(components) == 1:
            safe.append(_component(components[0], flags))
            continue
        parts = tuple(components[:-1]) if len(components) <= MAX_DEPTH else _cut_depth(components, flags)
        folder = folders.get(parts)
        if folder is None:
            folder = folders[parts] = _folder(parts, flags)
        name = _component(components[-1], flags) if components else "_"
        safe.append(folder + name)
        if not components:
            flags.add("empty_name")
    return SafePaths(_told_apart(safe, set(folders.values()), flags), frozenset(flags))


def _cut_depth(components: Sequence[str], flags: set[str]) -> tuple[str, ...]:
    """The outermost folders of a path that is too deep; what is below them is left out."""
    flags.add("path_too_deep")
    return tuple(components[: MAX_DEPTH - 1])


def _folder(parts: tuple[str, ...], flags: set[str]) -> str:
    """The folders of a path, each followed by `/`; empty ones and `.` mean nothing and are left out."""
    names: list[str] = []
    for part in parts:
        if part in ("", "."):
            flags.add("unsafe_path")
        else:
            names.append(_component(part, flags) + "/")
    return "".join(names)


def _component(text: str, flags: set[str]) -> str:
    """`text` as one component; `_` where nothing is left of it."""
    if _plain.fullmatch(text):
        return text
    name = _clean(text, flags)
    if not name:
        flags.add("empty_name")
        return "_"
    return name


def _is_reserved(name: str) -> bool:
    """Whether Windows takes the name for a device (`con`, `NUL.txt`)."""
    stem = name[:8].partition(".")[0].rstrip()
    return len(stem) <= 7 and stem.lower() in _RESERVED


def _clean(text: str, flags: set[str]) -> str:
    """`text` without what could mislead a terminal, a file system or an eye; "" if that is all of it."""
    name = text
    if _special.search(text):
        name = _without_special(text, flags)
    if name in (".", ".."):
        flags.add("unsafe_path")
    name = name.lstrip().rstrip(_TRAILING)
    if _only_selectors.fullmatch(name):
        return ""
    if _is_reserved(name):
        flags.add("reserved_name")
        name = "_" + name
    if len(name) * _LONGEST_CHARACTER > MAX_COMPONENT_BYTES and len(name.encode()) > MAX_COMPONENT_BYTES:
        flags.add("name_shortened")
        name = _shorten(name, MAX_COMPONENT_BYTES)
    return name


def _without_special(text: str, flags: set[str]) -> str:
    """Invisible characters go; control ones, separators and drives become `_`, non-characters U+FFFD."""
    name, found = _invisibles.subn("", text)
    if found:
        flags.add("invisible_characters")
    name, found = _controls.subn("_", name)
    if found:
        flags.add("control_characters")
    name, found = _separators.subn("_", name)
    if found:
        flags.add("unsafe_path")
    name = _no_characters.sub("\ufffd", name)
    if _drive.match(name.lstrip()):
        flags.add("unsafe_path")
        name = _drive.sub(r"\1_", name.lstrip(), count=1)
    return name


def _split_extension(name: str) -> tuple[str, str]:
    """The stem and the extension with its dot; the extension is short and never the whole name."""
    found = _extension.search(name)
    if found is None or found.start() == 0 or len(found.group().encode()) > _MAX_EXTENSION_BYTES:
        return name, ""
    return name[: found.start()], found.group()


def _shorten(name: str, limit: int) -> str:
    """`name` in at most `limit` bytes of UTF-8, cut before its extension and between characters."""
    stem, extension = _split_extension(name)
    room = limit - len(extension.encode())
    stem = stem.encode()[:room].decode("utf-8", "ignore")
    return stem.rstrip() + extension if extension else stem.rstrip(_TRAILING)


def _key(path: str) -> str:
    """What two paths share when a file system without case would take them for one (caseless match)."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", path).casefold())


def _told_apart(paths: list[str], folders: set[str], flags: set[str]) -> list[str]:
    """The paths with ` (2)`, ` (3)`, … before the extension where the place is taken.

    A counter per stem (cut so that a suffix always fits) never goes back, so all the probing together is
    linear, whatever the names.
    """
    keys = [_key(path) for path in paths]
    taken = set(keys)
    folder_hashes = _folder_hashes(folders)
    if len(taken) == len(keys) and (not folder_hashes or folder_hashes.isdisjoint(map(hash, keys))):
        return paths
    flags.add("duplicate_path")
    seen: set[str] = set()
    counters: dict[str, int] = {}
    for place, key in enumerate(keys):
        if key not in seen and hash(key) not in folder_hashes:
            seen.add(key)
            continue
        folder, slash, name = paths[place].rpartition("/")
        stem, extension = _split_extension(name)
        room = MAX_COMPONENT_BYTES - _SUFFIX_ROOM - len(extension.encode())
        stem = folder + slash + stem.encode()[:room].decode("utf-8", "ignore").rstrip()
        base = _key(stem) + "/" + _key(extension)
        number = counters.get(base, 2)
        while True:
            candidate = f"{stem} ({number}){extension}"
            new = _key(candidate)
            if new not in taken and hash(new) not in folder_hashes:
                break
            number += 1
        counters[base] = number + 1
        taken.add(new)
        paths[place] = candidate
    return paths


def _folder_hashes(folders: set[str]) -> set[int]:
    """The hashes of the keys of all folders and of the folders they are in.

    Hashes, because the paths of deep folders written out would take a hundred times the memory of the
    torrent; two keys of one hash would cost a needless ` (2)`, nothing more.
    """
    hashes: set[int] = set()
    for folder in folders:
        key = _key(folder)
        while key := key.rpartition("/")[0]:
            hashes.add(hash(key))
    return hashes
