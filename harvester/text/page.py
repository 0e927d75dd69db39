"""What a page is about: title, heading, main text, language, fingerprint.

Main text by maximum subsequence segmentation (Pasternack and Roth 2009): the page is cut into blocks at its
block elements; text outside links counts for a block, text in links against it, and the blocks between the
best start and the best end are the main text. One pass over the tree, nothing is removed from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

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
_WIDE = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_MAX_AROUND = 3_000
_LITTLE = 80
"""Characters of main text below which the fingerprint is taken of the whole page."""


@dataclass(slots=True)
class _Block:
    pieces: list[str] = field(default_factory=list)
    text: int = 0
    links: int = 0

    def value(self) -> float:
        weight = 1.0
        if self.text and not (joined := "".join(self.pieces)).isascii():
            # A Chinese character says as much as two or three letters.
            weight += len(_WIDE.findall(joined)) / max(1, self.text + self.links)
        return (self.text - _LINK_COST * self.links) * weight - _BLOCK_COST


@dataclass(slots=True)
class _Read:
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
    read = _read(root)
    main = _main_text(read.blocks)
    title = read.title or read.h1 or read.h2 or _from_url(url)
    is_thin = len(main) < _LITTLE
    told = "\n".join("".join(block.pieces) for block in read.blocks) if is_thin else main
    return PageText(
        title=title,
        heading=read.h1 or read.h2,
        main_text=main,
        language=guess_language(f"{told[:1_400]} {title}", (root.attributes.get("lang") or "").strip()),
        fingerprint=fingerprint(f"{title}\n{told}", whole_page=is_thin),
        around=told[:_MAX_AROUND] if is_thin else "",
    )


def _line(text: str | None) -> str:
    return " ".join((text or "")[: _MAX_LINE * 4].split())[:_MAX_LINE]


def _from_url(url: str) -> str:
    try:
        segment = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    except ValueError:
        return ""
    return _line(unquote(segment, errors="replace"))


def _read(root: LexborNode) -> _Read:
    """One pass in document order.

    Text has no ancestors here: how much of what follows lies in a link or in something skipped is known by
    the length of that element's text.
    """
    read = _Read()
    block = _Block()
    skip = link = 0
    for count, node in enumerate(root.traverse(include_text=True)):
        if count > MAX_NODES:
            break
        tag = node.tag
        if tag == "-text":
            text = node.text_content or ""
            length = len(text)
            if skip > 0:
                skip -= length
                continue
            in_link = link > 0
            link -= length
            if text.isspace():
                continue
            block.pieces.append(text)
            shown = len(text.strip())
            if in_link:
                block.links += shown
            else:
                block.text += shown
        elif skip > 0:
            continue
        elif tag == "a":
            link = len(node.text())
        elif tag in _BLOCK_TAGS or tag == "br":
            if tag != "br" and block.pieces:
                read.blocks.append(block)
                block = _Block()
            elif tag == "br" and block.pieces:
                block.pieces.append("\n")
            if tag == "h1" and not read.h1:
                read.h1 = _line(node.text())
            elif tag == "h2" and not read.h2:
                read.h2 = _line(node.text())
            elif tag in _SKIPPED_TAGS:
                skip = len(node.text())
        elif tag == "title" and not read.title:
            text = node.text()
            read.title = _line(text)
            skip = len(text)
        elif tag in _SKIPPED_TAGS:
            skip = len(node.text())
    if block.pieces:
        read.blocks.append(block)
    return read


def _main_text(blocks: list[_Block]) -> str:
    """The text of the run of blocks with the greatest sum of values; links alone are left out of it."""
    best = running = 0.0
    start = best_start = best_end = 0
    for number, block in enumerate(blocks):
        running += block.value()
        if running <= 0.0:
            running, start = 0.0, number + 1
        elif running > best:
            best, best_start, best_end = running, start, number + 1
    lines: list[str] = []
    length = 0
    for block in blocks[best_start:best_end]:
        if block.links > 3 * block.text:
            continue
        line = " ".join("".join(block.pieces).split(" ")).strip()
        lines.append(line)
        length += len(line)
        if length > MAX_MAIN_TEXT:
            break
    return "\n".join(lines)[:MAX_MAIN_TEXT]
