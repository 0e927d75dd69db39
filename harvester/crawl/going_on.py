"""What a run that goes on takes up from the runs before it, so that a kill changes nothing.

The frontier, the seen-set and the history are in the store anyway; this is what a run keeps in memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from harvester.crawl.context import VisitContext
from harvester.model.crawl import Crawl, DownloadsMet
from harvester.model.stored import Event
from harvester.ports.store import Store
from harvester.text.fingerprint import fingerprint

TRAP = "trap"
"""The kind of event for a series or kind of URL that is left as a trap (`pattern`, `reason`)."""
PARAMETERS = "parameters"
"""The kind of event for query parameters that were found to make no difference (`ignored`)."""
ORDER = "order"
"""The kind of event for what the order knew at that moment (`name`, `memory`)."""
MOST_EVENTS = 2_000
MOST_TEXTS = 2_000
"""Pages that near-duplicates are recognised by from the beginning of a run that goes on."""


class Remembered(Struct, frozen=True):
    """The memory of the runs before."""

    downloads: DownloadsMet
    traps: list[Event]
    parameters: list[Event]
    texts: list[tuple[int, str, str]]


def remembered(store: Store, crawl: Crawl) -> Remembered:
    """Read it; runs in the writer thread."""

    def events(kind: str) -> list[Event]:
        found = store.events(site=crawl.site, kind=kind, limit=MOST_EVENTS)
        return [event for event in found if event.at >= crawl.started_at]

    texts = store.texts_read(crawl, limit=MOST_TEXTS)
    return Remembered(store.downloads_met(crawl), events(TRAP), events(PARAMETERS), texts)


def order_memory(store: Store, crawl: Crawl, name: str) -> Mapping[str, object]:
    """What the order of that name knew when an earlier run of the crawl wrote it down last."""
    for event in store.events(site=crawl.site, kind=ORDER, limit=1):
        memory = event.detail.get("memory")
        if event.at >= crawl.started_at and event.detail.get("name") == name and isinstance(memory, dict):
            return memory
    return {}


def take_up(memory: Remembered, context: VisitContext) -> None:
    """Go on with it."""
    context.downloads.recall(memory.downloads)
    for key in memory.downloads.met:
        context.met.add(key)
    context.traps.recall(event.detail for event in memory.traps)
    context.traps.recall_useful(memory.downloads.pages)
    context.guide.recall(memory.downloads.read)
    for key_hash, title, text in memory.texts:
        context.copies.first_like(str(key_hash), fingerprint(f"{title}\n{text}"), title=title)
    ignored = {str(name) for event in memory.parameters for name in _names(event.detail.get("ignored"))}
    if ignored:
        context.guide.ignore(ignored)
        context.rekey()


def _names(value: object) -> list[object]:
    return value if isinstance(value, list) else []
