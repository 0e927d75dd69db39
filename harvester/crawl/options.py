"""What a person may ask of one crawl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from harvester.crawl.figures import Figures
from harvester.ordering import DEFAULT_ORDER


class CrawlOptions(Struct, frozen=True):
    """Limits of one run, on top of the site file's.

    `max_requests` and `max_seconds` stop the run, which goes on the next time. `delay` replaces the site
    file's (seconds; it is still never less than a second outside loopback). `owner` names the leases of
    this process. `concurrency` is how many hosts are asked at once.
    `warc` names a folder that keeps every exchange as it went over the wire. `order` names a crawl order
    (`harvester.ordering`), `order_settings` are its numbers.
    """

    max_requests: int | None = None
    max_seconds: float | None = None
    delay: float | None = None
    owner: str = "harvest"
    concurrency: int = 16
    order: str = DEFAULT_ORDER
    order_settings: Mapping[str, float] = field(default_factory=dict)
    warc: Path | None = None


class Progress(Struct, frozen=True):
    """A running crawl at one moment; `seconds` since this run began, `queue` URLs waiting."""

    site: str
    figures: Figures
    queue: int
    seconds: float
    activity: str = ""


class Obstacle(StrEnum):
    """What kept a run from even beginning."""

    NONE = ""
    UNREACHABLE = "unreachable"
    ROBOTS = "robots"
    """robots.txt could not be had, which closes the site (RFC 9309 2.3.1.4)."""


class CrawlReport(Struct, frozen=True):
    """How a run ended: `state` is the crawl's (`finished`, `stopped`, `failed`), `reason` in words.

    `figures` are those of this run; `resumed` says that it went on with an unfinished crawl.
    """

    site: str
    crawl_id: int
    state: str
    reason: str
    figures: Figures
    seconds: float
    resumed: bool = False
    obstacle: Obstacle = Obstacle.NONE


OnProgress = Callable[[Progress], None]
