"""What visits found, gathered into one batch for the store."""

from __future__ import annotations

from msgspec import Struct, field

from harvester.crawl.figures import Figures
from harvester.crawl.records import visited
from harvester.model.crawl import (
    Batch,
    Crawl,
    FoundUrl,
    FrontierItem,
    FrontierRef,
    HostState,
    LeftUrl,
    Reprioritised,
    Retry,
    RobotsText,
    Visited,
)
from harvester.model.stored import AnchorFound, Event, LinkFound, PageVersion, Parked, Source, TakenTorrent


class Findings(Struct):
    """Everything that one stretch of a crawl decided and has not yet committed.

    `figures` are the counters that belong to it; torrents are counted by the store's answer.
    `visits` counts finished visits, which is what closes a batch.
    """

    found: list[FoundUrl] = field(default_factory=list)
    met: list[int] = field(default_factory=list)
    done: list[FrontierRef] = field(default_factory=list)
    retries: list[Retry] = field(default_factory=list)
    returned: list[FrontierRef] = field(default_factory=list)
    reprioritised: list[Reprioritised] = field(default_factory=list)
    visited: list[Visited] = field(default_factory=list)
    pages: list[PageVersion] = field(default_factory=list)
    anchors: list[AnchorFound] = field(default_factory=list)
    torrents: list[TakenTorrent] = field(default_factory=list)
    links: list[LinkFound] = field(default_factory=list)
    shown: list[Source] = field(default_factory=list)
    parked: list[Parked] = field(default_factory=list)
    unparked: list[int] = field(default_factory=list)
    left: list[LeftUrl] = field(default_factory=list)
    robots: list[RobotsText] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)
    visits: int = 0

    @property
    def empty(self) -> bool:
        """Whether there is nothing to commit."""
        return not (
            self.visits
            or self.found
            or self.returned
            or self.retries
            or self.robots
            or self.events
            or self.done
            or self.figures.requests
        )

    def leave(self, reason: str, url: str) -> None:
        """A URL is not fetched, or its content not taken."""
        self.figures.left[reason] += 1
        self.left.append(LeftUrl(reason, url))

    def park(self, item: FrontierItem, kind: str, opens: str, now: float) -> None:
        """A claimed URL waits for what `opens` says; `kind` is its wall."""
        self.figures.walls[kind] += 1
        self.parked.append(
            Parked(
                key_hash=item.key_hash,
                url=item.url,
                kind=kind,
                since=now,
                opens=opens,
                page_url=item.referrer,
                anchor=item.hint,
                role=item.role,
                rule=item.rule,
                depth=item.depth,
            )
        )

    def pass_by(self, item: FrontierItem, reason: str, now: float) -> None:
        """A claimed URL is done with, without having been asked for."""
        self.done.append(item.ref)
        self.leave(reason, item.url)
        self.visited.append(visited(item, now, "left", reason))

    def settled(self) -> set[FrontierRef]:
        """The claims that these findings already dispose of."""
        return {*self.done, *self.returned, *(retry.ref for retry in self.retries)}

    def batch(self, crawl: Crawl, now: float, hosts: list[HostState], *, only_unknown: bool = False) -> Batch:
        """The batch that commits these findings."""
        return Batch(
            crawl=crawl,
            now=now,
            found=self.found,
            met=self.met,
            done=self.done,
            retries=self.retries,
            returned=self.returned,
            reprioritised=self.reprioritised,
            visited=self.visited,
            pages=self.pages,
            anchors=self.anchors,
            torrents=self.torrents,
            links=self.links,
            shown=self.shown,
            parked=self.parked,
            unparked=self.unparked,
            left=self.left,
            hosts=hosts,
            robots=self.robots,
            events=self.events,
            figures=_increments(self.figures),
            only_unknown=only_unknown,
        )


def _increments(figures: Figures) -> dict[str, int]:
    increments = {"requests": figures.requests, "pages": figures.pages}
    increments.update({f"walls.{kind}": count for kind, count in figures.walls.items()})
    increments.update({f"errors.{kind}": count for kind, count in figures.errors.items()})
    return {name: count for name, count in increments.items() if count}
