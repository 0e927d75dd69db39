"""The blocks of a page that a reply has opened: what stands in them stood behind that wall before."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from harvester.access.wall_markers.generic import OPENED_WORDS
from harvester.access.wall_page import text_of

_BLOCKS = (
    ".showhide, .content_hidden, .hidebox, .hide-content, .hidecontent, .hidden-content, .hiddencontent, "
    "[class*='hideBlock' i], [class*='Block--hide' i], [class*='reply2' i], [class*='replyto' i], "
    "[class*='reply-to' i], [class*='hide-reply' i], [class*='unlocked' i], [id^='hidden_'], .quoteTips"
)
_NOTICES = "div.notice, fieldset, blockquote, div.quote"
_MOST = 50


def opened_blocks(tree: LexborHTMLParser) -> Iterator[str]:
    """The source of each such block; of plain notices and quotes only those that say so themselves."""
    for node in tree.css(_BLOCKS)[:_MOST]:
        yield node.html or ""
    for node in tree.css(_NOTICES)[:_MOST]:
        if OPENED_WORDS.search(text_of(node)[:200]):
            yield node.html or ""
