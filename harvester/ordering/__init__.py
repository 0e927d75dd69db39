"""Crawl orders: which URL next. One module each, registered by name.

An order is a pure object that lives as long as one run. It sees every visit, gives every fresh link a
priority, and says what to claim next; the queue itself is the caller's (a table, or
`ordering.memory.MemoryFrontier`). Randomness comes from the seed it is made with, so that the same visits
give the same order. Memory is bounded whatever the site.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar, Protocol

from harvester.errors import UsageError
from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import PageLink, PageSeen, Place, Turn
from harvester.patterns.learner import Learner

MOST_BANDS = 4000
"""An order tells no more bands of priorities apart in a run."""
DEFAULT_ORDER = "bandit"


@dataclass(frozen=True, slots=True)
class OrderOptions:
    """What an order is made with.

    `learner` is shared with the crawl, which lets it see each visit before the order does. `seed` feeds
    the order's own random generator. `start` are the start pages. `settings` are numbers by name that an
    order may be tuned with (each order documents its own); unknown names are ignored.
    """

    learner: Learner
    seed: int = 0
    start: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)


class Order(Protocol):
    """A crawl order.

    `window`: how many URLs of one host may be claimed ahead (a small one follows what is learned more
    closely). `lifo`: of URLs with one priority, the newest goes first.
    """

    name: ClassVar[str]
    lifo: ClassVar[bool]

    @property
    def review_every(self) -> int:
        """Visits between two calls of `review`, 0 for never."""
        ...

    @property
    def window(self) -> int:
        """URLs of one host that may be claimed ahead."""
        ...

    def resume(self, first: int, memory: Mapping[str, object]) -> None:
        """An earlier run's URLs are queued; the bands it gave are below `first`.

        `memory` is what that run's order wrote last, or something else, which is not heeded.
        """
        ...

    def memory(self) -> dict[str, object]:
        """What a run that goes on after this one needs to know, as JSON takes it; bounded."""
        ...

    def observe(self, seen: PageSeen) -> None:
        """Take in one visit. Called once for each, before `place` is for its links."""
        ...

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """A place for each of `links`, the fresh ones of `seen.links` in their order."""
        ...

    def also(self, seen: PageSeen) -> dict[int, Place]:
        """Second places, by key hash, for links of a page that wait in the queue already.

        Called after `place`. What was visited by then is left out when its second turn comes.
        """
        ...

    def turns(self, full: Collection[str] = (), *, hosts: int = 1, each: int = 4) -> list[Turn]:
        """What to claim next, the most wanted first; hosts in `full` have no room for more.

        Up to `each` turns for each of up to `hosts` hosts, of which no two share priorities; an order may
        as well offer turns that name no host. The caller goes through them until it has what it needs, and
        claims whatever is left when all of them came back empty.
        """
        ...

    def claimed(self, turn: Turn, count: int) -> None:
        """A claim by `turn` brought `count` URLs; fewer than it asked for: no more wait there."""
        ...

    def best(self) -> float:
        """Torrents a request that the best of what waits may give; 1 when the order has no idea."""
        ...

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Other priorities for some of what is queued (reference and URL)."""
        ...


OrderFactory = Callable[[OrderOptions], Order]
_ORDERS: dict[str, OrderFactory] = {}


def register(name: str) -> Callable[[OrderFactory], OrderFactory]:
    """Class decorator: the order is known by `name`."""

    def add(factory: OrderFactory) -> OrderFactory:
        _ORDERS[name] = factory
        return factory

    return add


def order_names() -> list[str]:
    """The names of all orders, by alphabet."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return sorted(_ORDERS)


def check_order(name: str) -> None:
    """Raise `UsageError` when there is no order of that name."""
    names = order_names()
    if name not in names:
        raise UsageError(f"there is no crawl order named {name!r}", hint=f"known: {', '.join(names)}")


def make_order(name: str, options: OrderOptions) -> Order:
    """A fresh order; `UsageError` when there is none of that name."""
    check_order(name)
    return _ORDERS[name](options)
