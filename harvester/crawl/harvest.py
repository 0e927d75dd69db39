"""What one readable page gives: torrents it names, links to follow, links to record, links to leave."""

from __future__ import annotations

import re
from collections import defaultdict

from msgspec import Struct, field
from msgspec.structs import replace

from harvester.crawl.admission import OPENED_BY_DECISION, Admission, Fate
from harvester.crawl.analysis import Page
from harvester.crawl.context import VisitContext
from harvester.crawl.findings import Findings
from harvester.crawl.taken import take_magnet
from harvester.errors import LinkRejected
from harvester.links import canonical_key, key_hash
from harvester.links.resolve import kind_of
from harvester.model.crawl import FoundUrl, FrontierItem
from harvester.model.link import Link, LinkKind, LinkSource, PageLinks
from harvester.model.order import Came, PageLink, PageSeen, Place
from harvester.model.redact import redact_url
from harvester.model.site import Role
from harvester.model.stored import AnchorFound, LinkFound, Parked, Source, TakenTorrent
from harvester.model.wall import WallKind
from harvester.patterns.learner.flips import looks_like_flip
from harvester.torrents.magnet import parse_magnet

TOO_DEEP = "too_deep"
"""The reason of `policy.scope` for a link beyond the depth of the scope."""
SUSPICIOUS_LAST = 1e15
"""The priority of a URL that looks like a trap."""

_PASSWORD = re.compile(r"""<input\b[^>]{0,300}\btype\s{0,5}=\s{0,5}["']?password\b""", re.I)
_TORRENTS = frozenset({LinkKind.MAGNET, LinkKind.INFOHASH})


def page_source(
    page_url: str, page_hash: int, link: Link, title: str, download_hash: int, wall: str = ""
) -> Source:
    """The sighting of a torrent that `page_url` names by `link`; `wall` is what it stood behind."""
    return Source(
        page_url=page_url,
        page_hash=page_hash,
        download_url=link.url,
        download_hash=download_hash,
        title=title,
        anchor=link.anchor,
        wall=wall,
    )


class PageGave(Struct):
    """What was new on a page: torrents and downloads, and the URLs of pages it leads to."""

    torrents: int = 0
    magnets: int = 0
    repeated: int = 0
    links: list[str] = field(default_factory=list)


def row_count(links: PageLinks) -> int:
    """The length of the longest list of repeated siblings that hold links to pages."""
    rows: defaultdict[int, set[int]] = defaultdict(set)
    for link in links.links:
        if link.row is not None and link.kind is not LinkKind.ASSET:
            rows[link.row.group].add(link.row.index)
    return max((len(indexes) for indexes in rows.values()), default=0)


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
        redirects: tuple[str, ...] = (),
    ) -> None:
        self._context = context
        self._item = item
        self._page = page
        self._url = url
        self._findings = findings
        self._now = now
        self._redirects = redirects
        self._title = page.text.heading or page.text.title if page.text is not None else ""
        self._gave = PageGave()
        self._key = canonical_key(url)
        self._depth = context.depths.of(item.key_hash, item.depth)

    def take(self) -> PageGave:
        """Put what the page gives into the findings; say what of it is news to this run."""
        followed: list[tuple[Link, Admission]] = []
        for link in self._links():
            if link.chain and link.kind not in _TORRENTS:
                self._record(link, link.chain[0])
            if link.kind in _TORRENTS:
                self._magnet(link)
                continue
            admission = self._context.admissions.judge(link, self._depth_of(link))
            match admission.fate:
                case Fate.FETCH:
                    followed.append((link, admission))
                case Fate.RECORD:
                    self._not_followed(link, admission)
                case Fate.PARK:
                    kind = "robots" if admission.reason.startswith("robots") else admission.reason
                    self._park(link, admission, kind, OPENED_BY_DECISION)
                case Fate.LEAVE:
                    self._leave(link, admission)
        self._follow(self._without_priced(followed))
        return self._gave

    def _without_priced(self, followed: list[tuple[Link, Admission]]) -> list[tuple[Link, Admission]]:
        """What is followed, without the files that would take the member's points; those are parked."""
        account = self._context.account
        files = {link.url for link, admission in followed if admission.role == Role.DOWNLOAD.value}
        if account is None or not files:
            return followed
        priced = account.for_points(self._url, self._page, files)
        for link, admission in followed:
            if link.url in priced:
                self._park(link, admission, WallKind.PAY.value, priced[link.url])
        return [pair for pair in followed if pair[0].url not in priced] if priced else followed

    def _depth_of(self, link: Link) -> int:
        """Links away from a start page, by which the scope is bounded.

        A file belongs to the page that shows it. The further pages of a list lie no deeper than its first: a
        board may have more of them than a site has levels.
        """
        is_next = link.url == self._page.links.next
        stays = link.kind is LinkKind.DOWNLOAD
        stays = stays or looks_like_flip(self._key, link.key, link.anchor, is_next=is_next)
        return self._depth + (not stays)

    def _links(self) -> list[Link]:
        links = list(self._page.links.links)
        for url in (self._page.links.next, self._page.links.refresh, *self._feeds()):
            if url is not None:
                links.append(Link(url, canonical_key(url), kind_of(url), LinkSource.META))
        return links

    def _feeds(self) -> tuple[str, ...]:
        """Feeds of a page, and sitemaps that an index names: an index of indexes could go on for ever."""
        feeds = self._page.links.feeds
        if self._page.kind == "feed":
            feeds = feeds[: self._context.sitemaps]
            self._context.sitemaps -= len(feeds)
        return feeds

    def _follow(self, followed: list[tuple[Link, Admission]]) -> None:
        met, links = self._context.met, list[PageLink]()
        on_this_page: dict[int, int] = {}
        named: list[tuple[Link, Admission]] = []
        known_before: list[tuple[Link, Admission]] = []
        for link, admission in followed:
            if link.anchor and self._context.anchors.is_news(admission.key_hash, link.anchor):
                self._findings.anchors.append(AnchorFound(admission.key_hash, link.anchor))
            place = on_this_page.setdefault(admission.key_hash, len(links))
            if place < len(links):
                if len(link.anchor) > len(links[place].anchor):  # an icon often stands before the title
                    links[place] = replace(links[place], anchor=link.anchor)
                continue
            is_download = admission.role == Role.DOWNLOAD.value
            self._context.depths.meet(admission.key_hash, self._depth_of(link))
            known = is_download and admission.key_hash in self._context.downloads
            is_news = met.add(admission.key_hash) and not known
            links.append(self._page_link(link, admission, fresh=is_news))
            if is_news:
                named.append((link, admission))
            elif is_download:
                self._seen_again(link, admission)
            else:
                known_before.append((link, admission))
        places = self._context.guide.seen(self._seen(tuple(links)))
        for (link, admission), given in zip(named, places, strict=True):
            if not given.drop:
                self._queue(link, admission, given)
        also = self._context.guide.also
        for link, admission in known_before if also else ():
            if admission.key_hash in also:
                self._queue_again(link, admission, also[admission.key_hash])

    def _queue(self, link: Link, admission: Admission, place: Place) -> None:
        role = admission.role or place.role
        is_download = role == Role.DOWNLOAD.value
        if is_download:
            self._is_sighting(admission.key_hash)
            self._gave.torrents += 1
        else:
            self._gave.links.append(link.url)
        hint = (link.title or link.anchor or self._title)[:200] if is_download else ""
        self._findings.found.append(self._found(link, admission, place, role, hint))

    def _queue_again(self, link: Link, admission: Admission, place: Place) -> None:
        """A second place for a URL that waits; where its turn comes later, it is left out as read."""
        if not admission.suspicious:
            found = self._found(link, admission, place, admission.role or place.role, "")
            self._findings.found.append(replace(found, seen=False))

    def _found(self, link: Link, admission: Admission, place: Place, role: str, hint: str) -> FoundUrl:
        return FoundUrl(
            url=link.url,
            host=admission.host,
            key_hash=admission.key_hash,
            priority=SUSPICIOUS_LAST if admission.suspicious else place.priority,
            depth=self._depth_of(link),
            role=role,
            rule=admission.rule,
            hint=hint,
            page_hash=self._item.key_hash,
            tunnel=place.note,
        )

    def _page_link(self, link: Link, admission: Admission, *, fresh: bool) -> PageLink:
        return PageLink(
            url=link.url,
            host=admission.host,
            key_hash=admission.key_hash,
            role=admission.role,
            rule=admission.rule,
            depth=self._depth + 1,
            anchor=link.anchor,
            row=(link.row.group, link.row.index) if link.row is not None else None,
            fresh=fresh,
            is_next=link.url == self._page.links.next,
            download=admission.role == Role.DOWNLOAD.value,
        )

    def _seen(self, links: tuple[PageLink, ...]) -> PageSeen:
        item, page, marks = self._item, self._page, self._page.links.marks
        fingerprint = page.text.fingerprint if page.text is not None else None
        return PageSeen(
            url=item.url,
            host=item.host,
            key_hash=item.key_hash,
            came=Came.PAGE,
            final_url=self._url,
            redirects=self._redirects,
            depth=self._depth,
            role=item.role,
            rule=item.rule,
            note=item.tunnel,
            priority=item.ref.priority,
            torrents=self._gave.magnets,
            repeated=self._gave.repeated,
            links=links,
            row_count=row_count(page.links),
            password_form=_PASSWORD.search(page.html) is not None,
            fingerprint=fingerprint.simhash if fingerprint is not None else None,
            page_key=fingerprint.exact.to_bytes(8, "big") if fingerprint and fingerprint.shingles else b"",
            title=self._title,
            marks={(row.group, row.index): names for row, names in marks.items()}
            if marks is not None
            else None,
        )

    def _seen_again(self, link: Link, admission: Admission) -> None:
        """Another page shows a download that was met before: one more sighting of its torrent."""
        if not self._is_sighting(admission.key_hash):
            return
        source = self._source(link, admission.key_hash)
        match self._context.downloads.seen_again(source):
            case TakenTorrent() as sighting:
                self._findings.torrents.append(sighting)
            case Source():
                self._findings.shown.append(source)

    def _magnet(self, link: Link) -> None:
        try:
            magnet = parse_magnet(link.url)
        except LinkRejected as error:
            self._leave(link, Admission(Fate.LEAVE, f"magnet:{error.reason}"))
            return
        is_news = self._context.met.add(key_hash(link.key or link.url))
        self._gave.torrents += is_news
        self._gave.magnets += is_news
        self._gave.repeated += not is_news
        source = self._source(link, self._context.admissions.identity(link))
        if self._is_sighting(source.download_hash):
            self._findings.torrents.append(take_magnet(magnet, source))

    def _is_sighting(self, download_hash: int) -> bool:
        """Whether the page did not show this download before in this run."""
        return self._context.sighted.add(hash((self._item.key_hash, download_hash)))

    def _source(self, link: Link, key: int) -> Source:
        account = self._context.account
        wall = account.parked.behind.get(key, "") if account is not None else ""
        return page_source(self._url, self._item.key_hash, link, self._title, key, wall)

    def _not_followed(self, link: Link, admission: Admission) -> None:
        if admission.reason == TOO_DEEP:
            identity = self._context.admissions.identity(link)
            self._context.depths.cut(self._item, self._depth, identity)
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
        self._findings.leave(admission.reason, redact_url(link.url))

    def _park(self, link: Link, admission: Admission, kind: str, opens: str) -> None:
        self._findings.figures.walls[kind] += 1
        self._findings.parked.append(
            Parked(
                key_hash=admission.key_hash,
                url=link.url,
                kind=kind,
                since=self._now,
                opens=opens,
                page_url=self._url,
                anchor=link.anchor,
                role=admission.role,
                rule=admission.rule,
                depth=self._depth_of(link),
            )
        )
