"""Spider traps that only the fetched pages show.

Two views of a URL are watched. Its *series* are the URL with one number left open (`?f=2&page=#`): a list
whose further pages repeat is left for that list only. Its *kind* has all numbers and tokens open
(`/maze/#`): a kind whose pages are copies of each other, or lead nowhere but to themselves, is left as a
whole. One useful page resets the count, so that real torrents are never given up.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct, field

PAGES_THAT_REPEAT = 3
"""Repeated pages of a paginated list before it is left."""
COPIES = 30
"""Copies in a row before a kind, or a series that is no pagination, is left."""
GROWING = 40
"""Pages of an ever growing number, each leading only to the next, before the series is left."""
BARREN = 60
"""Pages without use that lead only to their own kind before the kind is left.

What was of use before is given five times as many pages of each sort, or two for each page that was of use if
that is more: the last torrents of a site are the rarest."""
NEAR = 3
"""Fingerprints that differ in at most this many bits are one page."""
MAX_WATCHED = 4096
_RECENT = 16
_MOST_LINKS = 20

_NUMBER = re.compile(r"\d+")
_OPEN_VALUE = re.compile(r"^(?=.*\d)[\w.%~-]+$|^[\w%-]{24,}$")
_PAGE_SLOT = re.compile(
    r"(?i)(?:[?&;](?:page|p|pg|paged|start|offset|from|st|cursor)=|/page[/-]?|[-_]p(?:age)?[-_]?)$"
)


class TrapVerdict(Struct, frozen=True):
    """Leave the URLs of `pattern` alone from now on."""

    pattern: str
    reason: str
    """pagination_repeats, copies, growing_number or barren."""


class _Track(Struct):
    """What was seen of one series or kind since its last useful page."""

    recent: deque[int] = field(default_factory=lambda: deque(maxlen=_RECENT))
    copies: int = 0
    barren: int = 0
    growing: int = 0
    largest: int = -1
    useful: int = 0

    def patience(self, pages: int) -> int:
        """How many pages without use it is given, where one that never was of use is given `pages`."""
        return max(5 * pages, 2 * self.useful) if self.useful else pages

    def is_copy(self, fingerprint: int, near: int) -> bool:
        return any((fingerprint ^ other).bit_count() <= near for other in self.recent)


def kind_of(url: str) -> str:
    """The URL without host, all numbers and tokens open: `/view/#`, `/forum.php?mod=viewthread&tid=#`."""
    path, _, query = _path_and_query(url).partition("?")
    segments = ["#" if _is_open(segment) else _NUMBER.sub("#", segment) for segment in path.split("/")]
    names = []
    for part in sorted(query.split("&"))[:50] if query else []:
        name, equals, value = part.partition("=")
        names.append(f"{name}={'#' if len(value) > 20 or _is_open(value) else value}" if equals else name)
    return "/".join(segments) + ("?" + "&".join(names) if names else "")


def _is_open(text: str) -> bool:
    return _OPEN_VALUE.match(text) is not None


def _path_and_query(url: str) -> str:
    rest = url[:2048].partition("#")[0]
    scheme = rest.find("://")
    if scheme >= 0:
        slash = rest.find("/", scheme + 3)
        rest = rest[slash:] if slash >= 0 else "/"
    return rest


def series_of(url: str) -> list[tuple[str, int, bool]]:
    """For each of the last four numbers: the URL with it open, the number, and whether it is a page's."""
    rest = _path_and_query(url)
    found = []
    for match in list(_NUMBER.finditer(rest))[-4:]:
        if len(match[0]) <= 15:
            before = rest[: match.start()]
            pattern = f"{before}#{rest[match.end() :]}"
            found.append((pattern, int(match[0]), _PAGE_SLOT.search(before[-24:]) is not None))
    return found


class TrapWatch:
    """Watches the pages of one site and says when a series or kind of URL leads nowhere.

    Bounded: the 4,096 tracks used last are kept, and every verdict comes after a bounded number of pages.
    """

    def __init__(self) -> None:
        self._tracks: OrderedDict[str, _Track] = OrderedDict()
        self._left: dict[str, str] = {}

    @property
    def left(self) -> dict[str, str]:
        """Pattern -> reason of what is left alone, for `harvest status`."""
        return dict(self._left)

    def recall(self, verdicts: Iterable[Mapping[str, object]]) -> None:
        """Take up the verdicts (`pattern`, `reason`) of an earlier run of the same crawl."""
        self._left.update({str(one.get("pattern")): str(one.get("reason")) for one in verdicts})

    def recall_useful(self, urls: Iterable[str]) -> None:
        """Be as patient with the kinds and series of these URLs as with any that were of use before."""
        for url in urls:
            for pattern, _, _ in series_of(url):
                self._track(pattern).useful += 1
            self._track("kind " + kind_of(url)).useful += 1

    def observe(
        self,
        url: str,
        fingerprint: int,
        *,
        useful: bool,
        feeds_itself: bool = False,
        leads_to: Sequence[str] = (),
    ) -> TrapVerdict | None:
        """Take in one fetched page.

        `fingerprint` is its 64-bit simhash. `useful`: it gave a torrent or an object that was not known.
        `feeds_itself`: it has links that were not known, and all of them are of its own `kind_of`. `leads_to`
        are those links: the folders of a mirror may look alike, and yet each leads to pages of a kind that
        was of use. A page behind a wall is not to be reported here: walls look alike.
        """
        verdict = None
        kind = kind_of(url)
        leads_on = cache(lambda: self._leads_on(kind, leads_to))
        for pattern, number, is_page in series_of(url):
            track = self._track(pattern)
            verdict = verdict or _judge_series(
                track,
                pattern,
                number,
                fingerprint,
                is_page=is_page,
                useful=useful,
                feeds=feeds_itself,
                leads_on=leads_on,
            )
        track = self._track("kind " + kind)
        verdict = verdict or _judge_kind(
            track, kind, fingerprint, useful=useful, feeds=feeds_itself, leads_on=leads_on
        )
        if verdict is not None:
            self._left[verdict.pattern] = verdict.reason
        return verdict

    def _leads_on(self, kind: str, links: Sequence[str]) -> bool:
        """Whether a page of `kind` leads to pages of another kind that was of use."""
        for link in links[:_MOST_LINKS]:
            other = kind_of(link)
            if other != kind:
                track = self._tracks.get("kind " + other)
                if track is not None and track.useful:
                    return True
        return False

    def refusal(self, url: str) -> str | None:
        """The reason why `url` is of a series or kind that was left, or None."""
        if not self._left:
            return None
        reason = self._left.get(kind_of(url))
        if reason is not None:
            return reason
        return next((self._left[pattern] for pattern, _, _ in series_of(url) if pattern in self._left), None)

    def _track(self, pattern: str) -> _Track:
        track = self._tracks.get(pattern)
        if track is None:
            track = self._tracks[pattern] = _Track()
            if len(self._tracks) > MAX_WATCHED:
                self._tracks.popitem(last=False)
        else:
            self._tracks.move_to_end(pattern)
        return track


def _judge_series(
    track: _Track,
    pattern: str,
    number: int,
    fingerprint: int,
    *,
    is_page: bool,
    useful: bool,
    feeds: bool,
    leads_on: Callable[[], bool],
) -> TrapVerdict | None:
    copy = track.is_copy(fingerprint, NEAR if is_page else 0)
    track.recent.append(fingerprint)
    track.growing = track.growing + 1 if number > track.largest and feeds and not useful else 0
    track.largest = max(track.largest, number)
    track.copies = track.copies + 1 if copy and not useful and not leads_on() else 0
    track.useful += useful
    if track.copies >= (PAGES_THAT_REPEAT if is_page else track.patience(COPIES)):
        return TrapVerdict(pattern, "pagination_repeats" if is_page else "copies")
    if track.growing >= track.patience(GROWING):
        return TrapVerdict(pattern, "growing_number")
    return None


def _judge_kind(
    track: _Track, kind: str, fingerprint: int, *, useful: bool, feeds: bool, leads_on: Callable[[], bool]
) -> TrapVerdict | None:
    copy = track.is_copy(fingerprint, NEAR)
    track.recent.append(fingerprint)
    if useful:
        track.copies = track.barren = 0
        track.useful += 1
        return None
    track.copies = track.copies + 1 if copy and not leads_on() else 0
    track.barren += feeds
    if track.copies >= track.patience(COPIES):
        return TrapVerdict(kind, "copies")
    if track.barren >= track.patience(BARREN):
        return TrapVerdict(kind, "barren")
    return None
