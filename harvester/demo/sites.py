"""Starting and ending the demo sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from harvester.demo.forum import DiscuzForum
from harvester.demo.index import TorrentIndex
from harvester.demo.server import Request, Response, SiteState, SiteThread, loopback_socket, origin_of
from harvester.demo.truth import TruthRow

ACCOUNT = ("demo", "demo-password")
"""Name and password that the demo forum knows; made up, and of use nowhere else."""


class DemoSite(Protocol):
    """One bundled site. A new one is a module with such a class, named in `MAKERS`."""

    @property
    def name(self) -> str:
        """Its name in site files: `demo-forum`."""

    @property
    def url(self) -> str:
        """Its start page."""

    @property
    def state(self) -> SiteState:
        """What it has seen so far."""

    def truth(self) -> Sequence[TruthRow]:
        """Every torrent it holds."""

    async def answer(self, request: Request) -> Response:
        """Answer one request."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """How the demo sites behave.

    `flood_seconds` is the least time between two replies of one member; with `captcha` the forum's login
    form asks for one, the others are as in `DiscuzForum`.
    """

    flood_seconds: float = 15.0
    captcha: bool = False
    points: bool = False
    reply_captcha: bool = False
    ajax: bool = False
    strict_robots: bool = False
    second_step: bool = False


MAKERS: dict[str, Callable[[str, DemoOptions], DemoSite]] = {
    DiscuzForum.name: lambda origin, options: DiscuzForum(
        origin,
        ACCOUNT,
        options.flood_seconds,
        captcha=options.captcha,
        points=options.points,
        reply_captcha=options.reply_captcha,
        ajax=options.ajax,
        strict_robots=options.strict_robots,
        second_step=options.second_step,
    ),
    TorrentIndex.name: lambda origin, _: TorrentIndex(origin),
}
"""A maker by name; it is given the site's origin (no slash at the end) and the options."""


class DemoSites:
    """The running demo sites; `close` or the end of the `with` block stops them."""

    def __init__(self, sites: dict[str, DemoSite], thread: SiteThread) -> None:
        self.sites = sites
        self._thread = thread

    @property
    def forum(self) -> DemoSite:
        """The Chinese forum."""
        return self.sites[DiscuzForum.name]

    @property
    def index(self) -> DemoSite:
        """The torrent index."""
        return self.sites[TorrentIndex.name]

    @property
    def forum_url(self) -> str:
        """The forum's start page."""
        return self.forum.url

    @property
    def index_url(self) -> str:
        """The index's start page."""
        return self.index.url

    @property
    def truth(self) -> tuple[TruthRow, ...]:
        """Every torrent of every site."""
        return tuple(row for site in self.sites.values() for row in site.truth())

    def close(self) -> None:
        """Stop serving; nothing of the sites is left running."""
        self._thread.close()

    def __enter__(self) -> DemoSites:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def start_demo(names: Sequence[str] | None = None, options: DemoOptions | None = None) -> DemoSites:
    """Start the named demo sites (all of them by default) on free loopback ports, in one background thread.

    They answer when this returns, also to a caller that runs an event loop of its own.
    """
    listeners = {name: loopback_socket() for name in (names or MAKERS)}
    options = options or DemoOptions()
    sites = {name: MAKERS[name](origin_of(listener), options) for name, listener in listeners.items()}
    thread = SiteThread([(sites[name].answer, listeners[name]) for name in listeners], name="demo")
    return DemoSites(sites, thread)
