"""A small HTTP/1.1 server for sites on loopback, in a background thread or in the caller's loop.

h11 does the protocol. Header values may be bytes and go out as they are, because real forums send file
names as raw GBK; web frameworks re-encode or refuse them. A handler that has to break the protocol
itself (lie about a length, reset, trickle) answers with `Raw` and gets the stream.

It serves loopback only, keeps every connection bounded in time and size, and ends completely: after
`close` no thread, task or socket is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from types import TracebackType
from urllib.parse import parse_qsl

import h11

HOST = "127.0.0.1"
IDLE_SECONDS = 60.0
"""A connection that asks for nothing for so long is closed."""
REQUEST_BODY_LIMIT = 1_000_000
READ_SIZE = 65_536


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in.

    `target` is the request line's target, byte for byte (each byte one latin-1 character); `path` and
    `query` are its halves, still percent-encoded. Header names are lower case, the last of a name wins.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        """The part before the question mark."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """The part after the question mark."""
        return self.target.partition("?")[2]

    def params(self, charset: str = "utf-8") -> dict[str, str]:
        """The query's parameters, decoded; the last of a name wins."""
        return dict(parse_qsl(self.query, keep_blank_values=True, encoding=charset, errors="replace"))

    def form(self, charset: str = "utf-8") -> dict[str, str]:
        """The fields of an urlencoded body, decoded; the last of a name wins."""
        text = self.body.decode("latin-1")
        return dict(parse_qsl(text, keep_blank_values=True, encoding=charset, errors="replace"))

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies sent; those that are no cookies are left out."""
        try:
            return {
                name: morsel.value for name, morsel in SimpleCookie(self.headers.get("cookie", "")).items()
            }
        except CookieError:
            return {}


@dataclass(frozen=True, slots=True)
class Response:
    """An answer with its whole body; the Content-Length is the server's business."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Sequence[tuple[str, str | bytes]] = ()


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer that `send` writes itself, status line and all; the connection ends after it."""

    send: Callable[[asyncio.StreamWriter], Awaitable[None]]


Handler = Callable[[Request], Awaitable[Response | Raw]]


@dataclass(slots=True)
class SiteState:
    """What a site saw. Only the server's thread writes; any thread may read.

    `hits` counts by target as received, `violations` holds the targets of state-changing links that were
    followed, `robots_violations` those that robots.txt forbids.
    """

    requests: int = 0
    hits: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    robots_violations: list[str] = field(default_factory=list)
    logins: int = 0
    replies: int = 0

    def record(self, request: Request) -> None:
        """Count one request."""
        self.requests += 1
        self.hits[request.target] += 1


def loopback_socket(port: int = 0) -> socket.socket:
    """A listening socket on 127.0.0.1; port 0 takes a free one."""
    return socket.create_server((HOST, port), backlog=128)


def origin_of(listener: socket.socket) -> str:
    """`http://127.0.0.1:PORT`, without a slash at the end."""
    return f"http://{HOST}:{listener.getsockname()[1]}"


def redirect(
    location: str, *, status: int = 302, headers: Sequence[tuple[str, str | bytes]] = ()
) -> Response:
    """A redirect with an empty body."""
    return Response(status=status, headers=[("Location", location), *headers])


def _as_bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")


class Site:
    """One handler on one listening socket, inside a running loop."""

    def __init__(self, handler: Handler, listener: socket.socket) -> None:
        self._handler = handler
        self._listener = listener
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Accept connections from now on."""
        self._server = await asyncio.start_server(self._accept, sock=self._listener)

    async def stop(self) -> None:
        """Close the listener and every connection, and wait until they are gone."""
        if self._server is None:
            self._listener.close()
            return
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._converse(reader, writer)
        except (OSError, TimeoutError, h11.ProtocolError):
            pass  # the peer left or does not speak HTTP; there is nobody to tell
        except asyncio.CancelledError:
            writer.transport.abort()  # only `stop` cancels, and the task ends here
        finally:
            self._connections.discard(task)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        while (request := await _read_request(connection, reader)) is not None:
            answer = await self._handler(request)
            if isinstance(answer, Raw):
                await answer.send(writer)
                return
            await _write(connection, writer, request, answer)
            if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                return
            connection.start_next_cycle()


async def _read_request(connection: h11.Connection, reader: asyncio.StreamReader) -> Request | None:
    """The next request with its body; None when the peer is done."""
    head: h11.Request | None = None
    body = bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            async with asyncio.timeout(IDLE_SECONDS):
                connection.receive_data(await reader.read(READ_SIZE))
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > REQUEST_BODY_LIMIT:
                return None
        elif isinstance(event, h11.EndOfMessage) and head is not None:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
            return Request(head.method.decode("latin-1"), head.target.decode("latin-1"), headers, bytes(body))
        else:
            return None


async def _write(
    connection: h11.Connection, writer: asyncio.StreamWriter, request: Request, response: Response
) -> None:
    headers = [(name.encode("latin-1"), _as_bytes(value)) for name, value in response.headers]
    given = {name.lower() for name, _ in headers}
    if response.content_type and b"content-type" not in given:
        headers.append((b"Content-Type", response.content_type.encode("latin-1")))
    bodiless = response.status in (204, 304)
    if not bodiless:
        headers.append((b"Content-Length", str(len(response.body)).encode()))
    try:
        reason = HTTPStatus(response.status).phrase.encode()
    except ValueError:  # sites have codes of their own
        reason = b"Unregistered"
    parts = [connection.send(h11.Response(status_code=response.status, reason=reason, headers=headers))]
    if request.method != "HEAD" and not bodiless:
        parts.append(connection.send(h11.Data(data=response.body)))
    parts.append(connection.send(h11.EndOfMessage()))
    writer.write(b"".join(part for part in parts if part))
    await writer.drain()


class SiteThread:
    """Serves any number of sites from one background thread with its own event loop.

    The sites answer when the constructor returns. `close` ends the thread; it may be called twice.
    """

    def __init__(self, sites: Sequence[tuple[Handler, socket.socket]], *, name: str = "sites") -> None:
        self._sites = [Site(handler, listener) for handler, listener in sites]
        self._ready = threading.Event()
        self._failures: list[BaseException] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        self._ready.wait()
        for failure in self._failures:
            self._thread.join()
            raise failure

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001  handed to the thread that waits for the start
            self._failures.append(error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        try:
            for site in self._sites:
                await site.start()
            self._ready.set()
            await self._stop.wait()
        finally:
            for site in self._sites:
                await site.stop()

    def close(self) -> None:
        """End the thread and close every socket."""
        if self._loop is not None and self._stop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the loop ended between the check and the call
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def __enter__(self) -> SiteThread:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
