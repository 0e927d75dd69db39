"""One host's client: sends one request, reads one answer within its limits, and knows no redirects."""

from __future__ import annotations

import asyncio
from time import perf_counter

import httpx
from msgspec import Struct

from harvester.errors import BodyTooLarge, BodyTruncated, FetchError, NameNotResolved, Refused, TimedOut
from harvester.fetch.decode import BodyDecoder
from harvester.fetch.failures import body_failure, head_failure
from harvester.fetch.place import Origin
from harvester.fetch.redirects import is_redirect
from harvester.model.http import FetchLimits, Headers

_WATCHED = frozenset([b"content-length", b"content-encoding", b"location", b"set-cookie"])
_REDIRECT_BODY = 64 * 1024


class Fields:
    """The header fields that fetching itself looks at, found in one pass."""

    __slots__ = ("content_encoding", "content_length", "location", "set_cookies")

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        self.content_encoding = ""
        self.content_length = ""
        self.location: bytes | None = None
        self.set_cookies: list[str] = []
        for key, value in raw:
            name = key.lower()
            if name not in _WATCHED:
                continue
            if name == b"set-cookie":
                self.set_cookies.append(value.decode("latin-1"))
            elif name == b"location":
                self.location = self.location or value
            elif name == b"content-length":
                self.content_length = value.decode("latin-1").strip()
            else:
                self.content_encoding = f"{self.content_encoding},{value.decode('latin-1')}"


class Answer(Struct):
    """What one exchange gave; `peer` is the address that answered, "" when it is not known.

    `wire` is the body as it came, still compressed: only when it was asked for.
    """

    status: int
    headers: Headers
    fields: Fields
    body: bytes
    encoded_size: int
    latency: float
    peer: str
    wire: bytes = b""


class HostClient:
    """Speaks to one origin through one httpx transport, and owns it.

    httpx's request and response are used, its client is not: that would add a second cookie jar, its own
    redirects and a fifth of the CPU, none of which is wanted here.
    """

    def __init__(self, origin: Origin, transport: httpx.AsyncBaseTransport) -> None:
        self.origin = origin
        self.busy = 0
        self.last_used = 0.0
        self._transport = transport
        self._url = httpx.URL(f"{origin}/")
        self._host = (b"Host", origin.netloc.encode("ascii"))

    async def exchange(
        self,
        url: str,
        target: str,
        method: str,
        headers: list[tuple[bytes, bytes]],
        body: bytes | None,
        limits: FetchLimits,
        *,
        cut: bool = False,
        keep: bool = False,
    ) -> Answer:
        """Send and read. `url` names the request in errors; raises `FetchError` and its subclasses.

        With `cut` a body beyond the limit is cut there and is no error. `keep` keeps the body as it came.
        """
        request = httpx.Request(
            method,
            self._url,
            headers=[self._host, *headers],
            stream=httpx.ByteStream(body or b""),
            extensions={
                "target": target.encode("ascii"),
                "timeout": {
                    "connect": limits.connect,
                    "read": limits.idle,
                    "write": limits.idle,
                    "pool": limits.connect,
                },
            },
        )
        if body is not None:
            request.headers["Content-Length"] = str(len(body))
        started = perf_counter()
        try:
            response = await self._transport.handle_async_request(request)
        except httpx.TransportError as error:
            raise head_failure(error, url) from error
        except Refused as error:
            raise Refused(url, error.reason, error.why.removeprefix("refused: ")) from error
        except NameNotResolved as error:
            raise NameNotResolved(url, error.why, hint=error.hint) from error
        latency = perf_counter() - started
        peer = _peer(response)
        try:
            raw = response.headers.raw
            fields = Fields(raw)
            wire = bytearray() if keep else None
            read, size = await self._read(response, fields, url, method, limits, cut, wire)
        finally:
            await response.stream.aclose()  # type: ignore[union-attr]  # an async transport's is an async stream
        return Answer(
            response.status_code, Headers(raw), fields, read, size, latency, peer, bytes(wire or b"")
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    async def _read(
        self,
        response: httpx.Response,
        fields: Fields,
        url: str,
        method: str,
        limits: FetchLimits,
        cut: bool,
        wire: bytearray | None,
    ) -> tuple[bytes, int]:
        """The decoded body and its size on the wire."""
        status = response.status_code
        if method == "HEAD" or status in (204, 304):
            return b"", 0
        if is_redirect(status, fields.location):
            return await _redirect_body(response, url, limits, wire)
        declared = fields.content_length
        length = int(declared[:18]) if declared.isascii() and declared.isdigit() else 0
        if length > limits.body and not cut:
            raise BodyTooLarge(url, f"{length:,} bytes are declared, the limit is {limits.body:,}")
        decoder = BodyDecoder(url, fields.content_encoding, limits.body)
        try:
            size = await _receive(response, decoder, url, limits, wire)
        except BodyTooLarge:
            if cut:
                return decoder.cut(), limits.body
            raise
        if size < length:
            raise BodyTruncated(url, f"{size:,} of {length:,} bytes came")
        return decoder.finish(), size


async def _receive(
    response: httpx.Response, decoder: BodyDecoder, url: str, limits: FetchLimits, wire: bytearray | None
) -> int:
    """Feed the decoder (and `wire`) from the stream; how many bytes came."""
    size = 0
    started = perf_counter()
    try:
        async for chunk in response.stream:  # type: ignore[union-attr]  # an async transport's is an async stream
            size += len(chunk)
            decoder.feed(chunk)
            if wire is not None:
                wire += chunk
            if size > limits.body:
                raise BodyTooLarge(url, f"more than {limits.body:,} bytes")
            taken = perf_counter() - started
            if taken > limits.slow_grace and size < limits.slow_rate * taken:
                raise TimedOut(url, f"the body comes at {size / taken:.0f} bytes a second")
    except httpx.TransportError as error:
        raise body_failure(error, url) from error
    return size


async def _redirect_body(
    response: httpx.Response, url: str, limits: FetchLimits, wire: bytearray | None
) -> tuple[bytes, int]:
    """Read a redirect's body only to keep the connection: nothing that is wrong with it matters."""
    decoder = BodyDecoder(url, "", _REDIRECT_BODY)
    try:
        async with asyncio.timeout(limits.connect):
            size = await _receive(response, decoder, url, limits, wire)
    except (FetchError, TimeoutError):
        return b"", 0
    return decoder.finish(), size


def _peer(response: httpx.Response) -> str:
    peer = response.extensions.get("peer")
    if peer is None and (stream := response.extensions.get("network_stream")) is not None:
        address = stream.get_extra_info("server_addr")
        peer = address[0] if address else ""
    return str(peer or "")
