"""What the download links of a run turned out to be, so that every page that shows one is a sighting.

A file is fetched once, however many pages link to it. The pages met later, and those met before it was
fetched, are sightings of the same torrent.
"""

from __future__ import annotations

from collections import OrderedDict

from harvester.model.crawl import DownloadsMet
from harvester.model.stored import Source, TakenTorrent

_CAPACITY = 100_000
_WAITING = 50
"""Pages kept for one download that was not fetched yet."""

Identity = tuple[bytes | None, bytes | None]


class Downloads:
    """Remembers, in bounded memory, the torrents behind the download links of this crawl.

    What waits for its file is also handed to the store (`Batch.shown`), and recalled by a run that goes on.
    """

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._known: OrderedDict[int, Identity] = OrderedDict()
        self._waiting: OrderedDict[int, list[Source]] = OrderedDict()
        self._queued: frozenset[int] = frozenset()

    def recall(self, met: DownloadsMet) -> None:
        """Take up what an earlier run of the same crawl knew."""
        self._known.update(met.taken)
        self._queued = met.queued
        for source in met.waiting:
            self._wait(source)

    def __contains__(self, download_hash: int) -> bool:
        """Whether the crawl met this download before, in this run or an earlier one."""
        return download_hash in self._known or download_hash in self._waiting or download_hash in self._queued

    def seen_again(self, source: Source) -> TakenTorrent | Source | None:
        """A page links to a download that was met before: the sighting, or (until the file is known) what
        waits for it; None when enough pages wait.
        """
        identity = self._known.get(source.download_hash)
        if identity is not None:
            return _sighting(identity, source)
        return source if self._wait(source) else None

    def _wait(self, source: Source) -> bool:
        waiting = self._waiting.setdefault(source.download_hash, [])
        if len(waiting) >= _WAITING:
            return False
        waiting.append(source)
        if len(self._waiting) > self._capacity:
            self._waiting.popitem(last=False)
        return True

    def taken(self, torrent: TakenTorrent) -> list[TakenTorrent]:
        """The file behind a link is known now: the sightings that waited for it."""
        key = torrent.source.download_hash
        identity = (torrent.infohash_v1, torrent.infohash_v2)
        self._known[key] = identity
        if len(self._known) > self._capacity:
            self._known.popitem(last=False)
        return [_sighting(identity, source) for source in self._waiting.pop(key, [])]


def _sighting(identity: Identity, source: Source) -> TakenTorrent:
    return TakenTorrent(source=source, infohash_v1=identity[0], infohash_v2=identity[1])
