"""The query language.

ubuntu server               both words, anywhere in names, titles, comments and file paths
"big buck"                  these words next to each other
ubuntu -server              without this word; NOT server says the same
debian OR fedora            one of them; OR (or |) binds looser than words side by side
ubuntu (iso OR img)         brackets group
ubun*                       words that begin so
size:>1GB size:1GB..4GiB    bytes; kB, MB, GB, TB are decimal, KiB, MiB, GiB, TiB binary
date:>2024-01-31 date:2024  first seen; a day, month or year, or 7d: that long ago (h d w m y)
created:<2020               the date in the torrent itself
files:>10 files:1..5
site: ext: lang: type: private:yes wall: publisher:
hash:…                      infohash (hex, base32, v1, v2) or MD5; a bare hash or magnet link is seen too
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NoReturn

from harvester.errors import QueryError
from harvester.model.query import And, Everything, HasHash, Node, Not, Or, Word
from harvester.search.hashes import digests_in, magnet_digests
from harvester.search.query_fields import FIELDS, BadValue
from harvester.text.terms import query_parts

MAX_QUERY = 1000
"""Characters."""
MAX_TERMS = 64
MAX_PREFIXES = 16
"""Beginnings of words, single Chinese characters among them: each is looked up as many words."""
MAX_DEPTH = 16

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<bracket>[()])
    |(?P<minus>-(?=[^\s)]))
    |(?P<phrase>(?:(?P<field>[A-Za-z]{1,20}):)?"(?P<quoted>[^"]*)(?P<end>"?))
    |(?P<word>[^\s()"]+)""",
    re.VERBOSE,
)
_FIELD = re.compile(r"([A-Za-z]{1,20}):(.*)", re.DOTALL)

Kind = Literal["open", "close", "minus", "or", "not", "term"]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Kind
    at: int
    node: Node | None = None


def parse_query(text: str, *, now: float) -> Node:
    """The tree of a query; `Everything` for an empty one. `now` (UTC seconds) is what `7d` counts from.

    Raises `QueryError` with the position (characters from 0) and what is wrong there.
    """
    if len(text) > MAX_QUERY:
        raise QueryError(text[:MAX_QUERY], MAX_QUERY, f"it is longer than {MAX_QUERY:,} characters")
    if text.strip().lower().startswith("magnet:?"):
        digests = magnet_digests(text.strip())
        if not digests:
            raise QueryError(text, 0, "this magnet link has no BitTorrent infohash")
        return HasHash(digests)
    return _Parser(text, _tokens(text, now)).query()


def _tokens(text: str, now: float) -> list[_Token]:
    tokens: list[_Token] = []
    terms = prefixes = 0
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None
        token = _token(text, found, now)
        if token is not None:
            tokens.append(token)
            terms += token.kind == "term"
            if terms > MAX_TERMS:
                raise QueryError(text, at, f"there are more than {MAX_TERMS} words")
            if isinstance(token.node, Word):
                parts = query_parts(token.node.text, prefix=token.node.prefix)
                prefixes += sum(part.prefix for part in parts)
            if prefixes > MAX_PREFIXES:
                reason = f"there are more than {MAX_PREFIXES} beginnings of words or single characters"
                raise QueryError(text, at, reason)
        at = found.end()
    return tokens


def _token(text: str, found: re.Match[str], now: float) -> _Token | None:
    at = found.start()
    match found.lastgroup:
        case "blank":
            return None
        case "bracket":
            return _Token("open" if found[0] == "(" else "close", at)
        case "minus":
            return _Token("minus", at)
        case "word":
            if found[0] in ("OR", "|"):
                return _Token("or", at)
            if found[0] == "NOT":
                return _Token("not", at)
            if found[0] == "AND":
                return None  # what stands side by side is joined by it anyway
            return _term(text, found[0], at, now)
        case _:
            return _quoted(text, found, now)


def _term(text: str, word: str, at: int, now: float) -> _Token | None:
    field = _FIELD.fullmatch(word)
    if field:
        return _Token("term", at, _field(text, field[1], field[2], at, now))
    digests = digests_in(word)
    if digests:
        return _Token("term", at, HasHash(digests, word))
    prefix = word.endswith("*")
    if prefix and not query_parts(word):
        raise QueryError(text, at, "there is nothing before this *; write the beginning of a word")
    if "*" in word.rstrip("*"):
        raise QueryError(text, at + word.index("*"), "* stands for the end of a word only")
    if not query_parts(word):
        return None  # punctuation between words, as in names: `Artist - Album`
    return _Token("term", at, Word(word.rstrip("*"), prefix=prefix))


def _quoted(text: str, found: re.Match[str], now: float) -> _Token:
    at, quoted = found.start(), found["quoted"]
    if not found["end"]:
        raise QueryError(text, found.start("quoted") - 1, 'this " has no second one')
    if found["field"]:
        return _Token("term", at, _field(text, found["field"], quoted, at, now))
    if not query_parts(quoted):
        raise QueryError(text, at, "there is no word between these quotes")
    return _Token("term", at, Word(quoted, phrase=True))


def _field(text: str, name: str, value: str, at: int, now: float) -> Node:
    read = FIELDS.get(name.lower())
    if read is None:
        near = get_close_matches(name.lower(), FIELDS, 1)
        meant = f"did you mean {near[0]}:?" if near else f"fields are {', '.join(FIELDS)}"
        raise QueryError(
            text, at, f"there is no field {name}: ({meant}; to find it as text, put it in quotes)"
        )
    value_at = at + len(name) + 1
    if not value.strip():
        raise QueryError(text, value_at, f"there is nothing after {name}:")
    try:
        return read(value.strip(), now)
    except BadValue as error:
        raise QueryError(text, value_at, str(error)) from None


class _Parser:
    """Recursive descent: alternatives of sequences of factors."""

    def __init__(self, text: str, tokens: Sequence[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._next = 0

    def query(self) -> Node:
        if not self._tokens:
            return Everything()
        node = self._alternatives(0)
        if self._next < len(self._tokens):
            self._wrong(self._tokens[self._next], "this ) closes no (")
        return node

    def _alternatives(self, depth: int) -> Node:
        parts = [self._sequence(depth)]
        while (token := self._peek()) is not None and token.kind == "or":
            self._next += 1
            parts.append(self._sequence(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while (token := self._peek()) is not None and token.kind not in ("or", "close"):
            parts.append(self._factor(depth))
        if not parts:
            self._missing()
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _factor(self, depth: int) -> Node:
        token = self._tokens[self._next]
        self._next += 1
        if token.kind in ("minus", "not"):
            follows = self._peek()
            if follows is None or follows.kind in ("or", "close"):
                self._wrong(token, "there is nothing after it to leave out")
            if follows.kind in ("minus", "not"):
                self._wrong(follows, "this leaves out what is already left out")
            return Not(self._factor(depth))
        if token.kind == "open":
            if depth >= MAX_DEPTH:
                self._wrong(token, f"brackets are more than {MAX_DEPTH} deep")
            node = self._alternatives(depth + 1)
            closing = self._peek()
            if closing is None:
                self._wrong(token, "this ( is not closed")
            self._next += 1
            return node
        assert token.node is not None
        return token.node

    def _missing(self) -> NoReturn:
        """Nothing where words should be: beside an OR, or between brackets."""
        before = self._tokens[self._next - 1] if self._next else None
        token = self._peek()
        if token is not None and token.kind == "or":
            self._wrong(token, "there is nothing before this OR")
        if before is not None and before.kind == "or":
            self._wrong(before, "there is nothing after this OR")
        if token is not None and before is None:
            self._wrong(token, "this ) closes no (")
        assert before is not None
        reason = "there is nothing between these brackets" if token is not None else "this ( is not closed"
        self._wrong(before, reason)

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _wrong(self, token: _Token, reason: str) -> NoReturn:
        raise QueryError(self._text, token.at, reason)
