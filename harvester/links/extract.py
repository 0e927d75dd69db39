"""Links of an HTML page.

A page without encoded links is read by its `<a>` elements alone; the rest (every attribute, text,
scripts) is read when a cheap search finds a sign of it in the page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.errors import LinkRejected
from harvester.links.bombs import defused
from harvester.links.decode import decode_link
from harvester.links.hints import looks_like_asset, looks_like_download
from harvester.links.keys import canonical_key
from harvester.links.payload import LINK_SCHEME, unescape_entities
from harvester.links.places import Places
from harvester.links.script_scan import literals
from harvester.links.text_scan import (
    LABEL_REACH,
    labelled_hashes,
    link_candidates,
    shorter_readings,
    visible,
)
from harvester.links.urls import join
from harvester.model.link import Link, LinkKind, LinkSource, PageLinks, RejectedLink, Row

MAX_LINKS: Final = 100_000
MAX_CANDIDATES: Final = 20_000
"""Encoded, textual and scripted candidates that are decoded on one page."""
MAX_ANCHOR: Final = 200
MAX_REJECTED: Final = 100

_SIGNS: Final = (
    "magnet", "thunder", "flashget", "qqdl", "fs2you", "ed2k", "btih", "infohash", "info hash", "info_hash",
    "特征", "特徵", "哈希", "散列", "ftp:", "fromcharcode", "\\x6d", "\\u006d", "%u006d", "\\x68", "\\u0068",
    "%u0068", "bwfnbmv0", "ahr0cdov", "ahr0chm6", "dgh1bmrlcjov", "zwqyazov", "tengam", "//:ptth", "//:sptth",
    "6d61676e6574", "687474703a2f2f", "68747470733a2f2f", "ｍagnet", "ｈttp", "http：", "https：",
    "<iframe", "<frame", "<area", "location", "window.open", "data-href", "data-url", "data-link",
    "data-clipboard", "<embed", "<object",
)  # fmt: skip
"""What a page holds (in lower case) that has more than plain `<a href>` links."""
_ORDINARY_HTTP: Final = tuple(
    f"{name}={quote}http" for name in ("href", "src", "action", "content") for quote in ('"', "'")
)
_REDIRECTOR: Final = re.compile(
    r"[?&](?:url|u|target|to|link|goto|go|redirect|r|q|dest)=(?:[a-z0-9]{3,10}(?::|%3a|%253a)|[a-z0-9+/\-_%]{16})",
    re.IGNORECASE,
)
_REFRESH: Final = re.compile(r"\s*(\d{0,9}(?:\.\d{0,9})?)[\s;,]+(?:url\s{0,9}=\s{0,9})?(.*)", re.I | re.S)
_BLOCKS: Final = frozenset(
    ["address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd", "details", "dialog", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "input", "li", "main", "nav", "ol", "optgroup", "option", "p", "pre", "script", "select", "section", "style", "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "ul"]
)  # fmt: skip
_SILENT: Final = frozenset(("script", "style"))
_NO_LINK_ATTRIBUTES: Final = frozenset(
    ["xmlns", "itemtype", "itemid", "vocab", "prefix", "typeof", "resource", "profile", "about", "property", "integrity", "class", "style", "id", "name", "srcset", "cite", "ping", "action", "formaction", "poster", "background"]
)  # fmt: skip
_RESOURCES: Final = frozenset(
    [
        "img",
        "script",
        "link",
        "source",
        "video",
        "audio",
        "track",
        "meta",
        "base",
        "iframe",
        "frame",
        "input",
        "form",
    ]
)
_HASH_ATTRIBUTE: Final = re.compile(r"(?:info-?_?hash|btih)", re.IGNORECASE)
_HASH: Final = re.compile(r"[0-9A-Fa-f]{40}")
_TOKEN: Final = re.compile(r"[A-Za-z0-9+/=_\-%\\{}:.?&]{16,65536}")
_RELATIVE_ATTRIBUTES: Final = frozenset(("data-href", "data-url", "data-link"))

Resolved = tuple[str, str, LinkKind, tuple[str, ...], str]
"""(fetch URL, key, kind, chain, title)."""


class LinkMemo:
    """What hrefs were resolved to, by the folder they stood in; for the pages of one site.

    A value of `ignore` belongs to one memo: keys are kept in it. Bounded; safe to drop at any time.
    """

    def __init__(self, max_folders: int = 64, max_links: int = 4096) -> None:
        self._folders: dict[tuple[str, str], dict[str, Resolved | RejectedLink | None]] = {}
        self._max_folders = max_folders
        self._max_links = max_links

    def folder(self, base: str, encoding: str) -> dict[str, Resolved | RejectedLink | None]:
        """The resolved hrefs of the folder that `base` is in, to read and to fill."""
        path = base.partition("?")[0]
        name = (path[: path.rfind("/") + 1], encoding)
        found = self._folders.get(name)
        if found is None or len(found) > self._max_links:
            if len(self._folders) >= self._max_folders:
                self._folders.clear()
            found = self._folders[name] = {}
        return found


def extract_links(
    html: str,
    url: str,
    *,
    encoding: str = "utf-8",
    ignore: frozenset[str] = frozenset(),
    memo: LinkMemo | None = None,
) -> PageLinks:
    """Everything `html`, fetched from `url`, points to.

    `encoding` is the page's charset, in which browsers write non-ASCII queries. `ignore` goes to
    `canonical_key`. `memo` saves work over the pages of one site. Never raises; bounded in time and
    memory (5 MB of HTML, 100,000 links).
    """
    html, cut = defused(html)
    lower = html.lower()
    page = _Page(LexborHTMLParser(html), url, encoding, ignore, memo or LinkMemo())
    page.truncated = cut
    page.read_head(lower)
    if _has_more(lower):
        page.read_everything()
    else:
        page.read_anchors()
    if "<form" in lower:
        page.read_forms()
    return page.result()


def extract_text_links(text: str) -> PageLinks:
    """The links written out in plain text, and its labelled infohashes."""
    page = _Page(LexborHTMLParser(""), "", "utf-8", frozenset(), LinkMemo())
    run = unescape_entities(visible(text[: 5 * 1_000_000]))
    page.read_run(run, [(0, None)], inside_link=False)
    return page.result()


def _has_more(lower: str) -> bool:
    if any(sign in lower for sign in _SIGNS):
        return True
    return lower.count("http:/") + lower.count("https:/") > sum(map(lower.count, _ORDINARY_HTTP))


@dataclass(slots=True)
class _Found:
    """A link under construction."""

    resolved: Resolved
    source: LinkSource
    anchor: str
    path: str
    row: Row | None
    rel: frozenset[str]
    title: str

    def finished(self) -> Link:
        url, key, kind, chain, title = self.resolved
        if kind is LinkKind.PAGE and looks_like_download(url, self.anchor):
            kind = LinkKind.DOWNLOAD
        return Link(
            url,
            key,
            kind,
            self.source,
            self.anchor,
            self.path,
            self.row,
            self.rel,
            chain,
            self.title or title,
        )


@dataclass(slots=True)
class _Run:
    """Text of one block, with the elements that its pieces stand in."""

    block: int = -1
    pieces: list[str] = field(default_factory=list)
    starts: list[tuple[int, LexborNode | None]] = field(default_factory=list)
    length: int = 0
    inside_link: bool = False


class _Page:
    """One page being read; the order of calls is the order of its links."""

    def __init__(
        self, tree: LexborHTMLParser, url: str, encoding: str, ignore: frozenset[str], memo: LinkMemo
    ) -> None:
        self.tree = tree
        self.base = url.partition("#")[0]
        self.encoding = encoding
        self.ignore = ignore
        self.memo = memo
        self.places = Places()
        self.found: dict[str, _Found] = {}
        self.forms: dict[str, _Found] = {}
        self.rejected: dict[str, str] = {}
        self.feeds: dict[str, None] = {}
        self.canonical: str | None = None
        self.next: str | None = None
        self.refresh: str | None = None
        self.refresh_delay = 0.0
        self.truncated = False
        self.candidates = MAX_CANDIDATES
        self.anchor_budget = 2 * 1_000_000
        self.tail = ""
        self.run = _Run()
        self.resolved: dict[str, Resolved | RejectedLink | None] = memo.folder(self.base, encoding)
        self.blocks: dict[int, tuple[int, bool]] = {}

    # -- what a href is ------------------------------------------------------------------------------

    def resolve(self, href: str) -> Resolved | None:
        """The fetch URL of a href (entities already undone by the parser), its key, kind and chain."""
        local = href[:1] == "?" or not href
        known = None if local else self.resolved.get(href, self)
        if known is None or isinstance(known, _Page):
            if known is None and not local:
                return None
            known = self._resolve(href)
            if not local:
                self.resolved[href] = known
        if isinstance(known, RejectedLink):
            if len(self.rejected) < MAX_REJECTED:
                self.rejected.setdefault(known.text, known.reason)
            return None
        return known

    def _resolve(self, href: str) -> Resolved | RejectedLink | None:
        stripped = href.lstrip()
        scheme = LINK_SCHEME.match(stripped)
        if scheme and scheme[0][:4].lower() not in ("http", "ftp:"):
            return self.decode(stripped)
        url = join(self.base, href, self.encoding)
        if url is None:
            # not http: a disguised download, or nothing
            return self.decode(stripped) if _encoded(stripped) else None
        if "?" in url and _REDIRECTOR.search(url):
            inner = self.decode(url)
            if isinstance(inner, tuple) and inner[3] and _leaves(url, inner[0]):
                return inner
        return url, canonical_key(url, self.ignore), _kind(url), (), ""

    def decode(self, text: str) -> Resolved | RejectedLink:
        """The link inside a candidate, through the codecs."""
        try:
            decoded = decode_link(text)
        except LinkRejected as error:
            return RejectedLink(text[:MAX_ANCHOR], error.reason)
        chain = () if decoded.chain in (("http",), ("ftp",), ("magnet",), ("ed2k",)) else decoded.chain
        key = canonical_key(decoded.url, self.ignore)
        return decoded.url, key, _kind(decoded.url), chain, decoded.file_name or ""

    # -- recording -----------------------------------------------------------------------------------

    def add(
        self,
        resolved: Resolved,
        source: LinkSource,
        node: LexborNode | None,
        anchor: str = "",
        rel: frozenset[str] = frozenset(),
        title: str = "",
    ) -> None:
        known = self.found.get(resolved[0])
        if known is not None:
            if anchor and not known.anchor:
                known.anchor = anchor
            return
        if len(self.found) >= MAX_LINKS:
            self.truncated = True
            return
        path, row = self.places.of(node) if node is not None else ("", None)
        self.found[resolved[0]] = _Found(resolved, source, anchor, path, row, rel, title)

    def add_candidate(self, text: str, source: LinkSource, node: LexborNode | None, **names: str) -> bool:
        """Decode an encoded candidate and record what it gives; False where it gives nothing."""
        if self.candidates <= 0:
            self.truncated = True
            return False
        self.candidates -= 1
        decoded = self.decode(text)
        if isinstance(decoded, RejectedLink):
            for shorter in shorter_readings(text):
                again = self.decode(shorter)
                if not isinstance(again, RejectedLink):
                    self.add(again, source, node, **names)
                    return True
            if LINK_SCHEME.match(text) and len(self.rejected) < MAX_REJECTED:
                self.rejected.setdefault(decoded.text, decoded.reason)
            return False
        self.add(decoded, source, node, **names)
        return True

    # -- the common path -----------------------------------------------------------------------------

    def read_head(self, lower: str) -> None:
        if "<base" in lower:
            for node in self.tree.tags("base"):
                href = node.attributes.get("href")
                if href:
                    self.base = join(self.base, href, self.encoding) or self.base
                    self.resolved = self.memo.folder(self.base, self.encoding)
                    break
        if "refresh" in lower:
            for node in self.tree.tags("meta"):
                self.read_refresh(node)
        if "<link" in lower:
            for node in self.tree.tags("link"):
                self.read_link_element(node)

    def read_refresh(self, node: LexborNode) -> None:
        attributes = node.attributes
        if (attributes.get("http-equiv") or "").strip().lower() != "refresh" or self.refresh is not None:
            return
        match = _REFRESH.match(attributes.get("content") or "")
        if match is None:
            return
        target = match[2].strip().strip("\"'").strip()
        resolved = self.resolve(target) if target else None
        if resolved is not None:
            self.refresh = resolved[0]
            self.refresh_delay = float(match[1]) if match[1] not in ("", ".") else 0.0
            self.add(resolved, LinkSource.META, node)

    def read_link_element(self, node: LexborNode) -> None:
        attributes = node.attributes
        rel = frozenset((attributes.get("rel") or "").lower().split())
        href = attributes.get("href")
        if not href or not rel & {"next", "prev", "canonical", "alternate"}:
            return
        resolved = self.resolve(href)
        if resolved is None:
            return
        url = resolved[0]
        kind = (attributes.get("type") or "").lower()
        if "alternate" in rel and ("rss" in kind or "atom" in kind):
            self.feeds[url] = None
        elif "canonical" in rel:
            self.canonical = self.canonical or url
        elif rel & {"next", "prev"}:
            if "next" in rel:
                self.next = self.next or url
            self.add(resolved, LinkSource.META, node, rel=rel)

    def read_anchors(self) -> None:
        for node in self.tree.tags("a"):
            self.read_anchor(node, node.attributes)

    def read_anchor(self, node: LexborNode, attributes: dict[str, str | None]) -> bool:
        """Record an `<a href>`; False where its href leads nowhere by itself."""
        href = attributes.get("href")
        if not href or href[0] == "#":
            return False
        resolved = self.resolve(href)
        if resolved is None:
            if href.lstrip()[:11].lower() == "javascript:":
                self.read_script(href, node, handler=True)
            return False
        rel = attributes.get("rel")
        words = frozenset(rel.lower().split()) if rel else frozenset()
        if "next" in words and self.next is None:
            self.next = resolved[0]
        self.add(
            resolved,
            LinkSource.HREF,
            node,
            self.anchor_of(node, attributes),
            words,
            attributes.get("thunderrestitle") or "",
        )
        return True

    def anchor_of(self, node: LexborNode, attributes: dict[str, str | None]) -> str:
        if self.anchor_budget <= 0:
            return ""
        text = node.text()
        self.anchor_budget -= len(text)
        text = " ".join(text[: 4 * MAX_ANCHOR].split())
        if not text:
            text = attributes.get("title") or ""
            child = node.first_child
            while child is not None and not text:
                if child.tag == "img":
                    text = child.attributes.get("alt") or child.attributes.get("title") or ""
                child = child.first_child or child.next
            text = " ".join(text[: 4 * MAX_ANCHOR].split())
        return text[:MAX_ANCHOR]

    def read_forms(self) -> None:
        for node in self.tree.tags("form"):
            action = node.attributes.get("action")
            resolved = self.resolve(action) if action and action[0] != "#" else None
            if resolved is not None and resolved[0] not in self.forms and len(self.forms) < MAX_LINKS:
                path, row = self.places.of(node)
                self.forms[resolved[0]] = _Found(resolved, LinkSource.FORM, "", path, row, frozenset(), "")

    # -- everything ----------------------------------------------------------------------------------

    def read_everything(self) -> None:
        root = self.tree.root
        if root is None:
            return
        for node in root.traverse(include_text=True):
            tag = node.tag
            if tag == "-text":
                self.read_text(node)
                continue
            if tag is None or tag[0] == "-" or tag == "!doctype":
                continue
            if tag in _BLOCKS:
                self.flush()
                if tag == "script":
                    self.read_script(node.text(), node, handler=False)
                    continue
            attributes = node.attributes
            if attributes:
                self.read_attributes(node, tag, attributes)
        self.flush()

    def read_attributes(self, node: LexborNode, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "a" or tag == "area":
            self.read_anchor(node, attributes)
        elif tag == "iframe" or tag == "frame":
            resolved = self.resolve(attributes.get("src") or "#")
            if resolved is not None and (attributes.get("src") or "#")[0] != "#":
                self.add(resolved, LinkSource.FRAME, node)
        for name, value in attributes.items():
            if value and len(value) >= 8 and name not in _NO_LINK_ATTRIBUTES:
                self.read_attribute(node, tag, name, value, attributes)

    def read_attribute(
        self, node: LexborNode, tag: str, name: str, value: str, attributes: dict[str, str | None]
    ) -> None:
        if name[:2] == "on":
            self.read_script(value, node, handler=True)
            return
        if name == "href" and tag in ("a", "area", "link", "base"):
            return
        stripped = value.strip()
        scheme = LINK_SCHEME.match(stripped)
        title = attributes.get("thunderrestitle") or ""
        if scheme and scheme[0][:4].lower() == "http":
            if tag not in _RESOURCES or name in ("value", "data-url", "data-href"):
                resolved = self.resolve(stripped)
                if (
                    resolved is not None
                    and resolved[2] is not LinkKind.ASSET
                    and not name.startswith("xmlns")
                ):
                    self.add(resolved, LinkSource.ATTRIBUTE, node, self.anchor_of(node, attributes))
        elif scheme:
            if not any(c in stripped for c in "\r\n\t "):
                self.add_candidate(stripped, LinkSource.ATTRIBUTE, node, title=title)
            else:
                self.read_glued(visible(value), node)
        elif (
            name in _RELATIVE_ATTRIBUTES and stripped[0] not in "#{" and ("/" in stripped or "." in stripped)
        ):
            resolved = self.resolve(stripped)
            if resolved is not None and resolved[2] is not LinkKind.ASSET:
                self.add(resolved, LinkSource.ATTRIBUTE, node, self.anchor_of(node, attributes))
        elif _HASH.fullmatch(stripped):
            if _HASH_ATTRIBUTE.search(name) or any(labelled_hashes(stripped, self.label_context())):
                self.add_hash(stripped.lower(), node)
        elif _encoded(stripped):
            self.add_candidate(stripped, LinkSource.ATTRIBUTE, node)
        elif len(stripped) > 20 and ":" in stripped and tag not in ("img", "meta"):
            self.read_glued(visible(value), node)

    def read_glued(self, text: str, node: LexborNode) -> None:
        """Links inside an attribute's longer text; of http ones only what looks like a download."""
        for _, candidate in link_candidates(text):
            if candidate[:4].lower() != "http" or looks_like_download(candidate):
                self.add_candidate(candidate, LinkSource.ATTRIBUTE, node)
        for _, infohash in labelled_hashes(text, self.label_context()):
            self.add_hash(infohash, node)

    def add_hash(self, infohash: str, node: LexborNode | None) -> None:
        topic = f"btih:{infohash}" if len(infohash) == 40 else f"btmh:1220{infohash}"
        if not infohash.strip("0"):
            return
        url = f"magnet:?xt=urn:{topic}"
        self.add((url, canonical_key(url), LinkKind.INFOHASH, ("infohash",), ""), LinkSource.TEXT, node)

    def read_script(self, script: str, node: LexborNode, *, handler: bool) -> None:
        for value, goes in literals(script):
            if len(value) < 8 and not (goes and value):
                continue
            stripped = value.strip()
            scheme = LINK_SCHEME.match(stripped)
            if scheme and not any(c in stripped for c in "\r\n\t "):
                if scheme[0][:4].lower() != "http" or goes or handler or looks_like_download(stripped):
                    resolved = self.resolve(stripped)
                    if resolved is not None and resolved[2] is not LinkKind.ASSET:
                        self.add(resolved, LinkSource.SCRIPT, node)
            elif _encoded(stripped):
                self.add_candidate(stripped, LinkSource.SCRIPT, node)
            elif goes and stripped and stripped[0] not in "#<{" and not any(c in stripped for c in " \n\"'"):
                resolved = self.resolve(stripped)
                if resolved is not None and resolved[2] is not LinkKind.ASSET:
                    self.add(resolved, LinkSource.SCRIPT, node)
            elif ":" in stripped:
                for _, candidate in link_candidates(visible(stripped)):
                    if candidate[:4].lower() != "http" or looks_like_download(candidate):
                        self.add_candidate(unescape_entities(candidate), LinkSource.SCRIPT, node)

    # -- text ----------------------------------------------------------------------------------------

    def read_text(self, node: LexborNode) -> None:
        text = node.text_content
        parent = node.parent
        if not text or parent is None or parent.tag in _SILENT:
            return
        block, inside_link = self.block_of(parent)
        if block != self.run.block:
            self.flush()
            self.run.block = block
        text = visible(text)
        self.run.starts.append((self.run.length, parent))
        self.run.pieces.append(text)
        self.run.length += len(text)
        self.run.inside_link = self.run.inside_link or inside_link

    def block_of(self, node: LexborNode) -> tuple[int, bool]:
        """(identity of the block an element's text flows in, whether it is the text of a real link)."""
        climbed: list[int] = []
        current: LexborNode | None = node
        answer = (0, False)
        inside = False
        while current is not None and len(climbed) < 600:
            known = self.blocks.get(current.mem_id)
            if known is not None:
                answer = known
                break
            climbed.append(current.mem_id)
            if current.tag == "a":
                href = current.attributes.get("href") or "#"
                inside = inside or (href[0] != "#" and href[:11].lower() != "javascript:")
                answer = (current.mem_id, inside)
                break
            if current.tag in _BLOCKS:
                answer = (current.mem_id, inside)
                break
            current = current.parent
        for identity in climbed:
            self.blocks[identity] = answer
        return answer

    def flush(self) -> None:
        """Read the text gathered so far: a block begins or ends here."""
        run = self.run
        if run.pieces:
            self.read_run("".join(run.pieces), run.starts, inside_link=run.inside_link)
        self.run = _Run()

    def label_context(self) -> str:
        return (self.tail + "\n" + "".join(self.run.pieces[-8:])[-LABEL_REACH:])[-LABEL_REACH:]

    def read_run(self, text: str, starts: list[tuple[int, LexborNode | None]], *, inside_link: bool) -> None:
        """Read one block of text; of a real link's own text only what is no http address."""
        offsets = [offset for offset, _ in starts]

        def node_at(position: int) -> LexborNode | None:
            return starts[max(0, bisect_right(offsets, position) - 1)][1]

        if ":" in text or "：" in text or "%3" in text:
            for position, candidate in link_candidates(text):
                plain = candidate[:4].lower() in ("http", "ftp:")
                if inside_link and plain:
                    continue
                node = node_at(position)
                if self.add_candidate(candidate, LinkSource.TEXT, node) or inside_link:
                    continue
        for position, infohash in labelled_hashes(text, self.tail):
            self.add_hash(infohash, node_at(position))
        folded = text.strip()
        if folded:
            self.tail = (self.tail + "\n" + folded)[-LABEL_REACH:]

    # -- the result ----------------------------------------------------------------------------------

    def result(self) -> PageLinks:
        links = [found.finished() for found in self.found.values()]
        magnets = {link.key for link in links if link.kind is LinkKind.MAGNET}
        if magnets:
            links = [l for l in links if l.kind is not LinkKind.INFOHASH or l.key not in magnets]
        return PageLinks(
            base=self.base,
            links=tuple(links),
            forms=tuple(found.finished() for found in self.forms.values()),
            canonical=self.canonical,
            next=self.next,
            refresh=self.refresh,
            refresh_delay=self.refresh_delay,
            feeds=tuple(self.feeds),
            rejected=tuple(RejectedLink(text, reason) for text, reason in self.rejected.items()),
            truncated=self.truncated,
        )


def _kind(url: str) -> LinkKind:
    if url.startswith("http"):
        if looks_like_download(url):
            return LinkKind.DOWNLOAD
        return LinkKind.ASSET if looks_like_asset(url) else LinkKind.PAGE
    if url.startswith("magnet:"):
        return LinkKind.MAGNET
    return LinkKind.ED2K if url.startswith("ed2k:") else LinkKind.FTP


def _encoded(text: str) -> bool:
    """Whether a token may be a disguised link, so that it is worth decoding."""
    return _TOKEN.fullmatch(text) is not None


def _leaves(outer: str, inner: str) -> bool:
    """Whether a redirector's target is elsewhere: a login page that names its way back stays itself."""
    if not inner.startswith("http"):
        return True
    return _host(outer) != _host(inner)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].partition("?")[0].lower()
