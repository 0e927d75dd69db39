"""The real server against clients that hold connections without using them."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn

from harvester.web.slow_clients import ImpatientProtocol

BODY = b"x" * 30_000_000


async def _app(scope, receive, send):  # type: ignore[no-untyped-def]  # ASGI's own shapes
    """Answers with how much it was sent, or with more than socket buffers hold."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    body = BODY if scope["path"] == "/large" else str(size).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Quick(ImpatientProtocol):
    request_seconds = 0.4
    stall_seconds = 0.4


@contextmanager
def serving() -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(_app, http=_Quick, ws="none", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as number:
        yield number


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        yield client


def seconds_until_closed(client: socket.socket) -> float:
    """How long the server keeps the connection; fails after 5 s."""
    start = time.monotonic()
    try:
        while client.recv(65536):
            pass
    except ConnectionError:
        pass
    return time.monotonic() - start


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
)
def test_who_does_not_finish_a_request_is_dropped(port: int, sent: bytes) -> None:
    with connected(port) as client:
        client.sendall(sent)
        assert seconds_until_closed(client) < 3


def test_a_byte_now_and_then_does_not_help(port: int) -> None:
    with connected(port) as client:
        client.settimeout(0.05)
        start = time.monotonic()
        for byte in b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"a" * 100:
            if is_dropped_after(client, bytes([byte])):
                break
        assert time.monotonic() - start < 3


def is_dropped_after(client: socket.socket, sent: bytes) -> bool:
    """Whether the server has closed the connection when something more is sent."""
    try:
        client.sendall(sent)
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_who_does_not_read_the_answer_is_dropped(port: int) -> None:
    with connected(port) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        client.recv(100)
        deadline = time.monotonic() + 5
        dropped = False
        while not dropped and time.monotonic() < deadline:
            try:
                client.send(b"\r\n")
                threading.Event().wait(0.05)
            except ConnectionError:
                dropped = True
        assert dropped


def test_who_reads_and_sends_in_time_is_served_again_and_again(port: int) -> None:
    with connected(port) as client:
        for _ in range(3):
            client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n")
            client.sendall(b"abc")
            answer = b""
            while not answer.endswith(b"\r\n\r\n3"):
                answer += client.recv(4096)
            assert answer.startswith(b"HTTP/1.1 200")


def test_a_large_answer_reaches_whoever_takes_it(port: int) -> None:
    with connected(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        total = 0
        while got := client.recv(1 << 20):
            total += len(got)
        assert total > len(BODY)
