"""The parts of a page beyond `<a href>`: every attribute, running text, scripts."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final, Protocol

from selectolax.lexbor import LexborNode

from harvester.links.collect import Collector
from harvester.links.hints import looks_like_download
from harvester.links.payload import LINK_SCHEME, unescape_entities
from harvester.links.resolve import looks_encoded
from harvester.links.script_scan import literals
from harvester.links.signs import Signs
from harvester.links.text_scan import LABEL_REACH, labelled_hashes, link_candidates, visible
from harvester.model.link import LinkKind, LinkSource

_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd",
    "details", "dialog", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "head", "header", "hr", "html", "input", "li", "main", "nav", "ol", "optgroup", "option",
    "p", "pre", "script", "select", "section", "style", "summary", "table", "tbody", "td", "textarea",
    "tfoot", "th", "thead", "title", "tr", "ul",
})  # fmt: skip
"""Elements at whose edges running text ends."""
_SILENT: Final = frozenset({"script", "style"})
_NO_LINKS: Final = frozenset({
    "xmlns", "itemtype", "itemid", "vocab", "prefix", "typeof", "resource", "profile", "about", "property",
    "class", "id", "name", "style", "integrity", "srcset", "cite", "ping", "action", "formaction", "poster",
    "background", "alt", "type", "rel", "target", "method", "charset", "http-equiv", "role", "for", "lang",
    "width", "height",
})  # fmt: skip
"""Attributes that hold no link to a torrent; `action` is read as a form's."""
_ADDRESSES: Final = frozenset({"href", "src"})
_BORING: Final = _NO_LINKS | _ADDRESSES
_HANDLED: Final = frozenset({"a", "area", "link", "base", "iframe", "frame"})
"""Elements whose `href` or `src` is read as such."""
_RESOURCES: Final = frozenset({
    "img", "script", "link", "source", "video", "audio", "track", "meta", "base", "iframe", "frame",
    "input", "form",
})  # fmt: skip
"""Elements whose http attributes are parts of the page itself."""
_VALUE_SIGN: Final = re.compile(r"[:：%\\]|[A-Za-z0-9+/=_\-]{16}")
"""What every attribute with a link in it has."""
_RELATIVE: Final = frozenset({"data-href", "data-url", "data-link"})
_ONWARD: Final = re.compile(r"(?:data-)?hx-get|data-(?:[a-z]+-)*(?:next|more|load|scroll)(?:-[a-z]+)*")
"""What a script loads when a reader comes to the end of a page."""
_PLACE_SIGN: Final = re.compile(r"[/.?]")
_NAMED_HASH: Final = re.compile(r"info[-_]?hash|btih", re.IGNORECASE)
_HASH: Final = re.compile(r"[0-9A-Fa-f]{40}")
_HANDLER_SIGN: Final = re.compile(r"location|open\s{0,4}\(|href\s{0,4}=|:|%|\\|[A-Za-z0-9+/=]{16}|[Cc]ode")
"""What every event handler with a link in it has; most have none."""
_LIST: Final = re.compile(r"/?[\w.\-]{1,100}(?:/[\w.\-]{1,100}){0,10}\.json(?:\?[^\s\"'<>]{0,500})?")
"""What a script reads to make a list."""
_OPENS: Final = re.compile(
    r"\w{0,30}(?:open|go|jump|popup|show|view|down|load|visit|redirect)\w{0,30}\s{0,4}\(\s{0,4}"
    r"(?:\"([^\"\s<>]{2,500})\"|'([^'\s<>]{2,500})')",
    re.IGNORECASE,
)
"""A function whose name says that it goes to the address it is given."""
_ADDRESS: Final = re.compile(r"/[^/].*|[\w.\-/]+\.(?:html?|php|aspx?|jsp|torrent)(?:\?.*)?", re.DOTALL)
_GOING: Final = re.compile(r"location|\.href\b|open\s{0,4}\(")
_BLANK: Final = re.compile(r"[\s\"'<>]")
_CLIMB: Final = 600
MAX_HREF: Final = 4_000
MAX_NAME: Final = 100
MAX_OPTIONS: Final = 500
MAX_RUN: Final = 1_000_000
"""Characters of one block of text that are read."""


@lru_cache(maxsize=1024)
def _is_address(name: str) -> bool:
    """Whether an attribute holds an address, which may be a relative one."""
    return name in _RELATIVE or _ONWARD.fullmatch(name[:MAX_NAME]) is not None


class AnchorReader(Protocol):
    """What reads an `<a>` element, and its anchor text."""

    def read_anchor(self, node: LexborNode, attributes: dict[str, str | None]) -> None: ...

    def anchor_of(self, node: LexborNode, attributes: dict[str, str | None]) -> str: ...


class DeepReader:
    """Reads what `signs` tells, in document order."""

    def __init__(self, collector: Collector, anchors: AnchorReader, signs: Signs) -> None:
        self._collector = collector
        self._anchors = anchors
        self._signs = signs
        self._text = TextReader(collector)

    def read(self, root: LexborNode) -> None:
        """Walk the whole tree."""
        signs, text = self._signs, self._text
        for node in root.traverse(include_text=signs.text):
            tag = node.tag
            if tag == "-text":
                text.take(node)
            elif tag is None or tag[0] in "-!":
                continue
            elif tag == "script":
                text.flush()
                if signs.scripts:
                    self.read_script(node.text(), node, handler=False)
            else:
                if signs.text and tag in _BLOCKS:
                    text.flush()
                attributes = node.attributes
                if attributes:
                    text.before(node, tag)
                    self._read_element(node, tag, attributes)
        text.flush()

    def _read_element(self, node: LexborNode, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "a" or tag == "area":
            self._anchors.read_anchor(node, attributes)
        elif tag == "iframe" or tag == "frame":
            self._add_address(attributes.get("src") or "#", LinkSource.FRAME, node)
        if not self._signs.attributes:
            return
        if attributes.keys() <= _NO_LINKS:
            return
        if tag == "select" and _GOING.search(attributes.get("onchange") or ""):
            self._read_menu(node)
        for name in _ADDRESSES & attributes.keys():
            self._read_address(node, tag, attributes[name] or "")
        for name, value in attributes.items():
            if value and name not in _BORING and (len(value) >= 8 or _is_address(name)):
                if name[:2] == "on":
                    if _HANDLER_SIGN.search(value):
                        self.read_script(value, node, handler=True)
                elif _is_address(name) or _VALUE_SIGN.search(value):
                    self._read_attribute(node, tag, name, value)

    def _read_menu(self, select: LexborNode) -> None:
        """A menu that goes where its chosen option says."""
        for option in select.css("option")[:MAX_OPTIONS]:
            value = (option.attributes.get("value") or "").strip()
            if _ADDRESS.fullmatch(value):
                self._add_address(value, LinkSource.ATTRIBUTE, option)

    def _read_address(self, node: LexborNode, tag: str, value: str) -> None:
        """A `href` or `src` that is not the element's own business: a download scheme, or on a `<div>`."""
        scheme = LINK_SCHEME.match(value)
        if scheme and scheme[0][:4].lower() != "http" and tag not in _HANDLED:
            self._collector.add_candidate(value, LinkSource.ATTRIBUTE, node)
        elif tag not in _HANDLED and tag not in _RESOURCES:
            self._add_address(value or "#", LinkSource.ATTRIBUTE, node)

    def _read_attribute(self, node: LexborNode, tag: str, name: str, value: str) -> None:
        stripped = value.strip()
        scheme = LINK_SCHEME.match(stripped)
        if scheme and not _BLANK.search(stripped):
            if scheme[0][:4].lower() != "http":
                title = node.attributes.get("thunderrestitle") or ""
                self._collector.add_candidate(stripped, LinkSource.ATTRIBUTE, node, title)
            elif (tag not in _RESOURCES or name == "value") and name[:5] != "xmlns":
                self._add_address(stripped, LinkSource.ATTRIBUTE, node)
        elif _is_address(name) and stripped and stripped[0] != "{" and _PLACE_SIGN.search(stripped):
            self._add_address(stripped, LinkSource.ATTRIBUTE, node)
        elif _HASH.fullmatch(stripped):
            if _NAMED_HASH.search(name) or any(labelled_hashes(stripped, self._text.context())):
                self._collector.add_hash(stripped.lower(), node)
        elif looks_encoded(stripped):
            self._collector.add_candidate(stripped, LinkSource.ATTRIBUTE, node)
        elif len(stripped) > 20 and tag not in ("img", "meta"):
            self._read_glued(stripped, LinkSource.ATTRIBUTE, node)

    def _read_glued(self, text: str, source: LinkSource, node: LexborNode) -> None:
        """Links inside a longer value; of http ones only what looks like a download."""
        text = visible(text)
        for _, candidate in link_candidates(text):
            if candidate[:4].lower() != "http" or looks_like_download(candidate):
                self._collector.add_candidate(candidate, source, node)
        for _, infohash in labelled_hashes(text, self._text.context()):
            self._collector.add_hash(infohash, node)

    def _add_address(self, href: str, source: LinkSource, node: LexborNode) -> None:
        if href[0] == "#":
            return
        resolved = self._collector.resolve(href)
        if resolved is not None and resolved[2] is not LinkKind.ASSET:
            anchor = self._anchors.anchor_of(node, node.attributes) if source is LinkSource.ATTRIBUTE else ""
            self._collector.add(resolved, source, node, anchor)

    def read_script_href(self, script: str, node: LexborNode) -> None:
        """A link whose href is a script; a click on it goes somewhere."""
        self.read_script(script, node, handler=True)
        for match in _OPENS.finditer(script[:MAX_HREF]):
            address = match[1] or match[2]
            if _ADDRESS.fullmatch(address):
                self._add_address(address, LinkSource.SCRIPT, node)

    def read_script(self, script: str, node: LexborNode, *, handler: bool) -> None:
        """Links in the string literals of a script; a `handler` belongs to an element."""
        for value, goes in literals(script):
            stripped = value.strip()
            if len(stripped) < 8 and not (goes and stripped):
                continue
            if _BLANK.search(stripped):
                self._read_glued(unescape_entities(stripped), LinkSource.SCRIPT, node)
                continue
            scheme = LINK_SCHEME.match(stripped)
            if scheme:
                plain = scheme[0][:4].lower() == "http"
                if not plain or goes or handler or looks_like_download(stripped):
                    self._add_address(stripped, LinkSource.SCRIPT, node)
            elif looks_encoded(stripped) and self._collector.add_candidate(stripped, LinkSource.SCRIPT, node):
                continue
            elif (goes and stripped[0] not in "#{") or (".json" in stripped and _LIST.fullmatch(stripped)):
                self._add_address(stripped, LinkSource.SCRIPT, node)


class TextReader:
    """Joins the text of one block (across inline elements and `<wbr>`), then looks for links in it."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._block = -1
        self._inside_link = False
        self._pieces: list[str] = []
        self._starts: list[tuple[int, LexborNode]] = []
        self._length = 0
        self._tail = ""
        self._blocks: dict[int, tuple[int, bool]] = {}

    def take(self, node: LexborNode) -> None:
        """Add a text node."""
        text = node.text_content
        if not text or text.isspace():
            if self._pieces and text:
                self._pieces.append(" ")
                self._length += 1
            return
        parent = node.parent
        if parent is None or parent.tag in _SILENT:
            return
        block, inside_link = self._blocks.get(parent.mem_id) or self._block_of(parent)
        if block != self._block:
            self.flush()
            self._block = block
            self._inside_link = inside_link
        self._starts.append((self._length, parent))
        self._pieces.append(text)
        self._length += len(text)

    def before(self, node: LexborNode, tag: str) -> None:
        """Read what is pending when an element stands behind it: another block's, or a link, ends it."""
        if self._pieces:
            parent = node.parent
            if tag == "a" or (parent is not None and self._block_of(parent)[0] != self._block):
                self.flush()

    def _block_of(self, node: LexborNode) -> tuple[int, bool]:
        """(identity of the block an element's text flows in, whether that is a real link's own text)."""
        climbed: list[int] = []
        current: LexborNode | None = node
        answer = (0, False)
        while current is not None and len(climbed) < _CLIMB:
            known = self._blocks.get(current.mem_id)
            if known is not None:
                answer = known
                break
            climbed.append(current.mem_id)
            if current.tag == "a":
                href = current.attributes.get("href") or "#"
                answer = (current.mem_id, href[0] != "#" and href[:11].lower() != "javascript:")
                break
            if current.tag in _BLOCKS:
                answer = (current.mem_id, False)
                break
            current = current.parent
        for identity in climbed:
            self._blocks[identity] = answer
        return answer

    def flush(self) -> None:
        """Read the text gathered so far: a block begins or ends here."""
        if self._pieces:
            text = visible("".join(self._pieces) if len(self._pieces) > 1 else self._pieces[0])
            self.read(text[:MAX_RUN])
            self._pieces, self._starts, self._length = [], [], 0
        self._block = -1

    def context(self) -> str:
        """The text just before, in which a label of an infohash may stand."""
        return (self._tail + "\n" + "".join(self._pieces[-8:])[-LABEL_REACH:])[-LABEL_REACH:]

    def read(self, text: str) -> None:
        """Look for links; in a real link's own text only for what is no http address (it may be cut)."""
        if ":" in text or "：" in text or "%3" in text:
            for position, candidate in link_candidates(text):
                if not (self._inside_link and candidate[:4].lower() in ("http", "ftp:")):
                    node = self._node_at(position)
                    self._collector.add_candidate(candidate, LinkSource.TEXT, node)
        if len(text) >= 40:
            for position, infohash in labelled_hashes(text, self._tail):
                self._collector.add_hash(infohash, self._node_at(position))
        self._tail = (self._tail + "\n" + text[-LABEL_REACH:].strip())[-LABEL_REACH:]

    def _node_at(self, position: int) -> LexborNode | None:
        if not self._starts:
            return None
        index = bisect_right(self._starts, position, key=lambda start: start[0])
        return self._starts[max(0, index - 1)][1]
