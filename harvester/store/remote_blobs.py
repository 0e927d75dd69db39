"""Raw .torrent files behind an fsspec file system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import fsspec
from fsspec.core import url_to_fs

from harvester.errors import HarvestError, SettingsError, StoreUnreachable
from harvester.store.blobs import checked, missing, name_of
from harvester.store.failures import file_error


def open_remote_blobs(url: str) -> RemoteBlobs:
    """The blob store at an fsspec URL; `SettingsError` for a URL nobody can serve."""
    try:
        system, root = url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise SettingsError("the blob URL cannot be used", why=str(error)) from error
    return RemoteBlobs(system, root, url)


class RemoteBlobs:
    """Objects behind an fsspec file system (`s3://`, `memory://`, …)."""

    def __init__(self, system: Any, root: str, url: str) -> None:
        scheme, _, rest = url.partition("://")
        # Keys may stand before the host; messages must not show them.
        self.where = f"{scheme}://{rest.rpartition('@')[2]}"
        self._system: fsspec.AbstractFileSystem = system
        self._root = root.rstrip("/")

    def put(self, address: str, data: bytes) -> None:
        try:
            if not self._system.exists(self._path(name_of(address))):
                self._system.pipe_file(self._path(name_of(address)), data)
        except Exception as error:
            raise self._unreachable(error) from error

    def get(self, address: str) -> bytes:
        try:
            data: bytes = self._system.cat_file(self._path(name_of(address)))
        except FileNotFoundError as error:
            raise missing(address, self.where) from error
        except Exception as error:
            raise self._unreachable(error) from error
        return checked(address, data, self.where)

    def has(self, address: str) -> bool:
        try:
            return bool(self._system.exists(self._path(name_of(address))))
        except Exception as error:
            raise self._unreachable(error) from error

    def remove(self, name: str) -> None:
        try:
            self._system.rm_file(self._path(name))
        except FileNotFoundError:
            return
        except Exception as error:
            raise self._unreachable(error) from error

    def walk(self) -> Iterator[str]:
        try:
            for path in self._system.find(self._root):
                yield str(path).removeprefix(self._root).lstrip("/")
        except Exception as error:
            raise self._unreachable(error) from error

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _unreachable(self, error: Exception) -> HarvestError:
        # Every file system raises classes of its own libraries: none can be named here.
        if isinstance(error, OSError):
            return file_error(error, self.where)
        return StoreUnreachable(f"the blob store {self.where} does not answer", why=str(error))
