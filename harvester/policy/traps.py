"""Spider traps: shapes of URLs that never end, and pages that only repeat themselves."""

from __future__ import annotations

from dataclasses import dataclass


def url_trap(url: str) -> str | None:
    """The name of the trap that the URL's shape shows (`path_depth`, `repeated_segments`), or None."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TrapVerdict:
    """Leave the URLs of `pattern` alone from now on."""

    pattern: str
    reason: str


class TrapWatch:
    """Watches the pages of one site and says when a kind of URL leads nowhere; bounded memory."""

    def observe(self, url: str, fingerprint: int, *, useful: bool) -> TrapVerdict | None:
        """Take in one fetched page; `useful` when it gave a new torrent or a new object."""
        raise NotImplementedError

    def refusal(self, url: str) -> str | None:
        """The reason why `url` is of a kind that was left, or None."""
        raise NotImplementedError
