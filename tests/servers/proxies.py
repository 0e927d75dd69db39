"""Small real proxies on loopback: HTTP (absolute form and CONNECT) and SOCKS 4 and 5."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit


class Proxy:
    """What a proxy was asked for. `asked` holds (host, port) as the client gave them."""

    def __init__(self, upstream: tuple[str, int] | None = None) -> None:
        self.upstream = upstream
        self.asked: list[tuple[str, int]] = []
        self.authorizations: list[str] = []
        self.first_lines: list[str] = []
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.asked.append((host, port))
        where = self.upstream or (host, port)
        return await asyncio.open_connection(*where)

    async def serve_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head[:-4].decode("latin-1").split("\r\n")
        self.first_lines.append(first)
        method, target, version = first.split(" ", 2)
        self.authorizations += [
            line[21:] for line in lines if line.lower().startswith("proxy-authorization: ")
        ]
        if method == "CONNECT":
            host, _, port = target.rpartition(":")
            far_reader, far_writer = await self.connect(host, int(port))
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            parts = urlsplit(target)
            far_reader, far_writer = await self.connect(parts.hostname or "", parts.port or 80)
            path = target.split(parts.netloc, 1)[1]
            kept = [line for line in lines if not line.lower().startswith("proxy-")]
            far_writer.write("\r\n".join([f"{method} {path} {version}", *kept, "", ""]).encode("latin-1"))
        await _relay(reader, writer, far_reader, far_writer)

    async def serve_socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        version = (await reader.readexactly(1))[0]
        if version == 4:
            _, port = struct.unpack(">BH", await reader.readexactly(3))
            host = ".".join(map(str, await reader.readexactly(4)))
            await reader.readuntil(b"\0")
            done = b"\0\x5a" + bytes(6)
        else:
            await reader.readexactly((await reader.readexactly(1))[0])
            writer.write(b"\x05\x00")
            _, _, _, kind = await reader.readexactly(4)
            if kind == 3:
                host = (await reader.readexactly((await reader.readexactly(1))[0])).decode("ascii")
            else:
                host = ".".join(map(str, await reader.readexactly(4)))
            (port,) = struct.unpack(">H", await reader.readexactly(2))
            done = b"\x05\0\0\x01" + bytes(6)
        far_reader, far_writer = await self.connect(host, port)
        writer.write(done)
        await _relay(reader, writer, far_reader, far_writer)


@asynccontextmanager
async def proxying(kind: str, upstream: tuple[str, int] | None = None) -> AsyncIterator[Proxy]:
    """A proxy of `kind` (`http`, `socks`); `upstream` is where it connects whatever it is asked for."""
    proxy = Proxy(upstream)
    serve = proxy.serve_http if kind == "http" else proxy.serve_socks

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        proxy._tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await serve(reader, writer)
        finally:
            proxy._tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in list(proxy._tasks):
            task.cancel()
        await asyncio.gather(*proxy._tasks, return_exceptions=True)
        await server.wait_closed()


async def _relay(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    far_reader: asyncio.StreamReader,
    far_writer: asyncio.StreamWriter,
) -> None:
    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        sink.close()

    try:
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
    finally:
        far_writer.close()
