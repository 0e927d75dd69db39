"""Errors of the libraries turned into ours: aiohttp's into httpx's, httpx's into the tree of `errors.py`.

Two steps, so that whatever transport stands behind the client fails in the same words.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl

import aiohttp
import aiohttp_socks
import httpx
import python_socks
from aiohttp.http_exceptions import HttpProcessingError

from harvester.errors import (
    BadResponse,
    BodyTruncated,
    ConnectFailed,
    FetchError,
    NameNotResolved,
    Refused,
    TimedOut,
)

DISCONNECTED = "Server disconnected without sending a response."
"""What httpcore says, too, when the connection closes before an answer."""


class LostFreshConnection(aiohttp.ClientError):
    """A connection that had served nothing yet was lost before the answer: not to be tried again."""


# The first match wins; a subclass stands before its base.
_HTTPX_CLASSES: tuple[tuple[type[BaseException], type[httpx.TransportError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx.ConnectTimeout),
    (aiohttp.ServerTimeoutError, httpx.ReadTimeout),
    (aiohttp_socks.ProxyTimeoutError, httpx.ConnectTimeout),
    (python_socks.ProxyTimeoutError, httpx.ConnectTimeout),
    (aiohttp.ClientProxyConnectionError, httpx.ProxyError),
    (aiohttp.ClientHttpProxyError, httpx.ProxyError),
    (aiohttp_socks.ProxyError, httpx.ProxyError),
    (aiohttp_socks.ProxyConnectionError, httpx.ProxyError),
    (python_socks.ProxyError, httpx.ProxyError),
    (python_socks.ProxyConnectionError, httpx.ProxyError),
    (aiohttp.NonHttpUrlClientError, httpx.UnsupportedProtocol),
    (aiohttp.InvalidURL, httpx.LocalProtocolError),
    (aiohttp.ClientConnectorError, httpx.ConnectError),
    (aiohttp.ClientSSLError, httpx.ConnectError),
    (aiohttp.ServerFingerprintMismatch, httpx.ConnectError),
    (aiohttp.ClientConnectionResetError, httpx.ReadError),
    (aiohttp.ServerDisconnectedError, httpx.RemoteProtocolError),
    (LostFreshConnection, httpx.RemoteProtocolError),
    (aiohttp.ClientOSError, httpx.ReadError),
    (aiohttp.ClientPayloadError, httpx.RemoteProtocolError),
    (aiohttp.ClientResponseError, httpx.RemoteProtocolError),
    (aiohttp.ClientConnectionError, httpx.ReadError),
    (aiohttp.ClientError, httpx.RemoteProtocolError),
    (HttpProcessingError, httpx.RemoteProtocolError),
    (aiohttp.EofStream, httpx.RemoteProtocolError),
    (asyncio.TimeoutError, httpx.ReadTimeout),
    (ssl.SSLError, httpx.ConnectError),
    (OSError, httpx.ReadError),
    (asyncio.IncompleteReadError, httpx.RemoteProtocolError),
    (ValueError, httpx.LocalProtocolError),
)

TRANSPORT_FAILURES = (
    aiohttp.ClientError,
    aiohttp.EofStream,
    HttpProcessingError,
    aiohttp_socks.ProxyError,
    aiohttp_socks.ProxyConnectionError,
    aiohttp_socks.ProxyTimeoutError,
    python_socks.ProxyError,
    python_socks.ProxyConnectionError,
    python_socks.ProxyTimeoutError,
    OSError,
    EOFError,
    ValueError,
)
"""What aiohttp, its proxies and the system raise; `TimeoutError` and `ssl.SSLError` are `OSError`s."""


def to_httpx(error: BaseException, request: httpx.Request) -> httpx.TransportError:
    """The httpx error that says what an error of aiohttp's transport says."""
    kind = httpx_class(type(error))
    message = str(error) or type(error).__name__
    if isinstance(error, aiohttp.ServerDisconnectedError | LostFreshConnection):
        message = DISCONNECTED
    elif isinstance(error, aiohttp.ClientConnectorError) and (error.os_error.errno or 0) > 0:
        message = _in_words(error)
    return kind(message, request=request)


def _in_words(error: aiohttp.ClientConnectorError) -> str:
    """Why there was no connection, in the system's words and without aiohttp's."""
    if isinstance(error.os_error, ssl.SSLError):
        return str(error)
    return os.strerror(error.os_error.errno or 0)


def httpx_class(kind: type[BaseException]) -> type[httpx.TransportError]:
    """The class of httpx's error for a class of aiohttp's, of its proxies' or of the system's."""
    return next((ours for theirs, ours in _HTTPX_CLASSES if issubclass(kind, theirs)), httpx.ReadError)


def head_failure(error: httpx.TransportError, url: str) -> FetchError:
    """Our error for one that came before the head of the answer was complete."""
    why = str(error) or type(error).__name__
    match error:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return TimedOut(url, "no connection in time")
        case httpx.TimeoutException():
            return TimedOut(url, "no answer in time")
        case httpx.UnsupportedProtocol():
            return Refused(url, "scheme", why)
        case httpx.LocalProtocolError():
            return Refused(url, "bad_request", why)
        case httpx.ProxyError():
            return ConnectFailed(url, f"proxy: {why}", hint="check the proxy in the site file")
        case httpx.RemoteProtocolError() if not why.startswith("Server disconnected"):
            return BadResponse(url, f"no HTTP answer: {why}")
        case httpx.ConnectError() if _has_cause(error, socket.gaierror):
            return NameNotResolved(url, why)
        case httpx.ConnectError() if _has_cause(error, ssl.SSLCertVerificationError):
            return ConnectFailed(url, f"the certificate is not valid: {why}")
        case _:
            return ConnectFailed(url, why)


def body_failure(error: httpx.TransportError, url: str) -> FetchError:
    """Our error for one that came while the body was read."""
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(url, "the body stopped coming")
    return BodyTruncated(url, str(error) or type(error).__name__)


def _has_cause(error: BaseException, kind: type[BaseException]) -> bool:
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return False
        if isinstance(cause, kind) or isinstance(getattr(cause, "os_error", None), kind):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
