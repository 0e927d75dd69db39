"""What every simulated site shares: requests in, answers out, the truth about every URL, a count of damage.

A simulator is a web site in memory. The same seed, size and sequence of requests give the same bytes. It
opens no socket and reads no clock. Families follow the software as it is met in the wild: URL shapes, link
noise in the shares that were measured on saved pages, session ids, redirects, walls, caps and traps.
"""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

import bencodepy

from harvester.model.site import Role

CONTENT = frozenset({Role.START, Role.LIST, Role.FLIP, Role.DETAIL})
"""Roles of pages on the way to torrents."""

PIECE = 16384


@dataclass(frozen=True, slots=True)
class SimResponse:
    """One answer. `location` is the Location header's value, "" when there is none."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),)
    body: bytes = field(default=b"", repr=False)
    location: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """The truth about one URL: what it is, whatever it looks like.

    `role` START, LIST, FLIP (a further page of a list or of a detail page), DETAIL (a page of the kind
    that shows downloads, also where this one shows none), DOWNLOAD, DATA, LOGIN, ACTION (fetching it
    changes something), TRAP (one of endlessly many), IGNORE (profiles, search, help and the like; and URLs
    that only lead to a page with a better URL). `identity` is equal for URLs that show the same
    content. `page` and `args` are the simulator's own: which of its methods answers, and with what.
    `flips` says of a FLIP whether it is a page of a LIST or of a DETAIL.
    """

    role: Role
    identity: str
    page: str
    args: tuple[Any, ...] = ()
    flips: Role | None = None

    @property
    def kind(self) -> Role:
        """The role with further pages counted as what they are pages of."""
        return self.flips or self.role


def paged(role: Role, identity: str, name: str, args: tuple[Any, ...], number: int) -> Target:
    """The target of page `number` of a list or a detail page; `number` is the last of its arguments."""
    if number > 1:
        return Target(Role.FLIP, f"{identity}:{number}", name, (*args, number), role)
    return Target(role, f"{identity}:{number}", name, (*args, number))


@dataclass(frozen=True, slots=True)
class SimTorrent:
    """A torrent of the site: the bytes of its file and its infohash in hex."""

    number: int
    name: str
    infohash: str
    content: bytes = field(repr=False)


def make_torrent(number: int, name: str, tracker: str) -> SimTorrent:
    """A small valid single-file torrent (BEP 3)."""
    length = 10_000 + number * 7919 % 50_000
    pieces = b"".join(
        hashlib.sha1(f"{name}/{number}/{index}".encode()).digest() for index in range(-(-length // PIECE))
    )
    info = {"length": length, "name": name, "piece length": PIECE, "pieces": pieces}
    infohash = hashlib.sha1(bencodepy.encode(info)).hexdigest()
    return SimTorrent(number, name, infohash, bencodepy.encode({"announce": tracker, "info": info}))


class Simulator(ABC):
    """A site in memory.

    `seed` decides the content, `size` scales how much of it there is (1.0: the bench's size, at least 3,000
    URLs; tests use less). `moves_after`: from that many answered requests on, the site has its new URL
    scheme (None: never); old URLs then redirect to the new ones, or are gone with `forgets` set.

    Not a model of load, latency or faults.
    """

    family: ClassVar[str]
    can_move: ClassVar[bool] = False
    """Whether the family has a second URL scheme."""
    is_forum: ClassVar[bool] = False
    variants: ClassVar[Mapping[str, Role]] = {}
    """Pages (names of their methods) that show the content of a list or a detail page once more."""
    cookies: ClassVar[Mapping[str, str]] = {}
    """Set on the first answer to a visitor without them."""

    def __init__(
        self, seed: int = 1, *, size: float = 1.0, moves_after: int | None = None, forgets: bool = False
    ) -> None:
        self.seed = seed
        self.size = size
        self.random = random.Random(f"{self.family}:{seed}")
        self.host = f"{self.family}.localhost"
        self.origin = f"http://{self.host}"
        self.requests = 0
        self.state_changes: list[str] = []
        """URLs that were fetched although that changed something on the site."""
        self.torrents: dict[str, SimTorrent] = {}
        """Every torrent of the site by infohash, walled ones too."""
        self._moves_after = moves_after
        self._forgets = forgets
        self.build()

    @property
    def start(self) -> str:
        """The URL that an operator would name."""
        return f"{self.origin}/"

    @property
    def moved(self) -> bool:
        """Whether the new URL scheme is in force."""
        return self.can_move and self._moves_after is not None and self.requests > self._moves_after

    # What a family writes --------------------------------------------------------------------------

    @abstractmethod
    def build(self) -> None:
        """Make the content from `self.random` and `self.size`."""

    @abstractmethod
    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """What a URL of this site is (percent-decoded path, last value of each parameter); None: nothing.

        Knows the URLs of both schemes, whichever is in force.
        """

    def robots(self) -> str:
        """The text of /robots.txt."""
        return "User-agent: *\nDisallow:\n"

    def successor(self, target: Target, path: str) -> str | None:
        """The URL, in the scheme that is in force, of a target that was asked for by the other one.

        None when the URL is in the scheme that is in force, or has no scheme.
        """
        del target, path
        return None

    # What a crawl sees -----------------------------------------------------------------------------

    def truth(self, url: str) -> Target | None:
        """What `url` really is; None when it is not the site's or leads to a 404. Counts nothing."""
        parts = urlsplit(url)
        if parts.netloc != self.host:
            return None
        query = parts.query.replace(";", "&")
        return self.route(parts.path or "/", dict(parse_qsl(query, keep_blank_values=True)))

    def fetch(self, url: str, cookies: Mapping[str, str] | None = None) -> SimResponse:
        """Answer one GET. `cookies` are those that the visitor sends."""
        self.requests += 1
        target = self.truth(url)
        if urlsplit(url).path == "/robots.txt":
            return SimResponse(200, (("Content-Type", "text/plain"),), self.robots().encode())
        if target is None:
            return not_found()
        if target.role is Role.ACTION:
            self.state_changes.append(url)
        path = urlsplit(url).path or "/"
        if self.can_move:
            successor = self.successor(target, path)
            if successor is not None:
                return not_found() if self._forgets else redirect(successor, 301)
        visitor = dict(cookies or {})
        answer: SimResponse = getattr(self, f"page_{target.page}")(Asked(url, target, visitor), *target.args)
        missing = {name: value for name, value in self.cookies.items() if name not in visitor}
        if missing:
            extra = tuple(("Set-Cookie", f"{name}={value}; path=/") for name, value in missing.items())
            answer = SimResponse(answer.status, answer.headers + extra, answer.body, answer.location)
        return answer

    def add_torrent(self, name: str) -> SimTorrent:
        """A new torrent of the site."""
        torrent = make_torrent(len(self.torrents), name, f"http://tracker.{self.host}/announce")
        self.torrents[torrent.infohash] = torrent
        return torrent

    def token(self, *parts: object, length: int = 32) -> str:
        """A hexadecimal token that differs for every `parts`, and is the same in every run."""
        text = "/".join(map(str, (self.family, self.seed, *parts)))
        return hashlib.sha256(text.encode()).hexdigest()[:length]

    def scaled(self, count: int, least: int = 1) -> int:
        """`count` at this simulator's size."""
        return max(least, round(count * self.size))


@dataclass(frozen=True, slots=True)
class Asked:
    """The request that a page method answers: its URL, what that is, and the visitor's cookies."""

    url: str
    target: Target
    cookies: Mapping[str, str]


def page(text: str, status: int = 200) -> SimResponse:
    """An HTML answer."""
    return SimResponse(status, body=text.encode())


def torrent_file(torrent: SimTorrent, *, content_type: str = "application/x-bittorrent") -> SimResponse:
    """The answer that carries a torrent."""
    headers = (
        ("Content-Type", content_type),
        ("Content-Disposition", f'attachment; filename="{torrent.name}.torrent"'),
    )
    return SimResponse(200, headers, torrent.content)


def redirect(location: str, status: int = 302) -> SimResponse:
    """An answer that leads elsewhere."""
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Location", location))
    return SimResponse(status, headers, b"", location)


def not_found() -> SimResponse:
    """The 404 page."""
    return page("<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>", 404)
