"""What is written down of one visit: its line in the history, and the version of a page."""

from __future__ import annotations

from msgspec.structs import replace

from harvester.crawl.analysis import Page
from harvester.model.crawl import FrontierItem, UrlState, Visited
from harvester.model.http import Response
from harvester.model.redact import redact_url
from harvester.model.stored import PageVersion


def visited(item: FrontierItem, at: float, state: UrlState, outcome: str) -> Visited:
    """What the history keeps of a visit to a claimed URL, before anything is known of an answer."""
    return Visited(
        key_hash=item.key_hash,
        url=item.url,
        at=at,
        state=state,
        outcome=outcome,
        role=item.role,
        rule=item.rule,
        depth=item.depth,
    )


def signed(value: int) -> int:
    """An unsigned 64-bit number as the signed one that a database column holds."""
    return value - (1 << 64) if value >= 1 << 63 else value


def answered(visit: Visited, response: Response) -> Visited:
    """The visit with what is worth keeping of its answer; validators only of a whole one."""
    visit = replace(visit, status=response.status, size=len(response.body), seconds=response.elapsed)
    if response.status != 200:
        return visit
    return replace(
        visit,
        etag=response.headers.get("etag")[:200],
        last_modified=response.headers.get("last-modified")[:64],
    )


def without_keys(version: PageVersion) -> PageVersion:
    """A member's page without the keys of the member's session in its links."""
    return replace(version, links=[(redact_url(url), anchor) for url, anchor in version.links])


def page_version(item: FrontierItem, page: Page, url: str, digest: bytes, now: float) -> PageVersion:
    assert page.text is not None
    return PageVersion(
        key_hash=item.key_hash,
        url=url,
        reversed_host=".".join(reversed(item.host.partition(":")[0].split("."))),
        at=now,
        digest=digest,
        title=page.text.title,
        text=page.text.main_text,
        links=[(link.url, link.anchor) for link in page.links.links],
        language=page.text.language,
        fingerprint=signed(page.text.fingerprint.simhash),
        heading=page.text.heading,
    )
