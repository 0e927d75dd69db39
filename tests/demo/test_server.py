"""The small server: HTTP as it should be, raw bytes where asked, and nothing left behind."""

from __future__ import annotations

import asyncio
import socket
import threading

import httpx
import pytest

from harvester.demo.server import (
    REQUEST_BODY_LIMIT,
    Raw,
    Request,
    Response,
    Site,
    SiteThread,
    loopback_socket,
    origin_of,
)


async def _echo(request: Request) -> Response | Raw:
    if request.path == "/raw":
        return Raw(_send_half)
    if request.path == "/cookies":
        return Response(repr(request.cookies).encode())
    headers = [("X-Name", "深蓝".encode("gbk"))]
    return Response(f"{request.method} {request.target} {len(request.body)}".encode(), headers=headers)


async def _send_half(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
    await writer.drain()


def _served() -> tuple[SiteThread, str]:
    listener = loopback_socket()
    return SiteThread([(_echo, listener)]), origin_of(listener)


def test_targets_arrive_byte_for_byte() -> None:
    thread, origin = _served()
    with thread, socket.create_connection(("127.0.0.1", int(origin.rpartition(":")[2]))) as peer:
        peer.sendall(b"GET /%7e/../a?b=%u1234&c=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: peer.recv(4096), b""))
    assert answer.endswith(b"GET /%7e/../a?b=%u1234&c=1 0")


def test_header_bytes_go_out_as_they_are() -> None:
    thread, origin = _served()
    with thread, httpx.Client() as client:
        raw = dict(client.get(origin).headers.raw)
    assert raw[b"X-Name"] == "深蓝".encode("gbk")


def test_a_connection_serves_several_requests() -> None:
    thread, origin = _served()
    with thread, httpx.Client(base_url=origin) as client:
        assert client.get("/a").text == "GET /a 0"
        assert client.post("/b", content=b"12345").text == "POST /b 5"
        assert client.head("/c").headers["content-length"] == str(len("HEAD /c 0"))
        assert client.get("/d").text == "GET /d 0"


def test_broken_cookies_are_no_cookies() -> None:
    thread, origin = _served()
    with thread, httpx.Client() as client:
        assert client.get(f"{origin}/cookies", headers={"Cookie": "a=1; b=2"}).text == "{'a': '1', 'b': '2'}"
        assert client.get(f"{origin}/cookies", headers={"Cookie": "\x7f[]=;;="}).text == "{}"


def test_a_raw_answer_ends_the_connection() -> None:
    thread, origin = _served()
    with thread, httpx.Client() as client, pytest.raises(httpx.RemoteProtocolError):
        client.get(f"{origin}/raw")


def test_what_is_no_http_ends_only_its_own_connection() -> None:
    thread, origin = _served()
    with thread:
        with socket.create_connection(("127.0.0.1", int(origin.rpartition(":")[2]))) as peer:
            peer.sendall(b"\x16\x03\x01 hello\r\n\r\n")
            assert peer.recv(100) == b""
        assert httpx.get(f"{origin}/after").status_code == 200


def test_a_request_body_has_a_limit() -> None:
    thread, origin = _served()
    with thread, httpx.Client() as client, pytest.raises(httpx.TransportError):
        client.post(origin, content=b"x" * (REQUEST_BODY_LIMIT + 1))


def test_closing_ends_the_thread_its_connections_and_the_port() -> None:
    before = threading.active_count()
    thread, origin = _served()
    with socket.create_connection(("127.0.0.1", int(origin.rpartition(":")[2]))) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(4096)
        thread.close()
        thread.close()
        assert idle.recv(4096) == b""
    assert threading.active_count() == before
    with pytest.raises(httpx.ConnectError):
        httpx.get(origin)


def test_a_site_runs_in_the_callers_loop() -> None:
    async def scenario() -> str:
        listener = loopback_socket()
        site = Site(_echo, listener)
        await site.start()
        async with httpx.AsyncClient() as client:
            text = (await client.get(f"{origin_of(listener)}/here")).text
        await site.stop()
        return text

    assert asyncio.run(scenario()) == "GET /here 0"
