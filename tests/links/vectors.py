"""The shared link vectors, and the encoders that make variants of them."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
HASH = "76ed23d08647820d022e32de0b939ee40699552d"
HASH_2 = "4f1c2a9be0d37c6655aa10293847566574839201"
HASH_V2 = "d3df07066401486d821f244578abca183481289ad184f6905cb2ce3de2639e12"
MAGNET = f"magnet:?xt=urn:btih:{HASH}"
FILE = "http://dl.example.com/files/demo.torrent"
ED2K = "4582a0924c4c8b3a7055cf0dc9c742f9"


def vectors(*kinds: str) -> list[dict[str, Any]]:
    """The shared vectors of some kinds."""
    document = json.loads((SHARED / "link_vectors.json").read_text(encoding="utf-8"))
    return [vector for vector in document["vectors"] if vector["kind"] in kinds]


def b64(data: str | bytes, charset: str = "utf-8") -> str:
    """Base64 of text in a charset."""
    return b64encode(data if isinstance(data, bytes) else data.encode(charset)).decode()


def thunder(url: str, charset: str = "utf-8") -> str:
    """A thunder link, as Xunlei's own script makes it."""
    return "thunder://" + b64(f"AA{url}ZZ", charset)


def flashget(url: str, charset: str = "utf-8") -> str:
    """A flashget link."""
    return "flashget://" + b64(f"[FLASHGET]{url}[FLASHGET]", charset)


def qqdl(url: str, charset: str = "utf-8") -> str:
    """A qqdl link."""
    return "qqdl://" + b64(url, charset)
