"""What one readable page gives: torrents it names, links to follow, links to record, links to leave."""

from __future__ import annotations

from dataclasses import dataclass, field

from harvester.crawl.admission import Admission, Fate
from harvester.crawl.analysis import Page
from harvester.crawl.context import VisitContext
from harvester.crawl.findings import Findings
from harvester.crawl.taken import take_magnet
from harvester.errors import LinkRejected
from harvester.links import canonical_key, key_hash
from harvester.model.crawl import FoundUrl, FrontierItem, LeftUrl
from harvester.model.link import Link, LinkKind, LinkSource
from harvester.model.redact import redact_url
from harvester.model.site import Role
from harvester.model.stored import LinkFound, Parked, Source
from harvester.torrents.magnet import parse_magnet

DOWNLOAD_FIRST = -1000.0
"""Added to the priority of a download: it is what the crawl is for, and leads no further."""

SUSPICIOUS_LAST = 500.0
"""Added to the priority of a URL that looks like a trap."""

_TORRENTS = frozenset({LinkKind.MAGNET, LinkKind.INFOHASH})


def page_source(page_url: str, page_hash: int, link: Link, title: str, download_hash: int) -> Source:
    """The sighting of a torrent that `page_url` names by `link`."""
    return Source(
        page_url=page_url,
        page_hash=page_hash,
        download_url=link.url,
        download_hash=download_hash,
        title=title,
        anchor=link.anchor,
    )


@dataclass(slots=True)
class PageGave:
    """What was new on a page: torrents and downloads, and the URLs of pages it leads to."""

    torrents: int = 0
    links: list[str] = field(default_factory=list)


def _priority(depth: int, admission: Admission, *, is_download: bool) -> float:
    if is_download:
        return depth + DOWNLOAD_FIRST
    return depth + (SUSPICIOUS_LAST if admission.suspicious else 0.0)


class PageHarvest:
    """Goes once through the links of a page."""

    def __init__(
        self,
        context: VisitContext,
        item: FrontierItem,
        page: Page,
        url: str,
        findings: Findings,
        now: float,
    ) -> None:
        self._context = context
        self._item = item
        self._page = page
        self._url = url
        self._findings = findings
        self._now = now
        self._title = page.text.heading or page.text.title if page.text is not None else ""
        self._gave = PageGave()

    def take(self) -> PageGave:
        """Put what the page gives into the findings; say what of it is news to this run."""
        followed: list[tuple[Link, Admission]] = []
        for link in self._links():
            if link.chain and link.kind not in _TORRENTS:
                self._record(link, link.chain[0])
            if link.kind in _TORRENTS:
                self._magnet(link)
                continue
            admission = self._context.admissions.judge(link, self._item.depth + 1)
            match admission.fate:
                case Fate.FETCH:
                    followed.append((link, admission))
                case Fate.RECORD:
                    self._not_followed(link, admission)
                case Fate.PARK:
                    self._park(link, admission)
                case Fate.LEAVE:
                    self._leave(link, admission)
        self._follow(followed)
        return self._gave

    def _links(self) -> list[Link]:
        links = list(self._page.links.links)
        for url in (self._page.links.next, self._page.links.refresh, *self._page.links.feeds):
            if url is not None:
                links.append(Link(url=url, key=canonical_key(url), source=LinkSource.META))
        return links

    def _follow(self, followed: list[tuple[Link, Admission]]) -> None:
        depth = self._item.depth + 1
        met, on_this_page = self._context.met, set()
        for link, admission in followed:
            is_download = admission.role == Role.DOWNLOAD.value
            is_news = met.add(admission.key_hash)
            if admission.key_hash in on_this_page:
                continue
            if not is_news:
                if is_download:
                    self._seen_again(link, admission)
                continue
            if is_download:
                self._gave.torrents += 1
            else:
                self._gave.links.append(link.url)
            on_this_page.add(admission.key_hash)
            self._findings.found.append(
                FoundUrl(
                    url=link.url,
                    host=admission.host,
                    key_hash=admission.key_hash,
                    priority=_priority(depth, admission, is_download=is_download),
                    depth=depth,
                    role=admission.role,
                    rule=admission.rule,
                    hint=(link.title or link.anchor or self._title)[:200] if is_download else "",
                    page_hash=self._item.key_hash,
                )
            )

    def _seen_again(self, link: Link, admission: Admission) -> None:
        """Another page shows a download that was met before: one more sighting of its torrent."""
        source = page_source(self._url, self._item.key_hash, link, self._title, admission.key_hash)
        sighting = self._context.downloads.seen_again(source)
        if sighting is not None:
            self._findings.torrents.append(sighting)

    def _magnet(self, link: Link) -> None:
        try:
            magnet = parse_magnet(link.url)
        except LinkRejected as error:
            self._leave(link, Admission(Fate.LEAVE, f"magnet:{error.reason}"))
            return
        self._gave.torrents += self._context.met.add(key_hash(link.key or link.url))
        source = page_source(
            self._url, self._item.key_hash, link, self._title, key_hash(link.key or link.url)
        )
        self._findings.torrents.append(take_magnet(magnet, source))

    def _not_followed(self, link: Link, admission: Admission) -> None:
        if admission.reason in ("ftp", "ed2k"):
            self._record(link, admission.reason)
        else:
            self._leave(link, admission)

    def _record(self, link: Link, scheme: str) -> None:
        self._findings.links.append(
            LinkFound(key_hash(link.key or link.url), scheme, link.url, self._url, link.anchor)
        )

    def _leave(self, link: Link, admission: Admission) -> None:
        if admission.reason == "asset" or not self._context.met.add(hash((admission.reason, link.url))):
            return
        self._findings.left.append(LeftUrl(admission.reason, redact_url(link.url)))
        self._findings.figures.left[admission.reason] += 1

    def _park(self, link: Link, admission: Admission) -> None:
        kind = "robots" if admission.reason.startswith("robots") else admission.reason
        self._findings.figures.walls[kind] += 1
        self._findings.parked.append(
            Parked(
                key_hash=admission.key_hash,
                url=link.url,
                kind=kind,
                since=self._now,
                opens="the operator's recorded decision in the site file (robots: account_actions)",
                page_url=self._url,
                anchor=link.anchor,
                role=admission.role,
                rule=admission.rule,
                depth=self._item.depth + 1,
            )
        )
