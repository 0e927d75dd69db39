"""The raw exchanges of a crawl as WARC files (ISO 28500, WARC/1.1), for archives and later study.

Each exchange, redirect hops and robots.txt included, is a request and a response record, each a gzip member
of its own. The response is kept as it came over the wire but for chunking, which the transport undoes.
Credentials in headers are replaced by `***`, and the body of a request that carries them is left out; URLs
are kept whole, keys in them included.

An exchange is appended with one write: a kill leaves at most one torn member at the end of a file, which is
cut off when the folder is opened the next time. A file that is being written ends in `.open`.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import threading
import zlib
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from harvester.errors import StoreError, StoreFull, StoreUnreachable
from harvester.fetch.exchange import Exchange
from harvester.model.redact import MASK, is_secret_header

ROTATE_BYTES = 1_000_000_000
"""Bytes after which the next file is begun."""
_PENDING_BYTES = 64 * 1024 * 1024
"""Bytes that wait for the disk before fetching waits with them."""
_OPEN = ".open"
_CHUNK = 1 << 20
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# The transport has undone it, so the header would be a lie; archives keep it under another name.
_UNDONE = b"transfer-encoding"


class WarcFolder:
    """Appends exchanges to files in a folder, from a thread of its own. `close` ends it.

    Several processes may write to one folder: each has files of its own. Raises `StoreFull` and
    `StoreUnreachable`, at the next call after the disk refused.
    """

    def __init__(self, folder: Path, software: str, *, rotate_bytes: int = ROTATE_BYTES) -> None:
        self._folder = folder
        self._software = software
        self._rotate = rotate_bytes
        self._file: BinaryIO | None = None
        self._number = 0
        self._begun = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        self._waiting: deque[Exchange] = deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._closing = False
        self._error: Exception | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            mend(folder)
        except OSError as error:
            raise _explained(error, folder) from error
        self._thread = threading.Thread(target=self._run, name="warc", daemon=True)
        self._thread.start()

    def add(self, exchange: Exchange) -> None:
        """Hand over one exchange; waits while the disk is far behind."""
        with self._changed:
            while self._bytes > _PENDING_BYTES and self._error is None:
                self._changed.wait()
            self._raise_error()
            self._waiting.append(exchange)
            self._bytes += len(exchange.wire)
            self._changed.notify_all()

    def close(self) -> None:
        """Write what waits, and give the last file its final name."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        self._raise_error()

    def _raise_error(self) -> None:
        if isinstance(self._error, OSError):
            raise _explained(self._error, self._folder) from self._error
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            while (exchange := self._next()) is not None:
                self._write(exchange)
                with self._changed:
                    self._bytes -= len(exchange.wire)
                    self._changed.notify_all()
            self._end_file()
        except Exception as error:  # noqa: BLE001 - handed to whoever adds the next exchange
            with self._changed:
                self._error = error
                self._changed.notify_all()
        finally:
            if self._file is not None:  # it keeps its name: `mend` cuts off what is torn
                self._file.close()

    def _next(self) -> Exchange | None:
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            return self._waiting.popleft() if self._waiting else None

    def _write(self, exchange: Exchange) -> None:
        if self._file is None:
            self._begin_file()
        assert self._file is not None
        buffer = BytesIO()
        _put(WARCWriter(buffer, gzip=True, warc_version="WARC/1.1"), exchange)
        _append(self._file, buffer)
        if self._file.tell() >= self._rotate:
            self._end_file()

    def _begin_file(self) -> None:
        self._number += 1
        name = f"harvest-{self._begun}-{os.getpid()}-{self._number:05d}.warc.gz"
        file = (self._folder / (name + _OPEN)).open("xb", buffering=0)
        fcntl.flock(file, fcntl.LOCK_EX)
        buffer = BytesIO()
        writer = WARCWriter(buffer, gzip=True, warc_version="WARC/1.1")
        about = {"software": self._software, "format": "WARC File Format 1.1"}
        writer.write_record(writer.create_warcinfo_record(name, about))
        self._file = file
        _append(file, buffer)

    def _end_file(self) -> None:
        if self._file is None:
            return
        os.fsync(self._file.fileno())
        path = Path(self._file.name)
        path.rename(path.with_name(path.name.removesuffix(_OPEN)))
        self._file.close()
        self._file = None


def _append(file: BinaryIO, buffer: BytesIO) -> None:
    """One write, unless the disk takes it in pieces."""
    left = buffer.getbuffer()
    while left:
        left = left[file.write(left) :]


def mend(folder: Path) -> list[Path]:
    """Cut the torn end off files that a killed process left open, and give them their final names."""
    mended = []
    for path in sorted(folder.glob(f"*.warc.gz{_OPEN}")):
        with path.open("r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:  # somebody is writing it
                continue
            file.truncate(_whole_members(file))
            final = path.with_name(path.name.removesuffix(_OPEN))
            path.rename(final)
            mended.append(final)
    return mended


def _whole_members(file: BinaryIO) -> int:
    """The offset at which the last whole gzip member ends."""
    end = offset = 0
    member = zlib.decompressobj(31)
    while chunk := file.read(_CHUNK):
        while chunk:
            try:
                member.decompress(chunk)
            except zlib.error:
                return end
            if not member.eof:
                offset += len(chunk)
                break
            rest = member.unused_data
            offset += len(chunk) - len(rest)
            end, chunk = offset, rest
            member = zlib.decompressobj(31)
    return end


class _Head(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """An HTTP head that is written byte for byte; warcio would percent-encode what is not ASCII."""

    def __init__(self, first: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        super().__init__(first.decode("latin-1"), [])  # an empty one would count as none
        lines = [first, *(b"%b: %b" % field for field in headers), b"", b""]
        self.headers_buff = b"\r\n".join(lines)

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        """It is there already."""


def _put(writer: WARCWriter, exchange: Exchange) -> None:
    """Write the response record and the request record that belongs to it."""
    date = datetime.fromtimestamp(exchange.at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    facts = {"WARC-Date": date}
    if exchange.peer:
        facts["WARC-IP-Address"] = exchange.peer
    # A site may repeat what a login sent it, or hand out a token: neither is for an archive.
    wire = b"" if exchange.secret else exchange.wire
    cut = {"WARC-Truncated": "unspecified"} if exchange.secret and exchange.wire else {}
    response = writer.create_warc_record(
        exchange.url,
        "response",
        payload=BytesIO(wire),
        length=len(wire),
        http_headers=_Head(
            b"HTTP/1.1 %d %b" % (exchange.status, _phrase(exchange.status)), _answered(exchange, len(wire))
        ),
        warc_headers_dict=facts | cut,
    )
    writer.write_record(response)
    body = b"" if exchange.secret else exchange.request_body
    request = writer.create_warc_record(
        exchange.url,
        "request",
        payload=BytesIO(body),
        length=len(body),
        http_headers=_Head(
            b"%b %b HTTP/1.1" % (exchange.method.encode("ascii"), exchange.target.encode("ascii")),
            _redacted(exchange.request_headers),
        ),
        warc_headers_dict=facts | {"WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")},
    )
    writer.write_record(request)


def _answered(exchange: Exchange, length: int) -> list[tuple[bytes, bytes]]:
    """The response's header without what is no longer so."""
    headers = [
        (b"X-Archive-Orig-" + name if name.lower() == _UNDONE else name, value)
        for name, value in _redacted(exchange.headers)
        if name.lower() != b"content-length"
    ]
    return [*headers, (b"Content-Length", b"%d" % length)]


def _redacted(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    masked = MASK.encode()
    return [(name, masked if is_secret_header(name.decode("latin-1")) else value) for name, value in headers]


def _phrase(status: int) -> bytes:
    with contextlib.suppress(ValueError):
        return HTTPStatus(status).phrase.encode()
    return b""


def _explained(error: OSError, folder: Path) -> StoreError:
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return StoreFull(
            f"no space is left for WARC files in {folder}", why=why, hint="make room, then go on"
        )
    return StoreUnreachable(
        f"WARC files cannot be written to {folder}", why=why, hint="name another folder with --warc"
    )
