"""A page as the wall markers look at it: its tree, its visible text, whether it is a member's."""

from __future__ import annotations

import re

import re2
from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.access import wall_urls
from harvester.text.tree import parse_tree

_MAX_TEXT = 4_000
"""Characters of one node that are looked at: a notice says what it wants early."""
_MAX_NODES = 200
"""Nodes of one selector that are looked at."""
_MAX_READ = 1_000_000
"""Characters of one page that are read in all, however often its nodes are nested."""
_MAX_SOURCE = 400_000
"""Characters of the source from which the visible text is taken."""
_SHORT_PAGE = 1_500
"""Characters of visible text below which a phrase is taken to speak for the whole page."""

_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"<[^<>]*>")
# RE2, not re: an unclosed <script> repeated a thousand times must not be searched a thousand times.
_INVISIBLE = re2.compile(
    rb"(?is)<script\b.*?</script\s*>|<style\b.*?</style\s*>|<noscript\b.*?</noscript\s*>|<!--.*?-->"
)


def text_of(node: LexborNode) -> str:
    """The text of a node, white space collapsed, cut."""
    return _cut(node.text(separator=" "))


def _cut(text: str) -> str:
    return _SPACE.sub(" ", text[: _MAX_TEXT * 2]).strip()[:_MAX_TEXT]


class WallPage:
    """A parsed page; the costly facts are computed once, when asked for."""

    def __init__(self, html: str, tree: LexborHTMLParser | None) -> None:
        self.html = html
        self._tree = tree
        self._text: str | None = None
        self._member: bool | None = None
        self._to_read = _MAX_READ

    @property
    def tree(self) -> LexborHTMLParser:
        """The tree of the body."""
        if self._tree is None:
            self._tree = parse_tree(self.html)
        return self._tree

    @property
    def text(self) -> str:
        """Visible text, roughly: enough to tell a notice from a page with content."""
        if self._text is None:
            source = self.html[:_MAX_SOURCE].encode("utf-8", "replace")
            visible = _INVISIBLE.sub(b" ", source).decode("utf-8", "replace")
            self._text = _SPACE.sub(" ", _TAG.sub(" ", visible)).strip()
        return self._text

    @property
    def is_short(self) -> bool:
        """Whether the page says so little that a notice in it speaks for the whole."""
        return len(self.text) <= _SHORT_PAGE

    @property
    def member(self) -> bool:
        """Whether the page offers to log out, which only a member sees."""
        if self._member is None:
            self._member = wall_urls.offers_logout(self.html)
        return self._member

    def offers_login(self) -> bool:
        """Whether the page links to a login page."""
        return any(
            wall_urls.is_login(link.attributes.get("href") or "") for link in self.tree.tags("a")[:2_000]
        )

    def nodes(self, selector: str) -> list[tuple[LexborNode, str]]:
        """The nodes of a selector with their texts, within the bounds of this module."""
        found: list[tuple[LexborNode, str]] = []
        for node in self.tree.css(selector)[:_MAX_NODES]:
            if self._to_read <= 0:
                break
            text = node.text(separator=" ")
            self._to_read -= len(text)
            found.append((node, _cut(text)))
        return found
