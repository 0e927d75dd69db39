"""Every error of the libraries becomes one of ours."""

from __future__ import annotations

import inspect
import socket
import ssl

import aiohttp
import aiohttp_socks
import httpx
import pytest
import python_socks
from aiohttp import http_exceptions

from harvester.errors import FetchError, NameNotResolved
from harvester.fetch.failures import (
    _HTTPX_CLASSES,
    TRANSPORT_FAILURES,
    LostFreshConnection,
    body_failure,
    head_failure,
    to_httpx,
)

URL = "http://a.example/x"
REQUEST = httpx.Request("GET", URL)
# What only a caller of aiohttp in other ways can meet: WebSockets, raise_for_status, reading as JSON.
UNUSED = {
    "WSServerHandshakeError",
    "WSMessageTypeError",
    "WebSocketError",
    "ContentTypeError",
    "TooManyRedirects",
}


def exceptions_of(*modules) -> list[type[BaseException]]:
    found = {
        value
        for module in modules
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Exception) and value.__name__ not in UNUSED
    }
    return sorted(found, key=lambda kind: f"{kind.__module__}.{kind.__name__}")


@pytest.mark.parametrize(
    "kind", exceptions_of(aiohttp, aiohttp.client_exceptions), ids=lambda kind: kind.__name__
)
def test_every_error_of_aiohttp_is_caught_and_mapped(kind):
    if issubclass(kind, Warning):
        return
    assert issubclass(kind, TRANSPORT_FAILURES)
    assert any(issubclass(kind, known) for known, _ in _HTTPX_CLASSES)


@pytest.mark.parametrize(
    "kind",
    [
        *exceptions_of(http_exceptions),
        *exceptions_of(aiohttp_socks),
        *exceptions_of(python_socks),
        LostFreshConnection,
    ],
    ids=lambda kind: kind.__name__,
)
def test_every_error_below_aiohttp_is_caught_and_mapped(kind):
    assert issubclass(kind, TRANSPORT_FAILURES)
    assert any(issubclass(kind, known) for known, _ in _HTTPX_CLASSES)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (aiohttp.ServerDisconnectedError(), httpx.RemoteProtocolError),
        (aiohttp.SocketTimeoutError(), httpx.ReadTimeout),
        (aiohttp.ConnectionTimeoutError(), httpx.ConnectTimeout),
        (aiohttp.ClientPayloadError(), httpx.RemoteProtocolError),
        (ConnectionResetError(), httpx.ReadError),
        (ssl.SSLError(), httpx.ConnectError),
        (TimeoutError(), httpx.ReadTimeout),
        (ValueError("newline in header"), httpx.LocalProtocolError),
    ],
)
def test_a_disconnect_is_no_timeout_and_each_error_keeps_its_kind(error, expected):
    assert type(to_httpx(error, REQUEST)) is expected


@pytest.mark.parametrize(
    "kind",
    [kind for kind in exceptions_of(httpx) if issubclass(kind, httpx.TransportError)],
    ids=lambda kind: kind.__name__,
)
@pytest.mark.parametrize("failure", [head_failure, body_failure])
def test_every_transport_error_of_httpx_becomes_one_of_ours(kind, failure):
    error = failure(kind("why"), URL)
    assert isinstance(error, FetchError)
    assert type(error) is not FetchError
    assert error.url == URL


def test_a_name_that_httpx_cannot_resolve_is_named_as_such():
    error = httpx.ConnectError("x")
    error.__cause__ = socket.gaierror(socket.EAI_NONAME, "unknown")
    assert isinstance(head_failure(error, URL), NameNotResolved)
