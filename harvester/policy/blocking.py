"""What the operator took out for good: matching torrents against the blocklist.

Pure: everything that shows, serves, exports or stores a torrent asks the same compiled `Blocklist`.

- `infohash`: v1 (40 hex digits), v2 (64) or v2 truncated (40).
- `word`: one or more words next to each other in a name, a title or a path, folded as search folds them;
  Chinese, Japanese and Korean as any part of the text.
- `pattern`: an RE2 pattern, searched in the same texts, case ignored.
- `publisher`: who the file says made or published it, or that address's host; the whole of it, folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import re2
from msgspec import Struct

from harvester.errors import UsageError
from harvester.links import parse_url
from harvester.model.query import Searchable
from harvester.model.stored import Block, StoredTorrent, TakenTorrent
from harvester.text.folding import fold
from harvester.text.terms import index_terms, phrase_terms

MAX_VALUE = 500
"""Characters of a block's value."""
_MAX_PATTERN_MEMORY = 8 << 20
_HEX = frozenset("0123456789abcdef")


class Subject(Struct, frozen=True):
    """What a block looks at. `texts`: name, titles, paths; `publishers`: as the file says."""

    infohash_v1: bytes | None = None
    infohash_v2: bytes | None = None
    texts: Sequence[str] = ()
    publishers: Sequence[str] = ()


def subject_of_taken(taken: TakenTorrent) -> Subject:
    """A torrent that a crawl came by, before it is stored."""
    told = (taken.metadata.get("publisher"), taken.metadata.get("publisher_url"))
    titles = (taken.name, taken.source.title, taken.source.anchor)
    return Subject(
        taken.infohash_v1,
        taken.infohash_v2,
        (*titles, *(file.path for file in taken.files)),
        tuple(str(one) for one in told if one),
    )


def subject_of_searchable(torrent: Searchable) -> Subject:
    """A stored torrent with everything that is searched of it."""
    texts = (torrent.name, *torrent.titles, *torrent.paths)
    return Subject(torrent.infohash_v1, torrent.infohash_v2, texts, torrent.publishers)


def subject_of_stored(
    torrent: StoredTorrent, paths: Iterable[str] = (), titles: Iterable[str] = ()
) -> Subject:
    """A stored torrent; its paths and titles where the caller has them."""
    told = (torrent.metadata.get("publisher"), torrent.metadata.get("publisher_url"))
    publishers = tuple(str(one) for one in told if one)
    return Subject(torrent.infohash_v1, torrent.infohash_v2, (torrent.name, *titles, *paths), publishers)


def checked_block(kind: str, value: str, reason: str, *, now: float) -> Block:
    """A block that makes sense; `UsageError` says what is wrong with it."""
    value = value.strip()
    if not value or len(value) > MAX_VALUE:
        raise UsageError("a block needs a value", hint=f"at most {MAX_VALUE} characters")
    match kind:
        case "infohash":
            value = value.lower()
            if len(value) not in (40, 64) or not _HEX.issuperset(value):
                raise UsageError(f"{value!r} is no infohash", hint="give 40 or 64 hexadecimal digits")
            return Block("infohash", value, reason, now)
        case "word":
            if not index_terms(value):
                raise UsageError(f"{value!r} has no letter and no digit", hint="use a pattern instead")
            return Block("word", value, reason, now)
        case "pattern":
            if _compiled(value).search(""):
                raise UsageError(f"the pattern {value!r} matches everything")
            return Block("pattern", value, reason, now)
        case "publisher":
            return Block("publisher", value, reason, now)
    raise UsageError(f"there is no block of kind {kind!r}", hint="infohash, word, pattern or publisher")


class Blocklist:
    """All blocks, compiled once. False when there is none."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)
        self._infohashes: dict[bytes, Block] = {}
        self._words: list[tuple[_Words, Block]] = []
        self._patterns: list[tuple[re2._Regexp, Block]] = []
        self._publishers: dict[str, Block] = {}
        for block in self.blocks:
            if block.kind == "infohash":
                self._infohashes[bytes.fromhex(block.value)] = block
            elif block.kind == "word":
                self._words.append((_Words(block.value), block))
            elif block.kind == "pattern":
                self._patterns.append((_compiled(block.value), block))
            else:
                self._publishers[publisher_key(block.value)] = block

    def __bool__(self) -> bool:
        return bool(self.blocks)

    def match(self, subject: Subject) -> Block | None:
        """The first block that takes the torrent out, None: it stays."""
        return (
            (self._infohashes and self._by_infohash(subject))
            or (self._publishers and self._by_publisher(subject))
            or (self._words and self._by_word(subject.texts))
            or (self._patterns and self._by_pattern(subject.texts))
            or None
        )

    def _by_infohash(self, subject: Subject) -> Block | None:
        v2 = subject.infohash_v2
        for digest in (subject.infohash_v1, v2, v2[:20] if v2 else None):
            if digest is not None and digest in self._infohashes:
                return self._infohashes[digest]
        return None

    def _by_publisher(self, subject: Subject) -> Block | None:
        for publisher in subject.publishers:
            for key in publisher_keys(publisher):
                if key in self._publishers:
                    return self._publishers[key]
        return None

    def _by_pattern(self, texts: Sequence[str]) -> Block | None:
        for text in texts:
            for pattern, block in self._patterns:
                if pattern.search(text):
                    return block
        return None

    def _by_word(self, texts: Sequence[str]) -> Block | None:
        for text in dict.fromkeys(texts):
            terms = f" {' '.join(index_terms(text))} "
            for words, block in self._words:
                if words.are_in(terms):
                    return block
        return None


class _Words:
    """Words next to each other, looked for in the terms of a text."""

    def __init__(self, words: str) -> None:
        terms = phrase_terms(words)
        last = index_terms(words)[len(terms) :]
        # A last run of one character is what a pair begins with; of more, its pairs say it all.
        self._single = last[0] if last and (not terms or last[0] != terms[-1][-1:]) else ""
        self._wanted = "".join(f" {term}" for term in terms) + (f" {self._single}" if self._single else " ")
        self._anywhere = self._single if not terms else ""

    def are_in(self, terms: str) -> bool:
        """Whether they are in the terms of a text, joined by blanks and with one at each end."""
        return (self._anywhere or self._wanted) in terms


def publisher_key(publisher: str) -> str:
    """A publisher as blocks compare it."""
    return " ".join(fold(publisher).split())[:200]


def publisher_keys(publisher: str) -> list[str]:
    """What blocks compare of a publisher: itself, and the host when it is an address."""
    keys = [publisher_key(publisher)]
    if "://" in publisher:
        parsed = parse_url(publisher)
        if parsed is not None:
            keys.append(parsed.host)
    return keys


def _compiled(pattern: str) -> re2._Regexp:
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = _MAX_PATTERN_MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0] if error.args else str(error)
        raise UsageError(
            f"the pattern {pattern!r} cannot be used",
            why=why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why),
            hint="it is written as RE2 has it: no back references, no look-around",
        ) from error
