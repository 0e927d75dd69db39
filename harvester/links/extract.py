"""Links of an HTML page, in one pass over the parsed tree."""

from __future__ import annotations

from harvester.model.link import PageLinks


def extract_links(
    html: str, url: str, *, encoding: str = "utf-8", ignore: frozenset[str] = frozenset()
) -> PageLinks:
    """Everything `html`, fetched from `url`, points to.

    `encoding` is the page's charset, in which browsers write non-ASCII queries. `ignore` goes to
    `canonical_key`. Never raises; bounded in time and memory (5 MB of HTML, 100,000 links).
    """
    raise NotImplementedError
