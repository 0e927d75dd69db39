"""Recorded crawls of real forum software, and what is behind which wall in them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

SITES = Path(__file__).parents[3] / "shared" / "data" / "sites"

_TOPIC = re.compile(r"[?&](?:tid|t)=(\d+)|/topic/[^/]*?-(\d+)/")


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer; `html` is empty for a file."""

    url: str
    status: int
    headers: dict[str, str]
    html: str

    @property
    def topic(self) -> str:
        """The topic's number when this is a topic page or a link of one, else an empty string."""
        match = _TOPIC.search(self.url)
        return next(group for group in match.groups() if group) if match else ""

    @property
    def is_topic_page(self) -> bool:
        """Whether this is the page of a topic, seen in full."""
        return bool(re.search(r"viewthread&tid=|viewtopic\.php\?t=|showthread\.php\?tid=|/topic/", self.url))


@cache
def answers(site: str, recording: str) -> tuple[Answer, ...]:
    """All answers of a recording."""
    return tuple(_read(SITES / site / f"{recording}.warc.gz"))


def _read(path: Path) -> Iterator[Answer]:
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response":
                continue
            headers = {name.lower(): value for name, value in record.http_headers.headers}
            body = record.content_stream().read()
            is_text = "html" in headers.get("content-type", "") or "text/xml" in headers.get(
                "content-type", ""
            )
            yield Answer(
                record.rec_headers.get_header("WARC-Target-URI"),
                int(record.http_headers.get_statuscode()),
                headers,
                body.decode("utf-8", "replace") if is_text else "",
            )


@cache
def truth(site: str) -> tuple[dict[str, str], ...]:
    """The rows of `truth.tsv`: every torrent, where it is, behind which wall."""
    with (SITES / site / "truth.tsv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file, delimiter="\t"))
