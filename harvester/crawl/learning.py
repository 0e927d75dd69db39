"""What a crawl learns while it runs: hands every visit to the learner and the order, and asks them back."""

from __future__ import annotations

from collections.abc import Sequence

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import PageLink, PageSeen, Place, Turn
from harvester.model.site import Rule, SiteFile


class Guide:
    """The learner and the order of one run.

    Driven the same way by the engine and by simulators: `seen` for each visit with all its followable
    links gives a place for each fresh one; `turns` says what to claim next.
    """

    def __init__(
        self, site: SiteFile, order: str = "bandit", *, known: Sequence[Rule] = (), seed: int = 0,
        settings: dict[str, float] | None = None,
    ) -> None:
        raise NotImplementedError

    def seen(self, seen: PageSeen) -> list[Place]:
        """Take in one visit; a place for each link of `seen.links` with `fresh`, in their order."""
        raise NotImplementedError

    def turns(self, full: Sequence[str] = ()) -> list[Turn]:
        """What to claim next, the most wanted first; hosts in `full` have no room."""
        raise NotImplementedError

    def empty(self, turn: Turn) -> None:
        """A claim by `turn` found nothing."""
        raise NotImplementedError

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Other priorities for what is queued, now and then."""
        raise NotImplementedError

    def rules(self) -> list[Rule]:
        """What was learned so far."""
        raise NotImplementedError
