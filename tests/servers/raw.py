"""A loopback server whose every byte the test decides."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class Received:
    """One request as it came: `target` is the raw text between method and version."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


@dataclass(slots=True)
class Exchange:
    """What a handler gets: the request, and the writer for whatever it wants to send."""

    request: Received
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    close: bool = field(default=False)

    async def send(self, data: bytes) -> None:
        """Send raw bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(
        self, status: int = 200, body: bytes = b"", *headers: str | bytes, length: int | None = None
    ) -> None:
        """Send a regular answer; `headers` are whole lines, `length` a Content-Length that may lie."""
        lines = [b"HTTP/1.1 %d Whatever" % status]
        lines += [line.encode("latin-1") if isinstance(line, str) else line for line in headers]
        if not any(line.lower().startswith((b"transfer-encoding", b"content-length")) for line in lines):
            lines.append(b"Content-Length: %d" % (len(body) if length is None else length))
        await self.send(b"\r\n".join(lines) + b"\r\n\r\n" + body)

    def reset(self) -> None:
        """Drop the connection at once."""
        self.writer.transport.abort()
        self.close = True


Handler = Callable[[Exchange], Awaitable[None]]


class RawServer:
    """Listens on 127.0.0.1; calls the handler for each request and keeps all of them in `requests`."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.requests: list[Received] = []
        self.connections = 0
        self.port = 0

    @property
    def targets(self) -> list[str]:
        """The targets of the requests so far."""
        return [request.target for request in self.requests]

    def url(self, target: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        """The URL of a target on this server."""
        return f"{scheme}://{host}:{self.port}{target}"

    async def start(self, context: ssl.SSLContext | None = None) -> None:
        """Begin to listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop_listening(self) -> None:
        """Refuse connections from now on."""
        assert self._server is not None
        self._server.close()

    async def stop(self) -> None:
        """End every connection and the listener."""
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        number = self.connections
        try:
            while True:
                received = await read_request(reader, number)
                if received is None:
                    break
                self.requests.append(received)
                exchange = Exchange(received, reader, writer)
                await self._handler(exchange)
                if exchange.close:
                    break
        except (ConnectionError, asyncio.CancelledError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(Exception, asyncio.CancelledError):
                await asyncio.wait_for(writer.wait_closed(), 1)


async def read_request(reader: asyncio.StreamReader, connection: int = 0) -> Received | None:
    """Read one request, None at the end of the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, target, headers, body, connection)


@asynccontextmanager
async def serving(handler: Handler, context: ssl.SSLContext | None = None) -> AsyncIterator[RawServer]:
    """A server for the time of a `with` block."""
    server = RawServer(handler)
    await server.start(context)
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def blurting(data: bytes) -> AsyncIterator[int]:
    """The port of a server that sends `data` to whoever connects, reads nothing, and closes."""

    async def blurt(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            writer.write(data)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(blurt, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


def routes(table: dict[str, Handler]) -> Handler:
    """A handler by path (without the query); 404 for the rest."""

    async def handle(exchange: Exchange) -> None:
        handler = table.get(exchange.request.target.partition("?")[0])
        if handler is None:
            await exchange.answer(404, b"nothing here")
        else:
            await handler(exchange)

    return handle


def replies(
    status: int = 200, body: bytes = b"", *headers: str | bytes, length: int | None = None
) -> Handler:
    """A handler that always answers the same."""

    async def handle(exchange: Exchange) -> None:
        await exchange.answer(status, body, *headers, length=length)

    return handle


def sends(data: bytes, *, close: bool = True) -> Handler:
    """A handler that sends raw bytes, and by default closes then."""

    async def handle(exchange: Exchange) -> None:
        await exchange.send(data)
        exchange.close = close

    return handle
