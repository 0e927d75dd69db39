"""What the libraries raise, as errors of Harvest's tree.

Whatever is not about the world (a wrong statement, a wrong type) is a fault of the program and passes.
"""

from __future__ import annotations

import errno
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeGuard

from sqlalchemy import exc

from harvester.errors import NotFound, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnreachable

if TYPE_CHECKING:
    import psycopg

_FULL_ERRNO = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# What SQLite reports for a write that found no room: besides FULL, quotas and size limits come as I/O errors.
_SQLITE_FULL = {
    "SQLITE_FULL",
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_TRUNCATE",
}
_ROOM = "free some space, or move the data folder, and start again: what was committed is kept"
_WAIT = "wait until it ends, or stop it"


@contextmanager
def mapped(where: str) -> Iterator[None]:
    """Turn every library error about the world into its class of the tree. `where` names the database."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreBusy(f"no connection to {where} came free", why=str(error), hint=_WAIT) from error
    except Exception as error:
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        translated = database_error(cause, where)
        if translated is None:
            raise
        raise translated from error


def database_error(error: BaseException | None, where: str) -> StoreError | None:
    """The error of the tree for one of sqlite3 or psycopg; None for a fault of the program."""
    if _is_of_psycopg(error):
        return _postgres_error(error, where)
    if isinstance(error, sqlite3.Error):
        return _sqlite_error(error, where)
    return None


def _is_of_psycopg(error: BaseException | None) -> TypeGuard[psycopg.Error]:
    """Whether psycopg raised it, which is imported for PostgreSQL only: it takes 10 MB and 80 ms."""
    loaded = sys.modules.get("psycopg")
    return loaded is not None and isinstance(error, loaded.Error)


def _sqlite_error(error: sqlite3.Error, where: str) -> StoreError | None:
    name = getattr(error, "sqlite_errorname", "") or ""
    why = str(error)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"another process is using {where}", why=why, hint=_WAIT)
    if name in _SQLITE_FULL:
        return StoreFull(f"no space left for {where}", why=why, hint=_ROOM)
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        hint = "check that the folder exists and that you may write to it"
        return StoreUnreachable(f"cannot open {where}", why=why, hint=hint)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR")):
        hint = "keep a copy of the file, then run `harvest doctor`"
        return StoreDamaged(f"{where} is damaged", why=why, hint=hint)
    if name == "SQLITE_ERROR" and "no such" in why:
        return StoreDamaged(
            f"{where} has not the tables it should have", why=why, hint="run `harvest doctor`"
        )
    return None


def _postgres_error(error: psycopg.Error, where: str) -> StoreError | None:
    state = error.sqlstate or ""
    # Only the first line: the rest repeats the statement, or the address tried.
    why = str(error).strip().partition("\n")[0]
    if state in {"40001", "40P01", "55P03", "57014"} or (state.startswith("53") and state != "53100"):
        return StoreBusy(f"{where} is busy", why=why, hint="try again in a while")
    if state == "53100":
        return StoreFull(f"no space left for {where}", why=why, hint=_ROOM)
    if state.startswith("3D"):
        return NotFound(f"there is no database {where}", why=why, hint="create it first")
    if state.startswith("28") or state == "42501":
        return StoreUnreachable(f"{where} does not let us in", why=why, hint="check user and password")
    hint = "check that the server runs and that the database URL is right"
    if not state and isinstance(error, sys.modules["psycopg"].OperationalError):
        # No connection: a refusal by the server (password, no such database) comes without its code.
        return StoreUnreachable(f"cannot connect to {where}", why=why, hint=hint)
    if state.startswith(("08", "57P", "58")):
        return StoreUnreachable(f"{where} does not answer", why=why, hint=hint)
    if state.startswith("XX") or state in {"42P01", "42703"}:
        return StoreDamaged(
            f"{where} is damaged or not of this version", why=why, hint="run `harvest doctor`"
        )
    return None


def file_error(error: OSError, where: str) -> StoreError:
    """The error of the tree for a failed file operation of the blob store."""
    why = error.strerror or str(error)
    if error.errno in _FULL_ERRNO:
        return StoreFull(f"no space left in {where}", why=why, hint=_ROOM)
    hint = "check that the folder exists and that you may write to it"
    return StoreUnreachable(f"cannot use {where}", why=why, hint=hint)
