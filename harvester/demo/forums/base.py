"""What the forums have in common: visitors with sessions, items with torrents, a server."""

from __future__ import annotations

import hashlib
import html
import itertools
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import ClassVar, Literal

from harvester.demo.catalogue import torrents_of
from harvester.demo.seeds import Seed, make_seed
from harvester.demo.server import (
    Request,
    Response,
    SiteState,
    SiteThread,
    loopback_socket,
    origin_of,
    redirect,
)

MEMBER = ("keeper", "correct horse 测试")
"""Name and password of the one member; made up, and of use nowhere else. Not ASCII, so that charsets show."""
POINTS = 100
"""What the member has at first, where things are sold."""
PASSKEY = "0123456789abcdef0123456789abcdef"

Wall = Literal["none", "login", "reply", "pay"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thread with one torrent; `number` is the thread's, `file` the attachment's."""

    number: int
    title: str
    seed: Seed
    wall: Wall
    price: int = 0
    """Points, for what is sold."""

    @property
    def file(self) -> int:
        """The attachment's number."""
        return self.number + 100

    @property
    def members(self) -> bool:
        """Whether the thread stands on the members' board."""
        return self.wall == "login" and self.number % 2 == 0


@dataclass(slots=True)
class Session:
    """One visitor's session on the server: `data` holds its tokens."""

    key: str
    agent: str
    member: bool = False
    failures: int = 0
    data: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Visit:
    """One request with its session; `fresh`: the visitor came without a session cookie."""

    request: Request
    session: Session
    fresh: bool
    cookies: list[str] = field(default_factory=list)

    @property
    def member(self) -> bool:
        """Whether the visitor is logged in."""
        return self.session.member


class Forum(ABC):
    """A forum at `origin` (no slash at the end).

    `reply_flood` is the least time between two replies in seconds; a member's session ends once, at the
    `lapse_after`th request in it (0: never). Subclasses make the markup.
    """

    name: ClassVar[str]
    session_cookie: ClassVar[str]
    start: ClassVar[str] = "/"
    walls: ClassVar[Sequence[Wall]] = ("none", "login", "none", "login", "login", "none")
    private: ClassVar[bool] = False
    acting: ClassVar[re.Pattern[str]] = re.compile(
        r"logout|action=markasread|mark=|/delete|report|/watch|rate"
    )
    """Targets that change something when they are asked for."""
    charset: ClassVar[str] = "utf-8"

    def __init__(
        self,
        origin: str,
        *,
        reply_flood: float = 0.0,
        lapse_after: int = 0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.origin = origin
        self.clock = clock
        self.state = SiteState()
        self.items = self._items()
        self.replied: set[int] = set()
        self.bought: list[int] = []
        self.points = POINTS
        self.reply_flood = reply_flood
        self.lapse_after = lapse_after
        self.refused: list[str] = []
        """Why logins and replies were refused, one line each."""
        self._sessions: dict[str, Session] = {}
        self._numbers = itertools.count(1)

    @property
    def url(self) -> str:
        """The start page."""
        return self.origin + self.start

    def wanted(self, *walls: Wall) -> set[str]:
        """The infohashes of the files behind these walls."""
        return {item.seed.infohash for item in self.items if item.wall in walls}

    def end_sessions(self) -> None:
        """Forget every session, as a server does in time."""
        self._sessions.clear()

    def token(self, text: str, length: int = 32) -> str:
        """A hex token, a new one at each call."""
        return hashlib.sha256(f"{self.name} {text} {next(self._numbers)}".encode()).hexdigest()[:length]

    async def answer(self, request: Request) -> Response:
        """Answer one request."""
        self.state.record(request)
        if request.path == "/robots.txt":
            return Response(self.robots.encode(), content_type="text/plain")
        if request.method == "GET" and self.acting.search(request.target):
            self.state.violations.append(request.target)
        visit = self._visit(request)
        if visit.member and self.lapse_after:
            self.lapse_after -= 1
            if not self.lapse_after:
                self.end_sessions()
                visit = self._visit(request)
        response = self.route(visit)
        cookies = [("Set-Cookie", cookie) for cookie in visit.cookies]
        return replace(response, headers=[*response.headers, *cookies])

    robots: ClassVar[str] = "User-agent: *\nDisallow:\n"

    @abstractmethod
    def route(self, visit: Visit) -> Response:
        """The answer of the software itself."""

    # For subclasses

    def page(self, body: str, *, status: int = 200, title: str = "", head: str = "") -> Response:
        """A page of this software around a body."""
        text = f"<!DOCTYPE html>\n<html><head><title>{title or self.name}</title>{head}</head><body>{body}</body></html>"
        content_type = f"text/html; charset={self.charset}"
        return Response(text.encode(self.charset, "xmlcharrefreplace"), status, content_type)

    def to(self, path: str) -> Response:
        """A redirect on this site."""
        return redirect(self.origin + path)

    def refuse(self, why: str) -> None:
        """Note that something was refused."""
        self.refused.append(why)

    def item(self, number: int) -> Item | None:
        """The item of a thread's or an attachment's number."""
        return next((one for one in self.items if number in (one.number, one.file)), None)

    def knows(self, user: str | None, password: str | None) -> bool:
        """Whether these are the member's."""
        return (user, password) == MEMBER

    def enter(self, visit: Visit) -> None:
        """Log the visitor in, under a new session key as real sites do."""
        session = visit.session
        self._sessions.pop(session.key, None)
        session.key, session.member, session.failures = self.token("session"), True, 0
        self._sessions[session.key] = session
        visit.cookies.append(f"{self.session_cookie}={session.key}; path=/; HttpOnly")
        self.state.logins += 1

    def file(self, item: Item) -> Response:
        """The torrent itself."""
        headers = [("Content-Disposition", f'attachment; filename="{item.number}.torrent"')]
        return Response(item.seed.data, content_type="application/x-bittorrent", headers=headers)

    def may_see(self, visit: Visit, item: Item) -> bool:
        """Whether the visitor may have the item's file."""
        opened = item.wall == "login" or item.number in self.replied or item.number in self.bought
        return item.wall == "none" or (visit.member and opened)

    def sell(self, item: Item) -> str:
        """Take the price of an item from the member; why not, or ""."""
        if item.number in self.bought:
            return "bought before"
        if self.points < item.price:
            return "not enough points"
        self.points -= item.price
        self.bought.append(item.number)
        return ""

    def reply_in(self, item: Item, text: str) -> str:
        """Take a member's reply; why not, or ""."""
        now = self.clock()
        if len(text.strip()) < 5:
            return "too short"
        if now - self._last_reply < self.reply_flood:
            return "flood"
        self._last_reply = now
        self.state.replies += 1
        self.replied.add(item.number)
        return ""

    _last_reply = -1e9

    def _visit(self, request: Request) -> Visit:
        key = request.cookies.get(self.session_cookie, "")
        agent = request.headers.get("user-agent", "")
        session = self._sessions.get(key)
        if session is not None and session.agent == agent:  # sessions are bound to the browser
            return Visit(request, session, fresh=False)
        session = Session(self.token("guest"), agent)
        self._sessions[session.key] = session
        cookie = f"{self.session_cookie}={session.key}; path=/; HttpOnly"
        return Visit(request, session, fresh=True, cookies=[cookie])

    def _items(self) -> list[Item]:
        entries = torrents_of("data") + torrents_of("music")
        items: list[Item] = []
        for number, (wall, entry) in enumerate(zip(self.walls, entries, strict=False), start=1):
            seed = entry.seed
            if self.private:
                announce = f"https://tracker.example/announce/{PASSKEY}"
                seed = make_seed(
                    f"{self.name} {seed.name}", [("content.bin", 50_000)], private=True, trackers=[announce]
                )
            price = (5 if "pay" not in {one.wall for one in items} else 40) if wall == "pay" else 0
            items.append(Item(number, entry.title, seed, wall, price))
        return items


def number_in(text: str) -> int:
    """The first number in a text, 0 without one."""
    found = re.search(r"\d{1,9}", text)
    return int(found[0]) if found else 0


def hidden(fields: Mapping[str, str]) -> str:
    """Hidden inputs."""
    return "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}" />'
        for name, value in fields.items()
    )


class RunningForum:
    """A forum that is served until the end of the `with` block; `forum` is the forum itself."""

    def __init__(self, kind: type[Forum], options: Mapping[str, object]) -> None:
        listener = loopback_socket()
        self.forum = kind(origin_of(listener), **options)  # type: ignore[arg-type]  # the caller's own options
        self._thread = SiteThread([(self.forum.answer, listener)], name=f"forum {kind.name}")

    def __enter__(self) -> Forum:
        return self.forum

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.close()
