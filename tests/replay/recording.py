"""Reading a recorded site: one WARC file with one response a record.

How a request finds its recorded response:

1. by its exact target, byte for byte;
2. else by its loose key: query order does not matter, and what the recorded software does not use to
   choose the page is left out: session ids (`sid`, `s`, `PHPSESSID`), Discuz's way-back parameter
   (`extra`), a page number that says "first" (`page=1`, `start=0`); of a Discuz `aid` only the first field
   counts, because its time and checksum differ on every view.

Nothing else is guessed: a sort order or another page that nobody recorded is unrecorded.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from gzip import compress
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from warcio.archiveiterator import ArchiveIterator

REPOSITORY = Path(__file__).resolve().parents[2]

SESSION_NAMES = frozenset({"sid", "s", "phpsessid"})
IDLE_NAMES = frozenset({"extra"})
FIRST_PAGES = frozenset({("page", "1"), ("start", "0")})

_DROPPED_HEADERS = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})
_TEXT_TYPE = re.compile(r"text/|.*(javascript|json|xml)", re.IGNORECASE)
_ENCODED_LINK = re.compile(rb"aHR0c(?:Dov|HM6)[A-Za-z0-9+/]{4,2000}={0,2}")
_BENCODED = re.compile(rb"d\d{1,9}:")

LooseKey = tuple[str, tuple[tuple[str, str], ...]]


class NoRecording(Exception):
    """The shared data folder or the recording is not there; the text says what to do."""


def sites_folder() -> Path:
    """The folder of the recorded sites: `$HARVEST_SHARED/data/sites`, else beside the checkout."""
    shared = Path(os.environ.get("HARVEST_SHARED", REPOSITORY.parent / "shared"))
    folder = shared / "data" / "sites"
    if not folder.is_dir():
        raise NoRecording(
            f"no recorded sites at {folder}: put the shared data folder beside the checkout as 'shared', "
            "or set HARVEST_SHARED to where it is"
        )
    return folder


def site_names() -> list[str]:
    """The sites that have a recording."""
    return sorted(path.parent.name for path in sites_folder().glob("*/focus_anon.warc.gz"))


def recordings_of(name: str) -> list[str]:
    """The recordings of a site: `focus_anon`, `focus_login`, …"""
    return sorted(path.name.removesuffix(".warc.gz") for path in (sites_folder() / name).glob("*.warc.gz"))


def loose_key(target: str) -> LooseKey:
    """What two targets (or URLs) have in common when the recorded software answers them alike."""
    parts = urlsplit(target)
    pairs = []
    for name, value in parse_qsl(parts.query, keep_blank_values=True, encoding="latin-1"):
        if name.lower() in SESSION_NAMES or name in IDLE_NAMES or (name, value) in FIRST_PAGES:
            continue
        pairs.append((name, _attachment_number(value) if name == "aid" else value))
    return parts.path, tuple(sorted(pairs))


def _attachment_number(value: str) -> str:
    try:
        first, bar, _ = base64.b64decode(value, validate=True).partition(b"|")
    except binascii.Error:
        return value
    return first.decode("latin-1") if bar else value


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded response; `body` is decoded, `encoding` what it was sent in (`gzip` or "")."""

    target: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    encoding: str

    @property
    def is_text(self) -> bool:
        """Origins in it may be rewritten: it is of a text type and no torrent."""
        kind = next((value for name, value in self.headers if name.lower() == "content-type"), "")
        return bool(_TEXT_TYPE.match(kind)) and not _BENCODED.match(self.body)


class Recording:
    """A recorded site in memory; the first record of a target or loose key wins."""

    def __init__(self, name: str, recording: str = "focus_anon") -> None:
        path = sites_folder() / name / f"{recording}.warc.gz"
        if not path.is_file():
            known = {site: recordings_of(site) for site in site_names()}
            raise NoRecording(f"no recording {name}/{recording}; there are {known}")
        self.name = name
        self.recording = recording
        self.origin = ""
        self._exact: dict[str, Record] = {}
        self._loose: dict[LooseKey, Record] = {}
        self.start = ""
        for origin, record in _records(path):
            self.origin = self.origin or origin
            if origin != self.origin:
                raise NoRecording(f"{path} holds more than one origin: {self.origin} and {origin}")
            self.start = self.start or record.target
            self._exact.setdefault(record.target, record)
            self._loose.setdefault(loose_key(record.target), record)

    def __len__(self) -> int:
        return len(self._exact)

    def records(self) -> list[Record]:
        """Every recorded response, in the order of the recording."""
        return list(self._exact.values())

    def find(self, target: str) -> Record | None:
        """The response recorded for a target, by the rules of this module; a full URL will do."""
        target = target.removeprefix(self.origin)
        return self._exact.get(target) or self._loose.get(loose_key(target))


def _records(path: Path) -> Iterator[tuple[str, Record]]:
    with path.open("rb") as stream:
        for entry in ArchiveIterator(stream):
            if entry.rec_type != "response":
                continue
            url = urlsplit(entry.rec_headers.get_header("WARC-Target-URI"))
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            headers = tuple((str(name), str(value)) for name, value in entry.http_headers.headers)
            encoding = (entry.http_headers.get_header("Content-Encoding") or "").lower()
            yield (
                f"{url.scheme}://{url.netloc}",
                Record(
                    target=target,
                    status=int(entry.http_headers.get_statuscode()),
                    headers=headers,
                    body=entry.content_stream().read(),
                    encoding=encoding if encoding in ("gzip", "deflate", "br") else "",
                ),
            )


class Rewriter:
    """Replaces the recorded origin by the served one, in any charset that contains ASCII.

    Plain (`http://host:port`), bare (`host:port`), percent-encoded (`host%3Aport`), JSON-escaped and
    base64 spellings are found; no other host is touched, nor anything in a torrent. UTF-16 is not handled.
    """

    def __init__(self, recorded: str, served: str) -> None:
        self._recorded = recorded.encode()
        self._served = served.encode()
        old = urlsplit(recorded).netloc
        new = urlsplit(served).netloc
        self._swaps = [
            (old.encode(), new.encode()),
            (old.replace(":", "%3A").encode(), new.replace(":", "%3A").encode()),
            (old.replace(":", "%3a").encode(), new.replace(":", "%3a").encode()),
        ]
        if recorded.startswith("https:"):
            slashes = (b"://", rb":\/\/", b"%3A%2F%2F", b"%3a%2f%2f")
            host = old.encode()
            self._swaps[:0] = [(b"https" + mark + host, b"http" + mark + new.encode()) for mark in slashes]

    def text(self, data: bytes) -> bytes:
        """The bytes of a text body or header with every spelling of the origin replaced."""
        for old, new in self._swaps:
            data = data.replace(old, new)
        return _ENCODED_LINK.sub(self._encoded, data)

    def _encoded(self, match: re.Match[bytes]) -> bytes:
        try:
            plain = base64.b64decode(match[0], validate=True)
        except binascii.Error:
            return match[0]
        if not plain.startswith(self._recorded):
            return match[0]
        return base64.b64encode(self._served + plain[len(self._recorded) :])

    def response(self, record: Record) -> tuple[bytes, list[tuple[str, str | bytes]]]:
        """The body to send and its headers; a gzip body is compressed again, others come decoded."""
        body = self.text(record.body) if record.is_text else record.body
        headers: list[tuple[str, str | bytes]] = []
        for name, value in record.headers:
            lower = name.lower()
            if lower in _DROPPED_HEADERS or (lower == "content-encoding" and record.encoding):
                continue
            headers.append((name, self.text(value.encode("latin-1", "surrogateescape"))))
        if record.encoding == "gzip":
            body = compress(body, compresslevel=1, mtime=0)
            headers.append(("Content-Encoding", "gzip"))
        return body, headers


__all__ = ["NoRecording", "Record", "Recording", "Rewriter", "loose_key", "recordings_of", "site_names"]
