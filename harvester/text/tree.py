"""Parse HTML within bounds."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from harvester.text.bombs import defused


def parse_tree(html: str) -> LexborHTMLParser:
    """The tree of a page; time and memory are bounded, whatever the page holds."""
    return LexborHTMLParser(defused(html)[0])
