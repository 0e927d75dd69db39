"""What the demo torrent index lists: its own torrents, the forum's again, and the odd ones.

The odd ones: a torrent listed twice, the same infohash with other trackers, a v2 and a hybrid torrent, a
private one, a "torrent" that is an HTML error page, one served as text/plain, and magnets without a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from typing import Literal

from harvester.demo.catalogue import Entry, torrents_of
from harvester.demo.forum_threads import compose
from harvester.demo.seeds import MIB, TRACKERS, Seed, make_seed

CATEGORIES = {"1_1": "Software", "2_1": "Film", "3_1": "Literature", "4_1": "Data", "5_1": "Audio"}
_CODES = {"software": "1_1", "film": "2_1", "book": "3_1", "data": "4_1", "music": "5_1"}
USERS = ("openarchive", "mirrorbot", "kinoklub", "aozora", "深蓝搬运")

VARIANT_TRACKERS = ("udp://mirror.demo.example:2710/announce", "http://mirror.demo.example/announce")
FORUM_COPIES = 40
VARIANTS = 5
SIZE = 150
FIRST_NUMBER = 1001

Oddity = Literal["", "twice", "variant", "v2", "hybrid", "private", "error", "text", "magnet"]


@dataclass(frozen=True, slots=True)
class Listing:
    """One entry of the index; `number` is its id in URLs."""

    number: int
    title: str
    category: str
    seed: Seed
    oddity: Oddity = ""

    @property
    def user(self) -> str:
        """The submitter."""
        return USERS[self.number % len(USERS)]

    @property
    def published(self) -> int:
        """Seconds UTC; newer entries have higher numbers."""
        return 1_790_000_000 + self.number * 3_607

    @property
    def date(self) -> str:
        """When it was published, as feeds write it (RFC 5322)."""
        return formatdate(self.published, usegmt=True)

    @property
    def seeders(self) -> int:
        """A made-up number of seeders."""
        return self.number * 7 % 240

    @property
    def downloads(self) -> int:
        """A made-up number of completed downloads."""
        return self.number * 31 % 4000

    @property
    def magnet_only(self) -> bool:
        """There is no file, only the magnet."""
        return self.oddity == "magnet"

    @property
    def magnet(self) -> str:
        """Its magnet link."""
        return self.seed.magnet(TRACKERS[2])


def _odd() -> Iterator[tuple[str, str, Seed, Oddity]]:
    disc = [
        ("images/disc-1.img", 700 * MIB + 77),
        ("images/disc-2.img", 650 * MIB + 3),
        ("readme.txt", 3_000),
    ]
    v2 = make_seed("OpenBSD-7.7-amd64-v2", disc, kind="v2", trackers=TRACKERS[:2])
    yield "OpenBSD 7.7 amd64 [BitTorrent v2]", "1_1", v2, "v2"
    hybrid = make_seed("NetBSD-10.1-amd64-hybrid", disc, kind="hybrid", trackers=TRACKERS[:2])
    yield "NetBSD 10.1 amd64 [hybrid]", "1_1", hybrid, "hybrid"
    private = make_seed("校内课程录像 第1讲.mp4", [("校内课程录像 第1讲.mp4", 512 * MIB)], private=True)
    yield "校内课程录像 第1讲 [private]", "2_1", private, "private"
    error = make_seed("lost-upload.iso", [("lost-upload.iso", 90 * MIB)])
    yield "Upload whose file was lost", "1_1", error, "error"
    text = make_seed("GIMP-3.0.4-x86_64.AppImage", [("GIMP-3.0.4-x86_64.AppImage", 290 * MIB)])
    yield "GIMP 3.0.4 AppImage", "1_1", text, "text"
    for part in (1, 2, 3):
        name = f"青空文庫 全作品 第{part}巻.zip"
        yield f"青空文庫 全作品 第{part}巻", "3_1", make_seed(name, [(name, (40 + part) * MIB)]), "magnet"


def _variant(entry: Entry) -> Seed:
    """The same info with other trackers: same infohash, other bytes."""
    seed = entry.seed
    return make_seed(seed.name, seed.files, trackers=VARIANT_TRACKERS, comment="mirror", age=1)


def _mixed() -> Iterator[tuple[str, str, Seed, Oddity]]:
    """Everything in a fixed order; the odd ones stand between the plain ones."""
    public = [
        offer.entry
        for thread in compose()
        for offer in thread.opening.offers
        if offer.wall == "none" and offer.part != "ed2k"
    ]
    for place, entry in enumerate(public[:FORUM_COPIES]):
        if place < VARIANTS:
            yield entry.title, _CODES[entry.topic], _variant(entry), "variant"
        else:
            yield entry.title, _CODES[entry.topic], entry.seed, ""
    yield from _odd()
    forum = {offer.entry.seed.infohash for thread in compose() for offer in thread.opening.offers}
    own = [
        [entry for entry in torrents_of(topic) if entry.seed.infohash not in forum]
        for topic in ("software", "film", "book", "data", "music")
    ]
    for position in range(max(map(len, own))):
        for entries in own:
            if position < len(entries):
                yield entries[position].title, _CODES[entries[position].topic], entries[position].seed, ""


def listings() -> list[Listing]:
    """The whole index, oldest first, the same at each call."""
    made = [
        Listing(FIRST_NUMBER + place, title, category, seed, oddity)
        for place, (title, category, seed, oddity) in enumerate(_mixed())
    ][: SIZE - 1]
    first = made[VARIANTS]
    again = Listing(
        FIRST_NUMBER + len(made), f"{first.title} (re-upload)", first.category, first.seed, "twice"
    )
    return [*made, again]
