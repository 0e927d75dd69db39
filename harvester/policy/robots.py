"""robots.txt (RFC 9309): what it says, and what it means for what Harvest does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from harvester.model.site import SiteFile

MAX_ROBOTS_BYTES = 500 * 1024
MAX_AGE = 24 * 3600.0


class ActionClass(StrEnum):
    """Why a request would be sent."""

    DISCOVERY = "discovery"
    ACCOUNT = "account"
    """Login, captcha, and torrents or attachments of the site."""
    POSTING = "posting"


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """The rules of one host (scheme, host, port) until `expires_at` (UTC seconds)."""

    expires_at: float
    closed: bool = False
    """Nothing may be fetched for now: robots.txt could not be had (5xx, unreachable)."""
    sitemaps: tuple[str, ...] = ()

    def allowed(self, url: str, agent: str) -> bool:
        """Whether `agent` (the product token or whole User-Agent) may fetch the URL."""
        raise NotImplementedError

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds between requests that the host asks for: Crawl-delay or Request-rate, the longer."""
        raise NotImplementedError


def parse_robots(body: bytes, status: int | None, *, now: float = 0.0) -> RobotsPolicy:
    """The policy that a robots.txt answer means; never raises. `status` None: unreachable."""
    raise NotImplementedError


def gate(site: SiteFile, action: ActionClass, url: str, robots: RobotsPolicy, agent: str) -> str | None:
    """Why the request may not be sent (`robots`, `robots_unavailable`, `reply_not_allowed`), or None."""
    raise NotImplementedError
