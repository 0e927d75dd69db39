"""Looking for secrets, in any of their forms, in everything that was written."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

from harvester import wiring
from tests.crawl.harvesting import store_in

USER, PASSWORD = "marked-user-qzxv", "marked pass/wörd-qzxv&=测"


def forms_of(secret: str) -> Iterator[bytes]:
    """The ways in which a secret might be written."""
    yield secret.encode()
    yield secret.encode("gbk", "replace")
    yield quote(secret).encode()
    yield quote_plus(secret).encode()
    yield json.dumps(secret).strip('"').encode()
    yield base64.b64encode(secret.encode()).rstrip(b"=")[:-1]
    for digest in ("md5", "sha1", "sha256"):
        yield hashlib.new(digest, secret.encode(), usedforsecurity=False).hexdigest().encode()


def leaks(content: bytes, secrets: dict[str, str]) -> list[str]:
    lower = content.lower()
    return [name for name, secret in secrets.items() for form in forms_of(secret) if form.lower() in lower]


def written_in(*folders: Path) -> dict[str, bytes]:
    """Every file of the folders by its path; compressed ones as they were before."""
    found: dict[str, bytes] = {}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                found[str(path)] = gzip.decompress(content) if path.suffix == ".gz" else content
    return found


def told_by_the_store(folder: Path) -> dict[str, bytes]:
    """What the store gives to those who export, list and look into the audit log."""
    with store_in(folder) as store:
        return {
            "events": repr(store.events(limit=1000)).encode(),
            "account log": repr(wiring.account_events(store, None, 1000)).encode(),
            "exported": repr(list(store.iter_torrents())).encode(),
            "parked": repr(store.parked(limit=1000)).encode(),
        }


def found_in(everything: dict[str, bytes], secrets: dict[str, str]) -> dict[str, list[str]]:
    """Where a secret was found, and which."""
    return {place: found for place, content in everything.items() if (found := leaks(content, secrets))}
