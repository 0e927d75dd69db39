"""A self-signed certificate for `secure.example` with its key: for tests only, worth nothing elsewhere."""

from __future__ import annotations

import ssl
from pathlib import Path

_HERE = Path(__file__).parent


def server_context() -> ssl.SSLContext:
    """What a server for `secure.example` uses."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_HERE / "server.pem", _HERE / "server.key")
    return context


def trusting_context() -> ssl.SSLContext:
    """What a client that trusts only that certificate uses."""
    return ssl.create_default_context(cafile=str(_HERE / "server.pem"))
