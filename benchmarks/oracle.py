"""The bound that crawl orders are measured against: a crawler that knows what is behind every link.

The oracle knows the whole site before it begins. It pays one request for every page (the start page too),
every redirect on the way to it and every torrent file, and it may fetch only what a page that it has fetched
links to. Which pages then suffice for a share of the torrents is a node-weighted Steiner problem (NP-hard);
it is solved greedily with stars, after Klein and Ravi (1995): of all stars (an unfetched page, the cheapest
way to it from what is fetched, and some of the pages it links to), take the one that costs least for
each new torrent, until there are enough. What is found is therefore an upper estimate of the least number of
requests, and no crawler without foreknowledge comes near it.

Not in the graph: pages that the truth calls noise (profiles, search, jumps to a post), although a few of
them list threads.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

from benchmarks.simulators.base import CONTENT, SimResponse, Simulator, Target
from harvester.links import canonical_key, extract_links
from harvester.model.site import Role

_MOST_HOPS = 5


@dataclass(frozen=True, slots=True)
class PageNode:
    """A page: what it costs to fetch, what it links to, and what each torrent on it costs."""

    cost: int = 1
    links: tuple[str, ...] = ()
    torrents: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SiteGraph:
    """The pages of a site by identity, from `start`."""

    start: str
    pages: Mapping[str, PageNode]

    @property
    def torrents(self) -> frozenset[str]:
        """Every torrent that can be reached."""
        return frozenset(torrent for page in self.pages.values() for torrent in page.torrents)


# The greedy cover ----------------------------------------------------------------------------------


def lower_bound(graph: SiteGraph, share: float) -> int:
    """Requests of the oracle until it has `share` of the reachable torrents (see the module)."""
    needed = math.ceil(share * len(graph.torrents))
    trajectory = _Cover(graph, len(graph.torrents)).run()
    on_the_way = min(requests for requests, torrents in trajectory if torrents >= needed)
    return min(on_the_way, _Cover(graph, needed).run()[-1][0])


def trajectory(graph: SiteGraph) -> list[tuple[int, int]]:
    """(requests, torrents) after each step of the oracle on its way to all torrents."""
    return _Cover(graph, len(graph.torrents)).run()


class _Cover:
    """One run of the greedy cover until `needed` torrents are had."""

    def __init__(self, graph: SiteGraph, needed: int) -> None:
        self._pages = graph.pages
        self._start = graph.start
        self._needed = needed
        self._had: set[str] = set()
        self._fetched: set[str] = set()
        self._distance: dict[str, int] = {}
        """Requests to fetch a page and the unfetched ones on the cheapest way to it."""
        self._before: dict[str, str] = {}
        self._heap: list[tuple[float, str]] = []
        self._requests = 0

    def run(self) -> list[tuple[int, int]]:
        """(requests, torrents) after each step; the last has at least the torrents needed."""
        self._fetch([self._start])
        steps = [(self._requests, len(self._had))]
        while len(self._had) < self._needed:
            _, centre = heapq.heappop(self._heap)
            if centre in self._fetched and not self._pages[centre].links:
                continue
            price, leaves = self._star(centre)
            if math.isinf(price):
                continue
            if self._heap and price > self._heap[0][0]:
                heapq.heappush(self._heap, (price, centre))
                continue
            self._fetch([*self._way_to(centre), *leaves])
            heapq.heappush(self._heap, (self._star(centre)[0], centre))
            steps.append((self._requests, len(self._had)))
        return steps

    def _star(self, centre: str) -> tuple[float, list[str]]:
        """The least requests for each new torrent by way of `centre`, and the linked pages to take along."""
        most = self._needed - len(self._had)
        if not most:
            return math.inf, []
        cost = 0 if centre in self._fetched else self._distance[centre]
        new = self._news(centre, set())
        price = cost / min(len(new), most) if new else math.inf
        leaves: list[str] = []
        options = []
        for leaf in self._pages[centre].links:
            if leaf not in self._fetched and leaf != centre:
                gives = self._news(leaf, new)
                if gives:
                    options.append((self._pages[leaf].cost / len(gives), leaf))
        best = price
        taken: list[str] = []
        for _, leaf in sorted(options):
            gives = self._news(leaf, new)
            if not gives or len(new) >= most:
                continue
            new = new | gives
            cost += self._pages[leaf].cost
            taken.append(leaf)
            price = cost / min(len(new), most)
            if price < best:
                best, leaves = price, list(taken)
        return best, leaves

    def _news(self, page: str, beside: set[str]) -> set[str]:
        return {t for t in self._pages[page].torrents if t not in self._had and t not in beside}

    def _way_to(self, page: str) -> list[str]:
        way = []
        while page not in self._fetched:
            way.append(page)
            page = self._before[page]
        return way[::-1]

    def _fetch(self, pages: list[str]) -> None:
        """Pay for pages and for the torrents on them, as far as those are needed."""
        for page in pages:
            if page in self._fetched:
                continue
            node = self._pages[page]
            self._fetched.add(page)
            self._distance[page] = 0
            self._requests += node.cost
            for torrent, cost in sorted(node.torrents.items(), key=lambda item: item[1]):
                if torrent not in self._had and len(self._had) < self._needed:
                    self._had.add(torrent)
                    self._requests += cost
        self._spread(pages)

    def _spread(self, pages: list[str]) -> None:
        """Shorter ways that `pages` open (Dijkstra from them)."""
        queue = [(0, page) for page in pages]
        heapq.heapify(queue)
        while queue:
            distance, page = heapq.heappop(queue)
            if distance > self._distance[page]:
                continue
            for link in self._pages[page].links:
                through = distance + self._pages[link].cost
                if link not in self._fetched and through < self._distance.get(link, 1 << 60):
                    self._distance[link] = through
                    self._before[link] = page
                    heapq.heappush(queue, (through, link))
                    heapq.heappush(self._heap, (0.0, link))


# A simulator as a graph ----------------------------------------------------------------------------


def explore(simulator: Simulator) -> Explored:
    """Read every content page of a fresh simulator once, under one of its URLs, as a guest with cookies."""
    explorer = _Explorer(simulator)
    graph = explorer.run()
    return Explored(graph, explorer.links)


@dataclass(frozen=True, slots=True)
class Explored:
    """A site's graph, and every URL that its content pages link to, by identity of URLs, with its truth."""

    graph: SiteGraph
    links: Mapping[str, tuple[str, Target]]


class _Explorer:
    def __init__(self, simulator: Simulator) -> None:
        self.links: dict[str, tuple[str, Target]] = {}
        self._simulator = simulator
        self._cookies = dict(simulator.cookies)
        self._files: dict[str, tuple[str, int] | None] = {}
        self._by_content = {torrent.content: torrent.infohash for torrent in simulator.torrents.values()}

    def run(self) -> SiteGraph:
        """The graph."""
        start = self._simulator.truth(self._simulator.start)
        assert start is not None
        pages: dict[str, PageNode] = {}
        queue = deque([(start.identity, self._simulator.start)])
        queued = {start.identity}
        while queue:
            identity, url = queue.popleft()
            answer, final, cost = self._get(url)
            links: dict[str, None] = {}
            torrents: dict[str, int] = {}
            for link in self._links(answer, final):
                target = self._simulator.truth(link)
                if target is None:
                    continue
                self.links.setdefault(canonical_key(link), (link, target))
                if target.role in CONTENT or target.role is Role.DATA:
                    links[target.identity] = None
                    if target.identity not in queued:
                        queued.add(target.identity)
                        queue.append((target.identity, link))
                elif target.role is Role.DOWNLOAD:
                    file = self._file(target.identity, link)
                    if file is not None:
                        torrents.setdefault(*file)
            links.pop(identity, None)
            pages[identity] = PageNode(cost, tuple(links), torrents)
        return SiteGraph(start.identity, pages)

    def _links(self, answer: SimResponse, url: str) -> list[str]:
        if answer.status != 200:
            return []
        kind = dict(answer.headers).get("Content-Type", "")
        if "xml" in kind:
            return _feed_links(answer.body.decode())
        found = extract_links(answer.body.decode(), url)
        urls = [link.url.partition("#")[0] for link in found.links]
        return [*urls, *found.feeds, *([found.next] if found.next else [])]

    def _file(self, identity: str, url: str) -> tuple[str, int] | None:
        """The torrent behind a download link and what it costs; None when a guest gets none."""
        if identity not in self._files:
            answer, _, cost = self._get(url)
            infohash = self._by_content.get(answer.body, "")
            self._files[identity] = (infohash, cost) if infohash else None
        return self._files[identity]

    def _get(self, url: str) -> tuple[SimResponse, str, int]:
        """The answer behind the redirects of `url`, its URL, and the requests that it took."""
        for cost in range(1, _MOST_HOPS + 1):
            answer = self._simulator.fetch(url, self._cookies)
            if not answer.location:
                return answer, url, cost
            url = urljoin(url, answer.location).partition("#")[0]
        return SimResponse(508), url, _MOST_HOPS


def _feed_links(text: str) -> list[str]:
    return [piece.partition("</link>")[0] for piece in text.split("<link>")[1:]]
