"""What a server measures of itself, in the text format of Prometheus.

Counters are of this process: with several servers, each is a target of its own. Addresses, words and keys
are in no label: a route stands for everything that it answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from harvester import __version__
from harvester.errors import HarvestError
from harvester.ports.index import SearchIndex
from harvester.ports.store import Store

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_METHODS = frozenset(("GET", "HEAD", "POST", "DELETE", "OPTIONS"))


class Metrics:
    """The metrics of one application."""

    def __init__(self, store: Store, index: SearchIndex) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._requests = Counter(
            "harvest_http_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "harvest_http_request_seconds",
            "From the request to the end of its answer.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._registry.register(_Collection(store, index))

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer. `route` is the pattern that matched, "" for none."""
        method = method if method in _METHODS else "other"
        self._requests.labels(method, route or "none", str(status)).inc()
        self._seconds.labels(route or "none").observe(seconds)

    def text(self) -> bytes:
        """Everything, as of now."""
        return generate_latest(self._registry)


class _Collection:
    """What there is, looked up when it is asked for. What does not answer is left out."""

    def __init__(self, store: Store, index: SearchIndex) -> None:
        self._store = store
        self._index = index

    def collect(self) -> Iterator[Metric]:
        """The gauges."""
        build = GaugeMetricFamily("harvest_build_info", "The version.", labels=("version",))
        build.add_metric((__version__,), 1)
        yield build
        newest = come_to = None
        try:
            newest = self._store.last_sequence()
            yield from self._of_store()
        except HarvestError:
            pass
        try:
            come_to = self._index.sequence()
            yield GaugeMetricFamily("harvest_index_torrents", "Torrents in the index.", self._index.count())
        except HarvestError:
            pass
        yield GaugeMetricFamily("harvest_database_up", "Whether it answers.", float(newest is not None))
        yield GaugeMetricFamily("harvest_index_up", "Whether it answers.", float(come_to is not None))
        if newest is not None and come_to is not None:
            behind = max(0, newest - come_to)
            yield GaugeMetricFamily("harvest_index_behind", "Changes that are not in the index yet.", behind)

    def _of_store(self) -> Iterator[Metric]:
        yield _by_state("harvest_sites", "Sites.", [one.state for one in self._store.sites()])
        recent = [one.state for one in self._store.crawls()]
        yield _by_state("harvest_crawls_recent", "Of the last 50 crawls.", recent)
        yield GaugeMetricFamily("harvest_blocks", "What is taken out.", len(self._store.blocks()))


def _by_state(name: str, documentation: str, states: Sequence[str]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, documentation, labels=("state",))
    for state in sorted(set(states)):
        gauge.add_metric((state,), states.count(state))
    return gauge
