"""API keys: who may do what, kept as hashes in a file of mode 0600 in the data folder.

A key has 256 random bits, so one round of SHA-256 is as good as any slower hash: there is nothing to guess
from. The text of a key is shown once, when it is made.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from dataclasses import asdict, dataclass
from enum import IntEnum
from pathlib import Path

from harvester.errors import NotFound, SettingsError, UsageError

FILE_NAME = "keys.json"
PREFIX = "hv_"
"""What every key begins with, so that one that got lost is recognised as what it is."""
MAX_KEY = 200
"""Characters; what is longer is no key."""
MAX_KEYS = 1000
_NAME = re.compile(r"[\w .@-]{1,60}")


class Scope(IntEnum):
    """What a key may do; each includes those before it."""

    READ = 1
    """Search and download what is public."""
    OPERATE = 2
    """Also see private torrents and what waits behind walls, pause and resume sites."""
    ADMIN = 3
    """Also block and unblock."""


SCOPES = {scope.name.lower(): scope for scope in Scope}


@dataclass(frozen=True, slots=True)
class ApiKey:
    """One key; `digest` is the SHA-256 of its text in hex, `created` UTC seconds."""

    id: str
    name: str
    scope: str
    digest: str
    created: float

    @property
    def level(self) -> Scope:
        """The scope as a value to compare."""
        return SCOPES[self.scope]


class KeyFile:
    """The keys of one data folder. Changes of other processes are seen at the next look."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._seen: tuple[int, int, int] | None = None
        self._keys: tuple[ApiKey, ...] = ()

    def all(self) -> tuple[ApiKey, ...]:
        """All keys, oldest first. `SettingsError` when the file is damaged or others may read it."""
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            return ()
        state = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if state != self._seen:
            if stat.st_mode & 0o077:
                raise SettingsError(str(self.path), why="others may read it", hint=f"chmod 600 {self.path}")
            self._keys = self._read()
            self._seen = state
        return self._keys

    def add(self, name: str, scope: str, *, now: float) -> tuple[ApiKey, str]:
        """Make a key; the second value is its text, which is not kept. `UsageError` for a bad name."""
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no name for a key", hint="letters, digits, blanks, . @ - _")
        if scope not in SCOPES:
            raise UsageError(f"there is no scope {scope!r}", hint=f"choose one of {', '.join(SCOPES)}")
        keys = self.all()
        if any(key.name == name for key in keys):
            raise UsageError(
                f"there is a key named {name!r} already", hint="revoke it, or choose another name"
            )
        if len(keys) >= MAX_KEYS:
            raise UsageError(f"there are {MAX_KEYS:,} keys already", hint="revoke some: harvest keys list")
        text = PREFIX + secrets.token_urlsafe(32)
        key = ApiKey(secrets.token_hex(4), name, scope, digest_of(text), now)
        self._write((*keys, key))
        return key, text

    def revoke(self, name_or_id: str) -> ApiKey:
        """Make a key useless from now on; `NotFound` when there is none of that name or id."""
        keys = self.all()
        for key in keys:
            if name_or_id in (key.name, key.id):
                self._write(tuple(one for one in keys if one is not key))
                return key
        raise NotFound(f"there is no key {name_or_id!r}", hint="see: harvest keys list")

    def check(self, text: str) -> ApiKey | None:
        """The key with this text, None when there is none. Takes as long for a near miss as for any other."""
        given = digest_of(text[:MAX_KEY])
        found = None
        for key in self.all():
            if hmac.compare_digest(key.digest, given):
                found = key
        return found

    def _read(self) -> tuple[ApiKey, ...]:
        try:
            entries = json.loads(self.path.read_text(encoding="utf-8"))["keys"]
            keys = tuple(ApiKey(**entry) for entry in entries[:MAX_KEYS])
            if all(key.scope in SCOPES and isinstance(key.digest, str) for key in keys):
                return keys
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SettingsError(str(self.path), why=f"it cannot be read ({type(error).__name__})") from error
        raise SettingsError(str(self.path), why="it names a scope that there is not")

    def _write(self, keys: tuple[ApiKey, ...]) -> None:
        draft = self.path.with_suffix(".new")
        text = json.dumps({"keys": [asdict(key) for key in keys]}, indent=1, ensure_ascii=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        except OSError as error:
            raise SettingsError(str(self.path), why=error.strerror or str(error)) from error
        self._seen = None


def digest_of(text: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
