"""A torrent's files as a tree of folders to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harvester.model.stored import StoredFile

MAX_FILES = 2000
"""Files that a page shows; the API has them all."""
MAX_DEPTH = 12
"""Folders within folders; what is deeper is shown with the rest of its path as its name."""


@dataclass(slots=True)
class Folder:
    """A folder with all that is below it; `size` in bytes, `n_files` at any depth."""

    name: str
    folders: dict[str, Folder] = field(default_factory=dict)
    files: list[StoredFile] = field(default_factory=list)
    size: int = 0
    n_files: int = 0


def file_tree(files: Sequence[StoredFile]) -> Folder:
    """The first `MAX_FILES` files as a tree, in the order of the torrent. The root has no name."""
    root = Folder("")
    for file in files[:MAX_FILES]:
        *folders, name = file.path.split("/", MAX_DEPTH)
        folder = root
        _add(folder, file.size)
        for part in folders:
            folder = folder.folders.setdefault(part, Folder(part))
            _add(folder, file.size)
        folder.files.append(StoredFile(name, file.size))
    return root


def _add(folder: Folder, size: int) -> None:
    folder.size += size
    folder.n_files += 1
