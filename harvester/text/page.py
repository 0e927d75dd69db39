"""What a page is about: title, heading, main text, language, fingerprint.

Main text by maximum subsequence segmentation (Pasternack and Roth 2009): the page is cut into blocks at its
block elements; text outside links counts for a block, text in links against it, and the blocks between the
best start and the best end are the main text. One pass over the tree, nothing is removed from it.
"""

from __future__ import annotations

from itertools import islice
from urllib.parse import unquote, urlsplit

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.model.text import PageText
from harvester.text.fingerprint import fingerprint
from harvester.text.language import guess_language
from harvester.text.tree import parse_tree

MAX_NODES = 60_000
"""Nodes of a tree that are looked at."""
MAX_MAIN_TEXT = 200_000
"""Characters of main text that are kept."""
_MAX_LINE = 500

_BLOCK_TAGS = frozenset(
    [
        *(
            "p",
            "div",
            "td",
            "th",
            "tr",
            "table",
            "li",
            "ul",
            "ol",
            "dl",
            "dt",
            "dd",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
        ),
        *(
            "article",
            "section",
            "main",
            "header",
            "footer",
            "nav",
            "aside",
            "form",
            "fieldset",
            "blockquote",
            "pre",
        ),
        *("figure", "figcaption", "details", "summary", "center", "body", "address", "hr"),
    ]
)
# What is no text for a reader of the page, or the same on every page of a site.
_SKIPPED_TAGS = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "nav",
        "footer",
        "aside",
        "select",
        "textarea",
        "button",
        "iframe",
        "svg",
    ]
)
_BLOCK_COST = 12
"""What each block costs: menus and lists of small labels lose, paragraphs win."""
_LINK_COST = 1.5
_KINDLESS = frozenset({"p.", "div.", "td.", "body.", "li.", "html."})
"""Elements without a class say nothing of what they hold."""
_MAX_AROUND = 3_000
_LITTLE = 80
"""Characters of main text below which the fingerprint is taken of the whole page."""


class _Block(Struct):
    """Text between two block elements; `opened_by` is the first of them."""

    opened_by: LexborNode
    pieces: list[str] = field(default_factory=list)
    text: int = 0
    links: int = 0

    def value(self) -> float:
        """How much it speaks for being main text; negative for links and small labels."""
        weight = 1.0
        if self.text and not (joined := "".join(self.pieces)).isascii():
            # A Chinese character says as much as two letters; in UTF-8 it is two bytes longer than one.
            weight += (len(joined.encode("utf-8", "replace")) - len(joined)) / (2 * len(joined))
        return (self.text - _LINK_COST * self.links) * weight - _BLOCK_COST

    def kind(self) -> str:
        """Tag and first class: the posts of a thread have it in common."""
        classes = (self.opened_by.attributes.get("class") or "").split()
        return f"{self.opened_by.tag}.{classes[0].rstrip('0123456789') if classes else ''}"


class _Read(Struct):
    """What one pass over a tree has found."""

    title: str = ""
    h1: str = ""
    h2: str = ""
    blocks: list[_Block] = field(default_factory=list)


def analyse(html: str, *, tree: LexborHTMLParser | None = None, url: str = "") -> PageText:
    """Analyse a page; never raises, whatever it holds.

    `tree` is its parsed tree where the caller has one (it is only read). `url` gives the title of a page
    that has none: the last segment of its path.
    """
    if tree is None:
        tree = parse_tree(html)
    root = tree.root
    if root is None:
        return PageText("", "", "", "", fingerprint(""))
    read = _Reader(root).run(root)
    main = _main_text(read.blocks)
    title = read.title or read.h1 or read.h2 or _from_url(url)
    is_thin = len(main) < _LITTLE
    told = "\n".join("".join(block.pieces) for block in read.blocks) if is_thin else main
    return PageText(
        title=title,
        heading=_heading(read),
        main_text=main,
        language=guess_language(f"{told[:1_400]} {title}", (root.attributes.get("lang") or "").strip()),
        fingerprint=fingerprint(f"{title}\n{told}", whole_page=is_thin),
        around=told[:_MAX_AROUND] if is_thin else "",
    )


def _heading(read: _Read) -> str:
    """The first h1, unless the title begins with the first h2: then the h1 is the name of the site."""
    if read.h2 and read.title.startswith(read.h2) and not (read.h1 and read.title.startswith(read.h1)):
        return read.h2
    return read.h1 or read.h2


def _line(text: str | None) -> str:
    return " ".join((text or "")[: _MAX_LINE * 4].split())[:_MAX_LINE]


def _from_url(url: str) -> str:
    try:
        segment = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    except ValueError:
        return ""
    return _line(unquote(segment, errors="replace"))


class _Reader:
    """One pass in document order.

    Text has no ancestors here: how much of what follows lies in a link or in something skipped is known by
    the length of that element's text.
    """

    def __init__(self, root: LexborNode) -> None:
        self.read = _Read()
        self._block = _Block(root)
        self._skip = 0
        self._link = 0

    def run(self, root: LexborNode) -> _Read:
        for node in islice(root.traverse(include_text=True), MAX_NODES):
            tag = node.tag
            if tag == "-text":
                self._text(node.text_content or "")
            elif self._skip > 0:
                continue
            elif tag == "a":
                self._link = len(node.text())
            elif tag in _BLOCK_TAGS:
                self._open(node, tag or "")
            elif tag == "br":
                self._block.pieces.append("\n")
            elif tag in _SKIPPED_TAGS:
                self._skip = len(node.text())
            elif tag == "title":
                text = node.text()
                self._skip = len(text)
                self.read.title = self.read.title or _line(text)
        if self._block.text or self._block.links:
            self.read.blocks.append(self._block)
        return self.read

    def _text(self, text: str) -> None:
        length = len(text)
        if self._skip > 0:
            self._skip -= length
            return
        in_link = self._link > 0
        self._link -= length
        shown = len(text.strip())
        if not shown:
            return
        self._block.pieces.append(text)
        if in_link:
            self._block.links += shown
        else:
            self._block.text += shown

    def _open(self, node: LexborNode, tag: str) -> None:
        if self._block.text or self._block.links:
            self.read.blocks.append(self._block)
            self._block = _Block(node)
        else:
            self._block.opened_by = node
        if tag in _SKIPPED_TAGS:
            self._skip = len(node.text())
        elif tag == "h1" and not self.read.h1:
            self.read.h1 = _line(node.text())
        elif tag == "h2" and not self.read.h2:
            self.read.h2 = _line(node.text())


def _main_blocks(blocks: list[_Block]) -> list[_Block]:
    """The run of blocks with the greatest sum of values, and the blocks of its kind elsewhere.

    Between the posts of a thread stand profiles and buttons that outweigh a short post; a post is known by
    the element it is in.
    """
    values = [block.value() for block in blocks]
    best = running = 0.0
    start = best_start = best_end = 0
    for number, value in enumerate(values):
        running += value
        if running <= 0.0:
            running, start = 0.0, number + 1
        elif running > best:
            best, best_start, best_end = running, start, number + 1
    run = range(best_start, best_end)
    kinds = {blocks[number].kind() for number in run if values[number] > 0} - _KINDLESS
    return [
        block
        for number, (block, value) in enumerate(zip(blocks, values, strict=True))
        if (number in run and block.links <= 3 * block.text)
        or (value > 0 and kinds and block.kind() in kinds)
    ]


def _main_text(blocks: list[_Block]) -> str:
    lines: list[str] = []
    length = 0
    for block in _main_blocks(blocks):
        for line in "".join(block.pieces).splitlines():
            if words := line.split():
                lines.append(" ".join(words))
                length += len(line)
        if length > MAX_MAIN_TEXT:
            break
    return "\n".join(lines)[:MAX_MAIN_TEXT]
