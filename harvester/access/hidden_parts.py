"""Parts of a page that are kept back, told by a short notice of the site's own, whatever its software.

What people write is not to be taken for a notice: it counts as one only where it is all that a small block
says, outside links, headings and forms to write in, and not in the first person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

import re2
from msgspec import Struct
from selectolax.lexbor import LexborNode

from harvester.access.wall_markers.marker import OPENS_BY
from harvester.access.wall_markers.notices import NOTICES, TRIGGER, Notice, in_text
from harvester.access.wall_page import WallPage, text_of
from harvester.model.wall import Wall, WallKind, WallScope
from harvester.policy.verbs import words

_LONGEST = 220
"""Characters of a block that says nothing but its notice."""
_CLIMB = 4
_AROUND = 150
_MOST_TEXT = 200_000
_MOST_TEXTS = 20_000
_MOST_BLOCKS = 60
_STEM = re.compile(
    r"repl|respond|comment|post|thank|like|react|log ?in|sign|regist|member|guest|hidden|credit|point|coin"
    r"|gold|content|link|price|[回评評留跟登付售购購积積金感点點隐隱]|ответ|коммент|сообщ|спасибо|зарегистр|скрыт"
    r"|antwort|kommentier|répond|coment|rispond|odpowie|skoment|cevap|yorum|yanıt|trả lời|bình luận"
    r"|返信|コメント|댓글|답글|балл|очк|кредит",
    re.IGNORECASE,
)
_NOT_IN = words(
    "a h1 h2 h3 h4 h5 h6 title head nav header footer textarea option select button script style noscript "
    "code pre label template svg"
)
_MADE_FOR_IT = re.compile(
    r"hid|lock|reply|locked|notice|tips?(?:$|[\s_-])|alert|protect|restrict|members?[_-]?only|guest|nolink|pay|buy|secret|spoiler|unlock",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:I|I'?m|I'?ll|I'?ve|we|my|me)\b|(?<![自其])我|楼主(?!可)|\bя\b|\bмне\b|\bich\b|\bje\b"
)
_SPOKEN_OF = re.compile(r"^\W{0,3}(?:re|quote|引用)\b|[?？]\s*$", re.IGNORECASE)


class _Reader(Struct, frozen=True):
    notice: Notice
    strong: re.Pattern[str]
    weak: re.Pattern[str] | None
    needed: re.Pattern[str] | None


_READERS = tuple(
    _Reader(
        one,
        re.compile(in_text(one.strong), re.IGNORECASE),
        re.compile(in_text(one.weak), re.IGNORECASE) if one.weak else None,
        re.compile(one.needed) if one.needed else None,
    )
    for one in NOTICES
)


def _trigger() -> re2._Regexp:
    options = re2.Options()
    options.case_sensitive = False
    return re2.compile(TRIGGER, options)


_TRIGGER = _trigger()


def _may_tell(text: str, readers: Sequence[_Reader]) -> bool:
    """Whether a text holds a notice's sentence, somewhere: looked for around what triggers only."""
    end = 0
    for count, found in enumerate(_TRIGGER.finditer(text)):
        if count >= _MOST_BLOCKS:
            return True
        window = text[max(end, found.start() - _AROUND) : found.end() + _AROUND]
        if any(one.strong.search(window) or (one.weak and one.weak.search(window)) for one in readers):
            return True
        end = found.start() - _AROUND
    return False


def hidden_parts(page: WallPage, known: AbstractSet[WallKind] = frozenset()) -> list[Wall]:
    """The walls that notices on the page tell of, one of each kind; never before the whole page.

    `known` are the kinds that were found on it by other marks.
    """
    left_out = known | {WallKind.LOGIN} if page.member else known
    readers = [one for one in _READERS if one.notice.kind not in left_out]
    if not _may_tell(page.text[:_MOST_TEXT], readers):
        return []
    found: dict[WallKind, Wall] = {}
    for count, node in enumerate(_blocks(page)):
        if count >= _MOST_BLOCKS:
            break
        wall = _wall_of(node, readers)
        if wall is not None:
            found.setdefault(wall.kind, wall)
    return list(found.values())


def _blocks(page: WallPage) -> Iterator[LexborNode]:
    """The elements whose own words may be a notice, in the order of the page."""
    body = page.tree.body
    if body is None:
        return
    seen: set[int] = set()
    for count, node in enumerate(body.traverse(include_text=True)):
        if count > _MOST_TEXTS:
            return
        if node.tag != "-text" or node.parent is None:
            continue
        words = node.text(deep=True)
        if len(words) <= _LONGEST * 2 and _STEM.search(words) and node.parent.mem_id not in seen:
            seen.add(node.parent.mem_id)
            yield node.parent


def _wall_of(node: LexborNode, readers: Sequence[_Reader]) -> Wall | None:
    block: LexborNode | None = node
    elsewhere = _elsewhere(node)
    if elsewhere is not None and _read(elsewhere, text_of(elsewhere), readers) is not None:
        return None
    for _ in range(_CLIMB):
        if block is None or block.tag in ("body", "html", "form", "tr", "tbody", "table", "ul", "ol"):
            return None
        text = text_of(block)
        if len(text) > _LONGEST:
            return None
        wall = _read(block, text, readers)
        if wall is not None:
            return None if _elsewhere(block) is not None else wall
        block = block.parent
    return None


def _read(block: LexborNode, text: str, readers: Sequence[_Reader]) -> Wall | None:
    if _SELF.search(text) or _SPOKEN_OF.search(text):
        return None
    for reader in readers:
        kind = reader.notice.kind
        match = reader.strong.search(text)
        if match is None and reader.weak is not None and _is_made_for_it(block):
            match = reader.weak.search(text)
        if match is not None:
            needed = reader.needed.search(text) if reader.needed else None
            return Wall(
                kind=kind,
                scope=WallScope.PART,
                evidence=f"notice: {match.group()}"[:200],
                engine="generic",
                opens_by=reader.notice.opens_by or OPENS_BY[kind],
                needed=needed[1].strip() if needed else "",
            )
    return None


def _is_made_for_it(block: LexborNode) -> bool:
    for node in (block, block.parent):
        if node is not None:
            attributes = node.attributes
            named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
            if _MADE_FOR_IT.search(named) or node.tag in ("fieldset", "blockquote", "legend"):
                return True
    return False


def _elsewhere(block: LexborNode) -> LexborNode | None:
    """The link, heading, menu, or form to write in that the block belongs to, None for none."""
    node: LexborNode | None = block
    for _ in range(12):
        if node is None or node.tag in ("body", "html"):
            return None
        if node.tag in _NOT_IN:
            return node
        if node.tag == "form" and node.css_first("textarea, input[type=password i]") is not None:
            return node
        node = node.parent
    return None
