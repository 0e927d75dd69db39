"""Answers that break the protocol, or that never end: each bounded by what the server allows."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import zlib
from functools import cache

import brotli

from harvester.demo.server import Raw, Response

MIB = 1024 * 1024
BOMB_SIZE = 2048 * MIB
"""Decoded size of the gzip bombs, bytes; on the wire they are about 2 MiB."""
HUGE_LENGTH = 5 * 1024 * MIB
SENT_AT_MOST = 96 * MIB
"""Bytes that an endless or oversized answer sends before it gives up on its reader."""
LONGEST_SECONDS = 120.0
"""How long an answer without an end goes on, where the site is not told otherwise."""


@cache
def gzip_bomb() -> bytes:
    """A gzip stream of BOMB_SIZE blanks; its trailer is wrong, which nobody should get far enough to see."""
    chunk = b" " * (16 * MIB)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packer.compress(chunk)
    packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    return gzip.compress(b"")[:10] + block * (BOMB_SIZE // len(chunk)) + b"\x03\x00" + bytes(8)


@cache
def brotli_bomb() -> bytes:
    """A brotli stream of 256 MiB of blanks in some hundred bytes."""
    packer = brotli.Compressor(quality=1)
    parts = [packer.process(b" " * MIB) for _ in range(256)]
    return b"".join(parts) + bytes(packer.finish())


def bomb(encoding: str, content_type: str) -> Response:
    """A small answer that decodes to a very large one."""
    body = gzip_bomb() if encoding == "gzip" else brotli_bomb()
    return Response(body, content_type=content_type, headers=[("Content-Encoding", encoding)])


def endless(head: bytes, chunk: bytes, pause: float, longest: float) -> Raw:
    """`head`, then `chunk` over and over, `pause` seconds apart, until a bound or the reader ends it."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        sent = 0
        async with asyncio.timeout(longest):
            while sent < SENT_AT_MOST:
                writer.write(chunk)
                await writer.drain()
                sent += len(chunk)
                await asyncio.sleep(pause)

    return Raw(send)


def slow_body(content_type: bytes, longest: float = LONGEST_SECONDS) -> Raw:
    """A body of one byte every fifth of a second, with no end in sight."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: " + content_type + b"\r\nConnection: close\r\n\r\n"
    return endless(head, b".", 0.2, longest)


def endless_body(longest: float = LONGEST_SECONDS) -> Raw:
    """An HTML page without an end, as fast as it is read."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html><body>"
    return endless(head, b"<p>more and more and more</p>\n" * 2048, 0.0, longest)


def huge_length(longest: float = LONGEST_SECONDS) -> Raw:
    """A torrent that claims 5 GiB and starts to send them."""
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-bittorrent\r\nContent-Length: %d\r\n\r\n"
        % HUGE_LENGTH
    )
    return endless(head + b"d4:infod4:name1:x6:pieces5000000000:", b"\0" * 65_536, 0.0, longest)


def endless_headers(longest: float = LONGEST_SECONDS) -> Raw:
    """A header section without an end."""
    return endless(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"a" * 8_000 + b"\r\n", 0.0, longest)


def silent(longest: float = LONGEST_SECONDS) -> Raw:
    """Headers that promise a body, and then nothing until the reader leaves."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4000\r\n\r\n")
        await writer.drain()
        async with asyncio.timeout(longest):
            while not writer.is_closing():
                await asyncio.sleep(0.1)

    return Raw(send)


def once(data: bytes) -> Raw:
    """Exactly these bytes, then the connection ends."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return Raw(send)


def short_body(body: bytes, content_type: bytes) -> Raw:
    """A body that ends before its Content-Length does."""
    length = len(body) + 500
    return once(
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (content_type, length) + body
    )


def bad_chunks() -> Raw:
    """A chunked body whose second chunk has no size."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    return once(head + b"5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n")


def reset() -> Raw:
    """The connection is reset (RST) instead of an answer."""

    async def send(writer: asyncio.StreamWriter) -> None:
        peer: socket.socket = writer.get_extra_info("socket")
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return Raw(send)
