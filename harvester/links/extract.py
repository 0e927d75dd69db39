"""Links of an HTML page.

A page without a sign of encoded links is read by its `<a>` elements alone; the rest (every attribute,
text, scripts) is read where `signs_of` finds a reason to.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.links.collect import NO_REL, Collector
from harvester.links.deep import DeepReader, TextReader
from harvester.links.marks import row_marks
from harvester.links.payload import unescape_entities
from harvester.links.resolve import LinkMemo, Resolver
from harvester.links.signs import EVERYTHING, signs_of
from harvester.links.text_scan import visible
from harvester.links.urls import join
from harvester.model.link import Link, LinkSource, PageLinks, RejectedLink
from harvester.text.bombs import MAX_HTML, defused

MAX_ANCHOR: Final = 200
ANCHOR_BUDGET: Final = 10_000_000
"""Characters read for anchors on one page: elements nested in each other could make it square."""
MAX_FORMS: Final = 1_000
_REFRESH: Final = re.compile(r"\s*(\d{0,9}(?:\.\d{0,9})?)[\s;,]+(?:url\s{0,9}=\s{0,9})?(.*)", re.I | re.S)
_PAGE_RELATIONS: Final = frozenset({"next", "prev", "canonical", "alternate"})
_METHOD_ATTRIBUTES: Final = frozenset(
    {"data-method", "data-turbo-method", "data-ajax-method", "data-http-method"}
    | {"hx-post", "hx-put", "hx-patch", "hx-delete"}
)
_POSTS: Final = re.compile(
    r"\.submit\(|\$\.post\(|\b(?:method|type)['\"]?\s{0,3}[:=]\s{0,3}['\"](?:post|put|delete)\b", re.I
)


def extract_links(
    html: str,
    url: str,
    *,
    encoding: str = "utf-8",
    ignore: frozenset[str] = frozenset(),
    memo: LinkMemo | None = None,
    tree: LexborHTMLParser | None = None,
) -> PageLinks:
    """Everything `html`, fetched from `url`, points to.

    `encoding` is the page's charset, in which browsers write non-ASCII queries. `ignore` goes to
    `canonical_key`. `memo` saves work over the pages of one site. `tree` is `html` already parsed, when
    the caller has done that (then `html` must have gone through `defused` before). Never raises;
    bounded in time and memory (5 MB of HTML, 100,000 links).
    """
    cut = False
    if tree is None:
        html, cut = defused(html)
        tree = LexborHTMLParser(html)
    page = _Page(tree, url, encoding, ignore, memo or LinkMemo())
    page.read_head()
    signs = signs_of(html)
    if (signs.attributes or signs.text) and page.tree.root is not None:
        DeepReader(page.collector, page, signs).read(page.tree.root)
    else:
        page.read_anchors()
        if signs.scripts:
            page.read_scripts()
    page.read_forms()
    return page.result(cut=cut)


def extract_text_links(text: str, url: str = "") -> PageLinks:
    """The links written out in plain text, and its labelled infohashes."""
    page = _Page(LexborHTMLParser(""), url, "utf-8", frozenset(), LinkMemo())
    TextReader(page.collector).read(unescape_entities(visible(text[:MAX_HTML])))
    return page.result(cut=len(text) > MAX_HTML)


class _Page:
    """One page being read; the order of the calls is the order of its links."""

    def __init__(
        self, tree: LexborHTMLParser, url: str, encoding: str, ignore: frozenset[str], memo: LinkMemo
    ) -> None:
        self.tree = tree
        self.collector = Collector(Resolver(url.partition("#")[0], encoding, ignore, memo))
        self._forms = Collector(self.collector.resolver)
        self._feeds: dict[str, None] = {}
        self._canonical: str | None = None
        self._next: str | None = None
        self._refresh: str | None = None
        self._refresh_delay = 0.0
        self._anchor_budget = ANCHOR_BUDGET

    def read_head(self) -> None:
        """Base, meta refresh and `<link>`."""
        resolver = self.collector.resolver
        for node in self.tree.tags("base"):
            href = node.attributes.get("href")
            if href:
                resolver.rebase(join(resolver.base, href) or resolver.base)
                break
        for node in self.tree.tags("meta"):
            self._read_refresh(node)
        for node in self.tree.tags("link"):
            self._read_relation(node)

    def _read_refresh(self, node: LexborNode) -> None:
        attributes = node.attributes
        kind = attributes.get("http-equiv")
        if not kind or kind.strip().lower() != "refresh" or self._refresh is not None:
            return
        match = _REFRESH.match(attributes.get("content") or "")
        target = match[2].strip().strip("\"'").strip() if match else ""
        resolved = self.collector.resolve(target) if target else None
        if match and resolved is not None:
            self._refresh = resolved[0]
            self._refresh_delay = float(match[1]) if match[1].strip(".") else 0.0
            self.collector.add(resolved, LinkSource.META, node)

    def _read_relation(self, node: LexborNode) -> None:
        attributes = node.attributes
        rel = frozenset((attributes.get("rel") or "").lower().split())
        href = attributes.get("href")
        resolved = self.collector.resolve(href) if href and rel & _PAGE_RELATIONS else None
        if resolved is None:
            return
        url = resolved[0]
        kind = (attributes.get("type") or "").lower()
        if "alternate" in rel and ("rss" in kind or "atom" in kind):
            self._feeds[url] = None
        elif "canonical" in rel:
            self._canonical = self._canonical or url
        elif "next" in rel or "prev" in rel:
            if "next" in rel:
                self._next = self._next or url
            self.collector.add(resolved, LinkSource.META, node, rel=rel)

    def read_anchors(self) -> None:
        """The common page: its `<a>` elements are its links."""
        for node in self.tree.tags("a"):
            self.read_anchor(node, node.attributes)

    def read_anchor(self, node: LexborNode, attributes: dict[str, str | None]) -> None:
        """Record an `<a href>`; a href that is a script is read as one."""
        href = attributes.get("href")
        if not href or href[0] == "#":
            return
        resolved = self.collector.resolve(href)
        if resolved is None:
            if href.lstrip()[:11].lower() == "javascript:":
                self._read_script_href(href, node)
            return
        rel = attributes.get("rel")
        words = frozenset(rel.lower().split()) if rel else NO_REL
        if "next" in words and self._next is None:
            self._next = resolved[0]
        title = attributes.get("thunderrestitle") or ""
        anchor = self.anchor_of(node, attributes)
        method = _method_of(attributes) if len(attributes) > 1 else "GET"
        self.collector.add(resolved, LinkSource.HREF, node, anchor, words, title, attributes, method)

    def _read_script_href(self, href: str, node: LexborNode) -> None:
        DeepReader(self.collector, self, EVERYTHING).read_script(href, node, handler=True)

    def read_scripts(self) -> None:
        """Where the scripts of a page without encoded links go."""
        reader = DeepReader(self.collector, self, EVERYTHING)
        for node in self.tree.tags("script"):
            reader.read_script(node.text(), node, handler=False)

    def anchor_of(self, node: LexborNode, attributes: dict[str, str | None]) -> str:
        """The text of an element, folded; else the alt or title of an image in it; else its own title."""
        if self._anchor_budget <= 0:
            return ""
        text = node.text()
        self._anchor_budget -= len(text)
        text = " ".join(text[: 4 * MAX_ANCHOR].split())
        if not text:
            text = " ".join((_image_text(node) or attributes.get("title") or "")[: 4 * MAX_ANCHOR].split())
        return text[:MAX_ANCHOR]

    def read_forms(self) -> None:
        """Where forms are sent, kept apart from the links."""
        for node in self.tree.tags("form")[:MAX_FORMS]:
            action = node.attributes.get("action")
            resolved = self._forms.resolve(action) if action and action[0] != "#" else None
            if resolved is not None:
                self._forms.add(resolved, LinkSource.FORM, node)

    def result(self, *, cut: bool) -> PageLinks:
        """Everything found."""
        links: tuple[Link, ...] = self.collector.finished()
        return PageLinks(
            base=self.collector.resolver.base,
            links=links,
            forms=self._forms.finished(),
            canonical=self._canonical,
            next=self._next,
            refresh=self._refresh,
            refresh_delay=self._refresh_delay,
            feeds=tuple(self._feeds),
            rejected=tuple(RejectedLink(text, why) for text, why in self.collector.rejected.items()),
            truncated=cut or self.collector.truncated,
            marks=row_marks(self.tree, self.collector.places),
        )


def _method_of(attributes: dict[str, str | None]) -> str:
    """The method that a script sends for a link, where the element says so."""
    for name in _METHOD_ATTRIBUTES & attributes.keys():
        method = name.removeprefix("hx-") if name.startswith("hx-") else attributes[name] or "GET"
        if method.upper() not in ("GET", "HEAD"):
            return method.upper()[:10]
    handler = attributes.get("onclick")
    return "POST" if handler and _POSTS.search(handler[:1000]) else "GET"


def _image_text(node: LexborNode) -> str:
    """The alt or title of the first image among the first elements below a node."""
    for count, child in enumerate(node.traverse()):
        if child.tag == "img":
            attributes = child.attributes
            return attributes.get("alt") or attributes.get("title") or ""
        if count >= 10:
            break
    return ""
