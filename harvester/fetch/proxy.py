"""Proxies that the operator names in a site file: HTTP and SOCKS."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import aiohttp
import yarl
from aiohttp.client_proto import ResponseHandler
from aiohttp_socks import ProxyConnector
from msgspec import Struct
from python_socks import ProxyType
from python_socks.async_.asyncio.v2 import Proxy

from harvester.errors import SettingsError
from harvester.fetch.resolver import GuardedResolver
from harvester.model.redact import shown

_SOCKS = {"socks5": ProxyType.SOCKS5, "socks5h": ProxyType.SOCKS5, "socks4": ProxyType.SOCKS4}
_DEFAULT_PORTS = {"http": 8080, "socks5": 1080, "socks5h": 1080, "socks4": 1080}


class ProxySpec(Struct, frozen=True):
    """A proxy URL taken apart. Its credentials stay out of its repr."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return shown(self, hiding={"user", "password"})

    @classmethod
    def parse(cls, url: str) -> ProxySpec:
        """Read `scheme://[user:password@]host[:port]`. Raises `SettingsError`."""
        try:
            parts = urlsplit(url)
            scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
        except ValueError as error:
            raise SettingsError("the proxy is no URL", why=str(error)) from None
        if scheme not in _DEFAULT_PORTS or not host:
            raise SettingsError(
                "the proxy cannot be used",
                why=f"{scheme or 'no scheme'} is not one of {', '.join(_DEFAULT_PORTS)}"
                if host
                else "no host",
                hint="write it as socks5://127.0.0.1:1080 or http://proxy.example:8080",
            )
        return cls(
            scheme,
            host,
            port or _DEFAULT_PORTS[scheme],
            unquote(parts.username or ""),
            unquote(parts.password or ""),
        )

    @property
    def socks(self) -> bool:
        """Whether it speaks SOCKS."""
        return self.scheme in _SOCKS

    @property
    def pinned(self) -> bool:
        """Whether the proxy is told an address that was checked here, and not a name."""
        return self.scheme in {"socks5", "socks4"}

    @property
    def address(self) -> tuple[str, int]:
        """Where the proxy itself is."""
        return self.host, self.port

    @property
    def url(self) -> yarl.URL:
        """The proxy without its credentials."""
        return yarl.URL.build(scheme=self.scheme, host=self.host, port=self.port)

    @property
    def authorization(self) -> str:
        """The value of Proxy-Authorization, "" without credentials."""
        if not self.user:
            return ""
        return "Basic " + b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")


class SocksConnector(ProxyConnector):
    """aiohttp's connector through SOCKS, telling the proxy a checked address where the proxy is `pinned`.

    aiohttp-socks would hand names to the proxy, or have them resolved past the guard.
    """

    def __init__(self, spec: ProxySpec, resolver: GuardedResolver, **settings: Any) -> None:
        super().__init__(spec.host, spec.port, proxy_type=_SOCKS[spec.scheme], **settings)
        self._spec = spec
        self._guarded = resolver

    async def _connect_via_proxy(
        self, host: str, port: int, ssl: ssl.SSLContext | None = None, timeout: float | None = None
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        destination = host
        if self._spec.pinned and not aiohttp.helpers.is_ip_address(host):
            destination = (await self._guarded.resolve(host, port))[0]["host"]
        proxy = Proxy(
            proxy_type=_SOCKS[self._spec.scheme],
            host=self._spec.host,
            port=self._spec.port,
            username=self._spec.user or None,
            password=self._spec.password or None,
            rdns=True,  # the destination goes to the proxy as it stands here
        )
        stream = await proxy.connect(dest_host=destination, dest_port=port, timeout=timeout)
        if ssl is not None:
            stream = await stream.start_tls(host.rstrip("."), ssl)
        handler = _Handler(self._loop, stream.writer)
        transport = cast(asyncio.Transport, stream.writer.transport)
        transport.set_protocol(handler)
        handler.connection_made(transport)
        return transport, handler


class _Handler(ResponseHandler):
    """Keeps the writer, whose end would close the transport under aiohttp."""

    def __init__(self, loop: asyncio.AbstractEventLoop, writer: asyncio.StreamWriter) -> None:
        super().__init__(loop)
        self._writer = writer
