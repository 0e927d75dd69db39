"""The site that crawlers are measured on: pages of about 5 KB with 20 links each, over many hosts.

    python -m benchmarks.crawl_site --pages N --hosts N [--first-host-bytes N]

Runs until its standard input ends, in a process of its own, because what the server costs is not what is
measured. Prints the port. The hosts are loopback addresses (127.1.0.1, 127.1.0.2, …), all on that port, as
Linux has them without further ado; crawlers take each for a host of its own.

Each host has a tree of pages, so that every page is found whatever the order; the other links lead anywhere
on the host, a fifth of them to other hosts. The pages of the first host may be far larger. One page in fifty
names a magnet link in its text: a site without any torrent would be left as a trap.

At the end the server prints, as JSON, the milliseconds that passed on the other hosts between an answer and
the next request: what a crawler with one connection to each host took for a page.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import sys
from dataclasses import dataclass
from time import perf_counter
from typing import cast

import uvloop

LINKS = 20
CHILDREN = 3
ELSEWHERE = 4
"""Of a page's links those that lead to other hosts."""
MAGNET_EVERY = 50
PAGE_BYTES = 5_000
_KINDS = ("news/article-{}.html", "forum/thread-{}-1-1.html", "wiki/page-{}", "releases/{}/")
_SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "la",
    "me",
    "ni",
    "po",
    "ru",
    "sa",
    "te",
    "vi",
    "wo",
    "xa",
    "ze",
    "ko",
    "li",
    "ma",
    "ne",
]
ROBOTS = b"User-agent: *\nDisallow: /private/\nDisallow: /*?print=\n"


@dataclass(frozen=True, slots=True)
class Site:
    """The shape of a site: which pages there are, and where."""

    pages: int
    hosts: int
    port: int

    def host(self, number: int) -> str:
        """`address:port` of a host."""
        return f"127.1.{number // 250}.{number % 250 + 1}:{self.port}"

    def starts(self) -> list[str]:
        """The first page of every host."""
        return [f"http://{self.host(number)}{path_of(number)}" for number in range(self.hosts)]


def path_of(page: int) -> str:
    """Where a page is on its host, which is the one with the number `page % hosts`."""
    return "/" + _KINDS[page % 7 % len(_KINDS)].format(page)


def links_of(site: Site, page: int, rng: random.Random) -> list[int]:
    """The pages that a page links to: its children in its host's tree, and others."""
    host, place = page % site.hosts, page // site.hosts
    on_host = (site.pages - host + site.hosts - 1) // site.hosts
    places = [place * CHILDREN + child for child in range(1, CHILDREN + 1)]
    targets = [place * site.hosts + host for place in places if place < on_host]
    while len(targets) < LINKS - ELSEWHERE:
        targets.append(rng.randrange(on_host) * site.hosts + host)
    targets += [rng.randrange(site.pages) for _ in range(LINKS - len(targets))]
    return targets


def html_of(site: Site, page: int, size: int) -> str:
    """One page: a title, a heading, paragraphs of words of its own, links in a menu and in the text."""
    rng = random.Random(page)
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(300)]
    host = page % site.hosts
    items = []
    for target in links_of(site, page, rng):
        base = "" if target % site.hosts == host else f"http://{site.host(target % site.hosts)}"
        anchor = " ".join(rng.choices(words, k=3))
        items.append(f'<li class="row"><a href="{base}{path_of(target)}">{anchor}</a></li>')
    title = " ".join(rng.choices(words, k=5)).capitalize()
    head = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<link rel="stylesheet" href="/style.css"></head><body><div id="page">'
        f'<h1>{title}</h1><ul class="menu">{"".join(items[:10])}</ul><div class="content">'
    )
    magnet = ""
    if page % MAGNET_EVERY == 0:
        infohash = hashlib.sha1(str(page).encode(), usedforsecurity=False).hexdigest()
        magnet = f"<p>magnet:?xt=urn:btih:{infohash}</p>"
    tail = f'{magnet}</div><ul class="more">{"".join(items[10:])}</ul></div></body></html>\n'
    paragraphs: list[str] = []
    length = len(head) + len(tail)
    while length < size:
        paragraph = f"<p>{' '.join(rng.choices(words, k=60)).capitalize()}.</p>\n"
        more = max(1, min(len(paragraphs), (size - length) // len(paragraph)) if length > 50_000 else 1)
        paragraphs += [paragraph] * more
        length += len(paragraph) * more
    return head + "".join(paragraphs) + tail


def answer(body: bytes, content_type: str, status: str = "200 OK") -> bytes:
    """A whole answer, as one piece of bytes."""
    head = (
        f"HTTP/1.1 {status}\r\nServer: nginx\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: private\r\nVary: Accept-Encoding\r\n\r\n"
    )
    return head.encode() + body


class _Server(asyncio.Protocol):
    """Answers from memory, by path alone, and takes the time between an answer and the next request."""

    def __init__(self, answers: dict[bytes, bytes], gaps: dict[str, list[float]]) -> None:
        self._answers = answers
        self._gaps = gaps
        self._answered = 0.0
        self._missing = answer(b"not found\n", "text/plain", "404 Not Found")
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name

    def data_received(self, data: bytes) -> None:
        if self._answered:
            host = str(self._transport.get_extra_info("sockname")[0])
            self._gaps.setdefault(host, []).append((perf_counter() - self._answered) * 1000)
        self._received += data
        while b"\r\n\r\n" in self._received:
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            self._transport.write(self._answers.get(path, self._missing))
            self._answered = perf_counter()


async def _serve(pages: int, hosts: int, first_host_bytes: int) -> None:
    answers: dict[bytes, bytes] = {b"/robots.txt": answer(ROBOTS, "text/plain")}
    gaps: dict[str, list[float]] = {}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Server(answers, gaps), "0.0.0.0", 0, backlog=1024)
    port = server.sockets[0].getsockname()[1]
    site = Site(pages, hosts, port)
    for page in range(pages):
        html = html_of(site, page, PAGE_BYTES if page % hosts else first_host_bytes).encode()
        answers[path_of(page).encode()] = answer(html, "text/html; charset=utf-8")
    print(port, flush=True)
    await loop.run_in_executor(None, sys.stdin.read)  # until the parent is gone
    server.close()
    first = site.host(0).partition(":")[0]
    print(json.dumps([gap for host, found in gaps.items() if host != first for gap in found]))


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(prog="crawl_site", description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--first-host-bytes", type=int, default=PAGE_BYTES)
    arguments = parser.parse_args()
    uvloop.run(_serve(arguments.pages, arguments.hosts, arguments.first_host_bytes))


if __name__ == "__main__":
    main()
