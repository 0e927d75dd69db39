"""Account files: one JSON a site, of mode 0600, with cookies and what is remembered of logins."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import convert, to_builtins

from harvester.errors import AccessError
from harvester.model.account import AccountState

_MAX_FILE = 8 << 20
_VERSION = 1


class AccountFiles:
    """`harvester.ports.accounts.AccountKeeper` in a folder, which is made on the first write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, site: str) -> Path:
        """Where the account of a site is kept."""
        return self._folder / f"{site}.json"

    def load(self, site: str) -> AccountState:
        """See the port."""
        path = self.path(site)
        try:
            with path.open("rb") as file:
                _refuse_if_open_to_others(path, os.fstat(file.fileno()))
                content = file.read(_MAX_FILE + 1)
        except FileNotFoundError:
            return AccountState()
        except OSError as error:
            raise AccessError(f"the account file {path} cannot be read", why=error.strerror or "") from None
        try:
            stored = json.loads(content)
            if stored.get("version") != _VERSION:
                raise ValueError("another version")
            return convert(stored, AccountState)
        except (ValueError, AttributeError):
            raise AccessError(
                f"the account file {path} is damaged",
                hint=f"move it away and log in again: harvest account test {site}",
            ) from None

    def change(self, site: str, change: Callable[[AccountState], AccountState]) -> AccountState:
        """See the port."""
        with self._locked(site):
            state = change(self.load(site))
            self._write(site, state)
        return state

    @contextmanager
    def _locked(self, site: str) -> Iterator[None]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = (self._folder / f".{site}.lock").open("a")
        except OSError as error:
            raise AccessError(
                f"the account folder {self._folder} cannot be written", why=error.strerror or ""
            ) from None
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, site: str, state: AccountState) -> None:
        path = self.path(site)
        text = json.dumps({"version": _VERSION, **to_builtins(state)}, ensure_ascii=False)
        try:
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=self._folder, prefix=f".{site}.", delete=False
            ) as draft:  # made with mode 0600
                draft.write(text)
                draft.flush()
                os.fsync(draft.fileno())
            try:
                Path(draft.name).replace(path)
            except OSError:
                with suppress(OSError):
                    Path(draft.name).unlink()
                raise
        except OSError as error:
            raise AccessError(
                f"the account file {path} cannot be written", why=error.strerror or ""
            ) from None

    def sites(self) -> list[str]:
        """See the port."""
        return sorted(path.stem for path in self._folder.glob("*.json")) if self._folder.is_dir() else []


def _refuse_if_open_to_others(path: Path, status: os.stat_result) -> None:
    if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
        raise AccessError(
            f"the account file {path} is open to others",
            why=f"its mode is {stat.S_IMODE(status.st_mode):04o}, and it holds your session",
            hint=f"chmod 600 {path}; if somebody else may have read it, log out everywhere on the site first",
        )


def refuse_secrets_file_open_to_others(path: Path) -> None:
    """Raise `AccessError` when a file that holds secrets can be read by others."""
    try:
        status = path.stat()
    except OSError as error:
        raise AccessError(f"{path} cannot be read", why=error.strerror or "") from None
    if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
        raise AccessError(
            f"{path} is open to others",
            why=f"its mode is {stat.S_IMODE(status.st_mode):04o}, and it holds secrets",
            hint=f"chmod 600 {path}",
        )
