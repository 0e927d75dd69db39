"""What a page says that a file costs, beside the link to it.

Some software takes the points when the link is asked for, so such a link must not be followed as others are.
What counts is what stands with the link: a price elsewhere on the page says nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import re2
from selectolax.lexbor import LexborNode

from harvester.access.login_plan import Read, base_of, joined
from harvester.access.points import price_in
from harvester.access.wall_page import text_of

_MOST_LINKS = 3_000
_BOX = 240
"""Characters of a box that speaks of one file."""
_AFTER = 120
_TRIGGER = re2.compile(
    r"(?i)售价|售價|价格|價格|扣除|消耗|花费|支付|creditconfirm|confirm\(|costs?\b|price|pay\b|spend|стоимость|цена"
)
_CONFIRMS = re.compile(
    r"creditconfirm\s*\(|confirm\s*\([^)]{0,200}(?:积分|積分|金币|金錢|金钱|points|credits|coins|bonus|балл)",
    re.IGNORECASE,
)
"""A script that asks before the link is followed: the link itself asks no more."""


def may_tell_a_price(html: str) -> bool:
    """Whether the source of a page gives reason to look for prices."""
    return bool(_TRIGGER.search(html))


def prices_beside(page: Read, urls: Collection[str], *, asks_first: bool = False) -> dict[str, float | None]:
    """The links among `urls` that spend points when asked for, by what the page says of each.

    The value is the price, None where only a script's question tells that there is one. `asks_first`: this
    software shows a form before it takes anything, so that a price beside a link is no danger.
    """
    base, found = base_of(page), dict[str, float | None]()
    for link in page.tree.css("a[href]")[:_MOST_LINKS]:
        url = joined(base, (link.attributes.get("href") or "").strip())
        if url not in urls or found.get(url) is not None:
            continue
        if _CONFIRMS.search(link.attributes.get("onclick") or ""):
            found[url] = _price_of(link)
        elif not asks_first and (price := _price_of(link)):
            found[url] = price
    return found


def _price_of(link: LexborNode) -> float | None:
    """The price in the nearest small box that holds no other file's link, or in what follows the link."""
    script = _script(link)
    node = link.parent
    while node is not None and node.tag not in ("body", "html", "form"):
        text = text_of(node)
        if len(text) > _BOX or sum(_script(other) == script for other in node.css("a[href]")[:20]) > 1:
            break
        if (price := price_in(text.replace(text_of(link), " ", 1))) is not None:
            return price
        node = node.parent
    return price_in(_text_after(link, script))


def _text_after(link: LexborNode, script: str) -> str:
    """The text between a link and the next one of its kind, in the box that it stands in."""
    parts, length, node = [], 0, link.next
    while node is not None and length < _AFTER:
        if node.tag == "a" and _script(node) == script:
            break
        text = node.text(deep=True) if node.tag == "-text" else text_of(node)
        parts.append(text)
        length += len(text)
        node = node.next
    return " ".join(parts)[:_AFTER]


def _script(link: LexborNode) -> str:
    """The part of a link's address that files of one kind share."""
    return re.sub(r"\d+", "", (link.attributes.get("href") or "").partition("?")[0])
