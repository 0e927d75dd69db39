"""The hostile site.

    with HostileSite() as site:
        …crawl site.url…
        assert harvested == site.real
        assert site.state.violations == []

Everything hangs on the start page, each trap under its own first path segment, so that `state.traps` counts
how long a crawl stayed in each. The real torrents (`truth`) stand behind, between and after the traps, and
some come only at the second try. A second listener stands for a neighbour on loopback that no redirect or
link may reach: `neighbour_hits` must stay 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

from harvester.demo.catalogue import torrents_of
from harvester.demo.server import (
    Raw,
    Request,
    Response,
    SiteState,
    SiteThread,
    loopback_socket,
    origin_of,
    redirect,
)
from harvester.demo.truth import TruthRow
from tests.hostile import traps
from tests.hostile.pages import (
    calendar,
    encodings,
    front,
    grow,
    html,
    listing,
    maze,
    near,
    paged,
    repeated,
    sessions,
    soft_missing,
)

Answer = Response | Raw
Trap = Callable[[Request, str], Answer]

_STATE_CHANGING = re.compile(r"/act/(logout|delete|vote|buy|thank|checkin)|_wpnonce=|my_post_key=")

ROBOTS = "User-agent: *\nDisallow: /forbidden/\n"
ROUNDS = 5
"""How many real torrents the plain part of the site has, beside those of the traps."""


@dataclass(slots=True)
class HostileState(SiteState):
    """What the site saw; `traps` counts requests by first path segment."""

    traps: Counter[str] = field(default_factory=Counter)


class HostileSite:
    """The site, from construction until `close`.

    Its 503s and 429s ask for `retry_after` seconds. Answers without an end are broken off after `longest`
    seconds: a test sets it to what it can wait, several times over, when the crawl is more patient.
    """

    def __init__(self, *, retry_after: int = 1, longest: float = traps.LONGEST_SECONDS) -> None:
        self._longest = longest
        self.state = HostileState()
        self.neighbour_hits = 0
        self._retry_after = retry_after
        self._seeds = [entry.seed for entry in torrents_of("book")]
        self._tries: Counter[str] = Counter()
        self._traps: dict[str, Trap] = self._make_traps()
        listener, neighbour = loopback_socket(), loopback_socket()
        self.origin = origin_of(listener)
        self._neighbour = origin_of(neighbour)
        self._thread = SiteThread([(self._answer, listener), (self._be_reached, neighbour)], name="hostile")

    @property
    def url(self) -> str:
        """The start page."""
        return f"{self.origin}/"

    @property
    def real(self) -> frozenset[str]:
        """The infohashes of the real torrents."""
        return frozenset(row.infohash for row in self.truth)

    @property
    def truth(self) -> tuple[TruthRow, ...]:
        """Every real torrent that a patient and polite crawl gets."""
        return tuple(
            TruthRow(
                self._seeds[number].infohash,
                self.origin + path,
                "none",
                self.origin + page,
                "download",
                "anon",
            )
            for path, (number, page) in REAL.items()
        )

    async def _be_reached(self, request: Request) -> Answer:
        self.neighbour_hits += 1
        return Response(self._seeds[-1].data, content_type="application/x-bittorrent")

    async def _answer(self, request: Request) -> Answer:
        self.state.record(request)
        segment = request.path.split("/")[1]
        self.state.traps[segment] += 1
        self._tries[request.target] += 1
        if _STATE_CHANGING.search(request.target):
            self.state.violations.append(request.target)
        if segment == "forbidden":
            self.state.robots_violations.append(request.target)
        if request.path == "/robots.txt":
            return Response(ROBOTS.encode(), content_type="text/plain")
        if request.path == "/":
            return front(self._neighbour)
        trap = self._traps.get(segment)
        return trap(request, request.path.removeprefix(f"/{segment}")) if trap else soft_missing(request.path)

    def _make_traps(self) -> dict[str, Trap]:
        return {
            "list": lambda request, rest: listing(request.params()),
            "good": lambda request, rest: html(
                f"Book {rest}", f'<a href="/files{rest}.torrent">download</a>'
            ),
            "files": self._file,
            "maze": lambda request, rest: maze(request.path),
            "grow": lambda request, rest: grow(request.query),
            "calendar": lambda request, rest: calendar(rest),
            "repeat": lambda request, rest: repeated(rest),
            "board": lambda request, rest: sessions(request.params(), self.state.requests),
            "topic": lambda request, rest: self._topic(request.params()),
            "paged": lambda request, rest: paged(request.params()),
            "near": lambda request, rest: near(request.params()),
            "encodings": lambda request, rest: encodings(rest),
            "loop": self._loop,
            "cookie": self._cookie,
            "out": self._out,
            "wire": self._wire,
            "flaky": self._flaky,
            "act": lambda request, rest: html("Done", "<p>Done. You should not have come here.</p>"),
            "forbidden": lambda request, rest: self._torrent(27),
            "missing": lambda request, rest: soft_missing(request.path),
        }

    def _torrent(self, number: int, content_type: str = "application/x-bittorrent") -> Response:
        return Response(self._seeds[number].data, content_type=content_type)

    def _topic(self, params: dict[str, str]) -> Response:
        number = params.get("t", "")
        if number not in ("1", "2", "3"):
            return soft_missing("/topic")
        return html(f"Topic {number}", f'<p>A book.</p><a href="/files/sid{number}.torrent">download</a>')

    def _file(self, request: Request, rest: str) -> Answer:
        seeds = self._seeds
        if request.path in REAL:
            number, _ = REAL[request.path]
            return self._torrent(number, _TYPES.get(request.path, "application/x-bittorrent"))
        match rest:
            case "/trailing.torrent":
                return Response(seeds[_TRAILING].data + b"\n4711", content_type="application/x-bittorrent")
            case "/fake.torrent":
                page = html("Log in", '<form method="post"><input type="password" name="p"></form>')
                return Response(page.body, content_type="application/x-bittorrent")
            case "/cut.torrent":
                return Response(seeds[25].data[:-40], content_type="application/x-bittorrent")
            case "/empty.torrent":
                return Response(b"", content_type="application/x-bittorrent")
            case "/prefix.torrent":
                return Response(b"d8:announce3:abce", content_type="application/x-bittorrent")
            case "/negative.torrent":
                return Response(b"d1:a2:bb-7:e", content_type="application/x-bittorrent")
            case "/deep.torrent":
                return Response(b"d4:info" + b"l" * 200_000, content_type="application/x-bittorrent")
            case "/bomb.torrent":
                return traps.bomb("gzip", "application/x-bittorrent")
        return soft_missing(request.path)

    def _loop(self, request: Request, rest: str) -> Answer:
        match rest:
            case "/a":
                return redirect("/loop/b")
            case "/b":
                return redirect("/loop/c")
            case "/c":
                return redirect("/loop/a")
            case "/self":
                return redirect("/loop/self")
            case "/refresh":
                return html("Wait", '<meta http-equiv="refresh" content="0; url=/loop/refresh">')
            case "/empty":
                return redirect("")
            case "/bad":
                return redirect("http://[::bad/")
            case "/act":
                return redirect("/act/logout?token=2f6c")
            case "/moved":
                return redirect("/files/moved.torrent", status=301)
        step = int(rest[7:]) if re.fullmatch(r"/chain/\d{1,9}", rest) else 0
        return redirect(f"/loop/chain/{step + 1}")

    def _cookie(self, request: Request, rest: str) -> Answer:
        if request.cookies.get("passed") == "1":
            return html("Come in", '<a href="/files/cookie.torrent">download</a>')
        return redirect("/cookie/", headers=[("Set-Cookie", "passed=1; path=/")])

    def _out(self, request: Request, rest: str) -> Answer:
        port = self._neighbour.rpartition(":")[2]
        targets = {
            "/port": f"{self._neighbour}/secret.torrent",
            "/name": f"http://localhost:{port}/secret.torrent",
            "/decimal": f"http://2130706433:{port}/secret.torrent",
            "/hex": f"http://0x7f.1:{port}/secret.torrent",
            "/zero": f"http://0.0.0.0:{port}/secret.torrent",
            "/mapped": f"http://[::ffff:127.0.0.1]:{port}/secret.torrent",
            "/file": "file:///etc/hostname",
            "/gopher": f"gopher://127.0.0.1:{port}/1",
            "/data": "data:text/html,<a href=/act/delete>x</a>",
        }
        return redirect(targets[rest]) if rest in targets else soft_missing(request.path)

    def _wire(self, request: Request, rest: str) -> Answer:
        makers: dict[str, Callable[[], Answer]] = {
            "/bomb.html": lambda: traps.bomb("gzip", "text/html"),
            "/brotli.html": lambda: traps.bomb("br", "text/html"),
            "/slow.html": lambda: traps.slow_body(b"text/html", self._longest),
            "/slow.torrent": lambda: traps.slow_body(b"application/x-bittorrent", self._longest),
            "/endless.html": lambda: traps.endless_body(self._longest),
            "/huge.torrent": lambda: traps.huge_length(self._longest),
            "/headers.html": lambda: traps.endless_headers(self._longest),
            "/silent.html": lambda: traps.silent(self._longest),
            "/chunks.html": traps.bad_chunks,
            "/garbage.html": lambda: traps.once(b"\x00\x01this is no HTTP\r\n\r\n"),
            "/nothing.html": lambda: traps.once(b""),
            "/reset.html": traps.reset,
            "/short.torrent": lambda: traps.short_body(self._seeds[26].data, b"application/x-bittorrent"),
            "/badgzip.html": lambda: Response(b"no gzip at all", headers=[("Content-Encoding", "gzip")]),
        }
        return makers[rest]() if rest in makers else soft_missing(request.path)

    def _flaky(self, request: Request, rest: str) -> Answer:
        """What fails at the first try and is there at the second."""
        if request.path not in REAL:
            return soft_missing(request.path)
        if self._tries[request.target] > 1:
            return self._torrent(REAL[request.path][0])
        match rest:
            case "/busy.torrent":
                wait = [("Retry-After", str(self._retry_after))]
                return Response(b"busy\n", 503, "text/plain", wait)
            case "/limit.torrent":
                wait = [("Retry-After", str(self._retry_after))]
                return Response(b"slow down\n", 429, "text/plain", wait)
            case "/reset.torrent":
                return traps.reset()
            case "/cut.torrent":
                return traps.short_body(self._seeds[0].data[:200], b"application/x-bittorrent")
        return Response(b"", 500, "text/plain")

    def close(self) -> None:
        """Stop serving; every trap's connection ends with it."""
        self._thread.close()

    def __enter__(self) -> HostileSite:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_TRAILING = 5
_PLACES = [
    *((f"/files/{number}.torrent", f"/good/{number}") for number in range(ROUNDS)),
    ("/files/trailing.torrent", "/"),
    ("/files/text.torrent", "/"),
    ("/files/page.torrent", "/"),
    ("/files/maze.torrent", "/maze/"),
    ("/files/grow.torrent", "/grow?n=1"),
    ("/files/calendar.torrent", "/calendar/2026/11"),
    ("/files/repeat.torrent", "/repeat/a/b/"),
    ("/files/sid1.torrent", "/topic?t=1"),
    ("/files/sid2.torrent", "/topic?t=2"),
    ("/files/sid3.torrent", "/topic?t=3"),
    ("/files/paged.torrent", "/paged?page=4"),
    ("/files/near.torrent", "/near?id=1"),
    ("/files/encoding.torrent", "/encodings/gbk-as-utf8"),
    ("/files/cookie.torrent", "/cookie/"),
    ("/files/moved.torrent", "/loop/moved"),
    ("/flaky/busy.torrent", "/"),
    ("/flaky/limit.torrent", "/"),
    ("/flaky/reset.torrent", "/"),
    ("/flaky/cut.torrent", "/"),
]
REAL: dict[str, tuple[int, str]] = {path: (number, page) for number, (path, page) in enumerate(_PLACES)}
"""Path of each real torrent -> (its number among the seeds, the page that links to it)."""
_TYPES = {"/files/text.torrent": "text/plain", "/files/page.torrent": "text/html; charset=utf-8"}

assert _PLACES[_TRAILING][0] == "/files/trailing.torrent"
