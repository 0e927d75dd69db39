"""httpx's transport interface over aiohttp, which costs a third of httpcore's CPU.

Beyond the interface it promises that the request target goes out byte for byte (the extension `target`, as
httpcore has it), that no address is connected to that the guard has not passed, and that only httpx's errors
and `Refused` and `NameNotResolved` come out. It keeps no cookies, follows nothing and decodes nothing.
HTTP/1.1 only; header values go out as UTF-8, which is aiohttp's doing; certificates are always verified.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from typing import Any

import aiohttp
import httpx
import yarl
from aiohttp.connector import Connection
from multidict import CIMultiDict

from harvester.errors import FetchError
from harvester.fetch.dns import DnsCache
from harvester.fetch.failures import TRANSPORT_FAILURES, LostFreshConnection, to_httpx
from harvester.fetch.guard import Guard
from harvester.fetch.proxy import ProxySpec, SocksConnector
from harvester.fetch.resolver import GuardedResolver

_MOST_CONNECTIONS = 16  # a host's politeness allows far fewer; this bounds a fault elsewhere
_KEEP_ALIVE = 60.0
_LONGEST_LINE = 16 * 1024
_MOST_HEADERS = 128
_READ_BUFFER = 64 * 1024
_SKIP = frozenset(["User-Agent", "Accept", "Accept-Encoding", "Content-Type"])


class AiohttpTransport(httpx.AsyncBaseTransport):
    """Connections to one host (or to a few), each checked when it is made.

    `proxy` is an `http://`, `socks5://`, `socks5h://` or `socks4://` URL. Behind `socks5` and `socks4` the
    name is resolved here and its address is what the proxy is told; behind `http` and `socks5h` the proxy
    resolves it, and what is checked here is the name, and its address where it can be found out.
    """

    def __init__(
        self,
        *,
        guard: Guard,
        dns: DnsCache,
        ssl_context: Callable[[], ssl.SSLContext] = httpx.create_ssl_context,
        proxy: str = "",
    ) -> None:
        self._guard = guard
        self._dns = dns
        self._ssl_context = ssl_context
        self._proxy = ProxySpec.parse(proxy) if proxy else None
        self._session: aiohttp.ClientSession | None = None
        self._base: dict[tuple[str, str, int | None], yarl.URL] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send, and return as soon as the head of the answer is there; the body is read from its stream."""
        key = (request.url.scheme, request.url.host, request.url.port)
        base = self._base.get(key)
        if base is None:
            base = await self._admit(request.url)
            self._base[key] = base
        session = self._session or self._open_session()
        extensions = request.extensions
        target: bytes = extensions.get("target") or request.url.raw_path
        headers = CIMultiDict([(name.decode("latin-1"), _text(value)) for name, value in request.headers.raw])
        proxy, proxy_headers = self._http_proxy(request.url.scheme, headers)
        times: dict[str, float | None] = extensions.get("timeout") or {}
        try:
            response = await session.request(
                request.method,
                base.with_path(target.decode("ascii"), encoded=True),
                headers=headers,
                data=await _body_of(request),
                allow_redirects=False,
                timeout=_timeout(times.get("connect"), times.get("read")),
                proxy=proxy,
                proxy_headers=proxy_headers,
                ssl=self._ssl_context() if base.scheme == "https" else True,
            )
        except FetchError:
            raise
        except TRANSPORT_FAILURES as error:
            raise to_httpx(error, request) from error
        assert isinstance(response, _Answer)
        return httpx.Response(
            response.status,
            headers=list(response.raw_headers),
            stream=_Stream(response, request),
            extensions={"peer": "" if self._proxy else response.peer, "http_version": b"HTTP/1.1"},
            request=request,
        )

    async def aclose(self) -> None:
        """Close the connections; the transport opens new ones when it is used again."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _admit(self, url: httpx.URL) -> yarl.URL:
        """The yarl URL of an origin, once the guard has nothing against its name."""
        port = url.port or {"http": 80, "https": 443}.get(url.scheme, 0)
        self._guard.check_place(url.host, port)
        if self._proxy is not None and not self._proxy.pinned:
            try:
                found = await self._dns.addresses(url.host)
            except FetchError:
                found = ()  # only the proxy can resolve it (.onion, a closed network)
            if found:
                self._guard.open_addresses(url.host, port, found)
        return yarl.URL.build(scheme=url.scheme, host=url.host, port=port, path="/", encoded=True)

    def _open_session(self) -> aiohttp.ClientSession:
        resolver = GuardedResolver(self._guard, self._dns, self._proxy.address if self._proxy else None)
        connector: aiohttp.TCPConnector
        if self._proxy is not None and self._proxy.socks:
            connector = SocksConnector(
                self._proxy, resolver, limit=_MOST_CONNECTIONS, keepalive_timeout=_KEEP_ALIVE
            )
        else:
            connector = aiohttp.TCPConnector(
                resolver=resolver, use_dns_cache=False, limit=_MOST_CONNECTIONS, keepalive_timeout=_KEEP_ALIVE
            )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            skip_auto_headers=_SKIP,
            response_class=_Answer,
            read_bufsize=_READ_BUFFER,
            max_line_size=_LONGEST_LINE,
            max_field_size=_LONGEST_LINE,
            max_headers=_MOST_HEADERS,
            requote_redirect_url=False,
        )
        return self._session

    def _http_proxy(
        self, scheme: str, headers: CIMultiDict[str]
    ) -> tuple[yarl.URL | None, dict[str, str] | None]:
        if self._proxy is None or self._proxy.socks:
            return None, None
        authorization = self._proxy.authorization
        if authorization and scheme == "http":
            headers["Proxy-Authorization"] = authorization
        return self._proxy.url, {
            "Proxy-Authorization": authorization
        } if authorization and scheme == "https" else {}


@lru_cache(maxsize=64)
def _timeout(connect: float | None, read: float | None) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=None, connect=connect, sock_read=read)


def _text(value: bytes) -> str:
    """A header value for aiohttp, which writes UTF-8; other bytes beyond ASCII come out changed."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


async def _body_of(request: httpx.Request) -> bytes | None:
    stream = request.stream
    if isinstance(stream, httpx.ByteStream):
        return b"".join(stream) or None
    return await request.aread() or None


class _Answer(aiohttp.ClientResponse):
    """Remembers who answered, and whether the connection had served before.

    aiohttp sends an idempotent request again after any disconnect; that is right only for a kept
    connection that the server had closed meanwhile.
    """

    peer = ""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        protocol: Any = connection.protocol  # it carries a mark of ours: the peer of a connection that served
        peer = getattr(protocol, "harvest_peer", None)
        if peer is None:
            address = connection.transport.get_extra_info("peername") if connection.transport else None
            self.peer = str(address[0]) if address else ""
        else:
            self.peer = peer
        try:
            await super().start(connection)
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            if peer is not None or isinstance(error, aiohttp.ServerTimeoutError):
                raise
            raise LostFreshConnection(str(error)) from error
        protocol.harvest_peer = self.peer
        return self


class _Stream(httpx.AsyncByteStream):
    """The body as received. Read to its end it gives the connection back, closed before it closes it."""

    def __init__(self, response: aiohttp.ClientResponse, request: httpx.Request) -> None:
        self._response = response
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        content = self._response.content
        try:
            while chunk := await content.readany():
                yield chunk
        except TRANSPORT_FAILURES as error:
            raise to_httpx(error, self._request) from error

    async def aclose(self) -> None:
        self._response.close()
