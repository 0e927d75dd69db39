"""Tantivy's errors as Harvest's."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harvester.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnreachable

_REBUILD = "make it anew with: harvest reindex"


@contextmanager
def mapped(folder: Path) -> Iterator[None]:
    """Turn what Tantivy and the file system raise inside the block into a `StoreError`.

    Tantivy says everything with `ValueError` and a text, and a fault of one of its threads with
    `PanicException`, which is no `Exception`.
    """
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise _of_system(folder, error.errno, error.strerror or str(error)) from error
    except ValueError as error:
        raise _of_text(folder, str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise StoreDamaged(f"the search index {folder} failed", why=str(error), hint=_REBUILD) from error


def _of_system(folder: Path, number: int | None, why: str) -> StoreError:
    if number in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"no space left for the search index {folder}", hint="free some space")
    return StoreUnreachable(
        f"the search index {folder} cannot be used", why=why, hint="check that you may read and write there"
    )


def _of_text(folder: Path, why: str) -> StoreError:
    if "LockBusy" in why:
        return StoreBusy(f"another process is writing the search index {folder}")
    if "No space left" in why or "StorageFull" in why:
        return _of_system(folder, errno.ENOSPC, why)
    if "Permission denied" in why or "Read-only file system" in why:
        return _of_system(folder, errno.EACCES, why)
    return StoreDamaged(f"the search index {folder} cannot be read", why=why[:300], hint=_REBUILD)
