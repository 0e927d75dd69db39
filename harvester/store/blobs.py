"""Raw .torrent files, addressed by their SHA-256: `ab/abcd….torrent` under any fsspec URL.

One level of 256 folders: with two, most files would need a folder of their own, which costs five times the
file, and ten million files make 40,000 a folder, which file systems carry well.

A blob is whole or not there: locally it is written under another name (`….part`) and renamed, remote stores
make an object visible when its upload ends. Nothing is synced to the disk file by file (it would cost more
than everything else of a batch): a killed process loses nothing, a power cut may lose blobs whose rows
were kept, which `doctor` names, and mends by asking for the file again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Protocol

from harvester.errors import StoreDamaged
from harvester.store.failures import file_error

SUFFIX = ".torrent"
PART = ".part"


class Blobs(Protocol):
    """Where raw files lie."""

    where: str

    def put(self, address: str, data: bytes) -> None:
        """Store `data` under its address; nothing happens when it is there already."""
        ...

    def get(self, address: str) -> bytes:
        """The bytes; `StoreDamaged` when they are not there or not those of the address."""
        ...

    def has(self, address: str) -> bool:
        """Whether there is such a blob."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file by the name `walk` gave; nothing happens when it is gone."""
        ...

    def walk(self) -> Iterator[str]:
        """The names of all files, relative to the root, with `/`; unfinished ones included."""
        ...


def address_of(data: bytes) -> str:
    """The address of these bytes: their SHA-256 in hex."""
    return sha256(data).hexdigest()


def name_of(address: str) -> str:
    """The file's name under the root."""
    return f"{address[:2]}/{address}{SUFFIX}"


def address_in(name: str) -> str | None:
    """The address that a file's name stands for; None when it is no blob's name."""
    address = name.rpartition("/")[2].removesuffix(SUFFIX)
    return address if name == name_of(address) and len(address) == 64 else None


def checked(address: str, data: bytes, where: str) -> bytes:
    """The data of an address read `where`; `StoreDamaged` when they are not what was written."""
    if address_of(data) != address:
        hint = "run `harvest doctor`"
        raise StoreDamaged(f"the torrent file {address} in {where} is not what it was", hint=hint)
    return data


def missing(address: str, where: str) -> StoreDamaged:
    """What to raise for a file that is not `where` it should be."""
    return StoreDamaged(f"the torrent file {address} is missing from {where}", hint="run `harvest doctor`")


class LocalBlobs:
    """Files in a folder."""

    def __init__(self, root: Path) -> None:
        self.where = f"the folder {root}"
        self._root = str(root)
        self._serial = count()

    def put(self, address: str, data: bytes) -> None:
        path = f"{self._root}/{name_of(address)}"
        # Plain os calls here: pathlib's cost as much as the write itself.
        if os.path.exists(path):  # noqa: PTH110
            return
        try:
            try:
                self._write(path, data)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
                self._write(path, data)
        except OSError as error:
            raise file_error(error, self.where) from error

    def _write(self, path: str, data: bytes) -> None:
        # The count tells two threads apart, the process id two processes.
        part = f"{path}.{os.getpid()}-{next(self._serial)}{PART}"
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            try:
                _write_all(descriptor, data)
            finally:
                os.close(descriptor)
            os.replace(part, path)  # noqa: PTH105
        except OSError:
            os.unlink(part)  # noqa: PTH108
            raise

    def get(self, address: str) -> bytes:
        try:
            data = Path(self._root, name_of(address)).read_bytes()
        except FileNotFoundError as error:
            raise missing(address, self.where) from error
        except OSError as error:
            raise file_error(error, self.where) from error
        return checked(address, data, self.where)

    def has(self, address: str) -> bool:
        return Path(self._root, name_of(address)).is_file()

    def remove(self, name: str) -> None:
        try:
            Path(self._root, name).unlink(missing_ok=True)
        except OSError as error:
            raise file_error(error, self.where) from error

    def walk(self) -> Iterator[str]:
        root = Path(self._root)
        for folder, _, names in os.walk(root):
            for name in names:
                yield Path(folder, name).relative_to(root).as_posix()


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
