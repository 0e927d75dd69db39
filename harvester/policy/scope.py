"""Whether a URL belongs to the crawl of a site."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from harvester.model.site import SiteFile

MAX_URL = 2048


class Verdict(StrEnum):
    """What becomes of a link."""

    FETCH = "fetch"
    ONE_HOP = "one_hop"
    """A torrent on another host: fetched, through the guard, under that host's robots; no further."""
    RECORD = "record"
    """Kept as a link, not fetched."""


@dataclass(frozen=True, slots=True)
class ScopeDecision:
    """A verdict and, unless it is FETCH, a stable reason word (`off_site`, `too_deep`)."""

    verdict: Verdict
    reason: str = ""


def decide(site: SiteFile, url: str, depth: int, *, torrent: bool = False) -> ScopeDecision:
    """What becomes of the absolute `url`, `depth` links from a start page.

    `torrent` says that the link is expected to be a torrent file (its name, its rule or its row).
    """
    raise NotImplementedError
