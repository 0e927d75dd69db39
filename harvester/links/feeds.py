"""Links of RSS, Atom and RDF feeds."""

from __future__ import annotations

from harvester.model.link import PageLinks


def extract_feed(xml: str | bytes, url: str) -> PageLinks:
    """The links of a feed fetched from `url`, source `FEED`.

    One `Row` an item. Per item: enclosures, then torrent:magnetURI, then torrent:infoHash, then the
    item's page (kind PAGE). Broken XML gives what can be read; entities are never expanded.
    """
    raise NotImplementedError
