"""The links of one page while it is read: de-duplicated, in order, bounded."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from selectolax.lexbor import LexborNode

from harvester.links.hints import names_a_download
from harvester.links.keys import canonical_key
from harvester.links.payload import LINK_SCHEME
from harvester.links.resolve import Resolved, Resolver
from harvester.links.rows import Rows
from harvester.links.text_scan import shorter_readings
from harvester.model.link import Link, LinkKind, LinkSource, RejectedLink

MAX_LINKS: Final = 100_000
MAX_CANDIDATES: Final = 20_000
"""Encoded, textual and scripted candidates that are decoded on one page."""
MAX_REJECTED: Final = 100
NO_REL: Final[frozenset[str]] = frozenset()


class Collector:
    """Takes links in document order; the first place of a URL stays."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.rows = Rows()
        self.truncated = False
        self.rejected: dict[str, str] = {}
        self._found: dict[str, Link] = {}
        self._candidates = MAX_CANDIDATES

    def resolve(self, href: str) -> Resolved | None:
        """What a href leads to; a broken download link is noted."""
        outcome = self.resolver.outcome(href)
        if isinstance(outcome, RejectedLink):
            self._reject(outcome)
            return None
        return outcome

    def add(
        self,
        resolved: Resolved,
        source: LinkSource,
        node: LexborNode | None,
        anchor: str = "",
        rel: frozenset[str] = NO_REL,
        title: str = "",
        method: str = "GET",
    ) -> None:
        """Record a link; of a known one only a longer anchor is taken: icons often stand before titles."""
        url, key, kind, chain, name = resolved
        known = self._found.get(url)
        if known is not None:
            if len(anchor) > len(known.anchor):
                kind = _kind_by_anchor(url, known.kind, anchor)
                self._found[url] = replace(known, anchor=anchor, kind=kind)
            return
        if len(self._found) >= MAX_LINKS:
            self.truncated = True
            return
        row = self.rows.of(node) if node is not None else None
        if anchor:
            kind = _kind_by_anchor(url, kind, anchor)
        self._found[url] = Link(url, key, kind, source, anchor, row, rel, chain, title or name, method)

    def add_candidate(self, text: str, source: LinkSource, node: LexborNode | None, title: str = "") -> bool:
        """Decode an encoded candidate and record the link in it; text glued to its end is cut off.

        False where there is no link in it; a broken one of a known scheme is noted.
        """
        if self._candidates <= 0:
            self.truncated = True
            return False
        self._candidates -= 1
        decoded = self.resolver.decode(text)
        if isinstance(decoded, RejectedLink):
            refusal = decoded
            for shorter in shorter_readings(text):
                decoded = self.resolver.decode(shorter)
                if not isinstance(decoded, RejectedLink):
                    break
            else:
                if LINK_SCHEME.match(text):
                    self._reject(refusal)
                return False
        self.add(decoded, source, node, title=title)
        return True

    def add_hash(self, infohash: str, node: LexborNode | None) -> None:
        """Record a labelled infohash (40 or 64 lower-case hex digits) as the magnet made of it."""
        if not infohash.strip("0"):
            return
        topic = f"btih:{infohash}" if len(infohash) == 40 else f"btmh:1220{infohash}"
        url = f"magnet:?xt=urn:{topic}"
        resolved = (url, canonical_key(url), LinkKind.INFOHASH, ("infohash",), "")
        self.add(resolved, LinkSource.TEXT, node)

    def _reject(self, refused: RejectedLink) -> None:
        if len(self.rejected) < MAX_REJECTED:
            self.rejected.setdefault(refused.text, refused.reason)

    def finished(self) -> tuple[Link, ...]:
        """The links; an infohash that a magnet of the page also names is not told twice."""
        links = list(self._found.values())
        if any(link.kind is LinkKind.INFOHASH for link in links):
            magnets = {link.key for link in links if link.kind is LinkKind.MAGNET}
            links = [x for x in links if x.kind is not LinkKind.INFOHASH or x.key not in magnets]
        return tuple(links)


def _kind_by_anchor(url: str, kind: LinkKind, anchor: str) -> LinkKind:
    """The kind of a link, told by its anchor too where its URL says nothing."""
    return LinkKind.DOWNLOAD if kind is LinkKind.PAGE and names_a_download(url, anchor) else kind
