"""A query tree as Tantivy queries: one that decides what matches, one that ranks it as well."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy
from tantivy import FieldType, Occur, Query

from harvester.index.schema import number_bounds
from harvester.model.query import And, Everything, HasHash, Is, Node, Not, Or, Range, TorrentIs, Word
from harvester.text.folding import fold
from harvester.text.segment import dictionary_words
from harvester.text.terms import Part, index_terms, phrase_terms, query_parts

# What a hit in a name, a title or comment, or as a word of the dictionary is worth beside one in a path.
NAME_BOOST = 3.0
ABOUT_BOOST = 1.5
WORD_BOOST = 2.0
PHRASE_BOOST = 2.0

# The fields that keep positions.
_IN_ORDER = ("name", "about")


class Compiler:
    """Makes queries for one schema."""

    def __init__(self, schema: tantivy.Schema) -> None:
        self._schema = schema

    def matching(self, node: Node) -> Query:
        """What matches `node`. Its scores mean nothing."""
        match node:
            case Everything():
                return Query.all_query()
            case Word():
                return self._word(node)
            case Range():
                return self._range(node)
            case Is():
                return Query.term_query(self._schema, node.field, node.value, "basic")
            case TorrentIs():
                return self._ids(node.ids)
            case Not():
                everything = (Occur.Must, Query.all_query())
                return Query.boolean_query([everything, (Occur.MustNot, self.matching(node.part))])
            case And():
                return self._all_of(node.parts)
            case Or():
                return Query.boolean_query([(Occur.Should, self.matching(part)) for part in node.parts])
            case HasHash():
                raise AssertionError("hashes are looked up in the store before the index is asked")

    def ranking(self, node: Node) -> Query | None:
        """`matching(node)` with scores that rank; None when nothing in it can rank."""
        scorers = self._all_scorers(node)
        if not scorers:
            return None
        must = (Occur.Must, Query.const_score_query(self.matching(node), 0.0))
        return Query.boolean_query([must, *((Occur.Should, scorer) for scorer in scorers)])

    def highest(self, node: Node) -> Query:
        """Whatever `ranking(node)` gives a score to, with that score, whether or not it matches."""
        return Query.boolean_query([(Occur.Should, scorer) for scorer in self._all_scorers(node)])

    def is_one_term(self, node: Node) -> bool:
        """Whether all that `highest(node)` finds matches: a word of one term."""
        return isinstance(node, Word) and not node.prefix and len(_distinct(node)) == 1

    def _all_scorers(self, node: Node) -> list[Query]:
        return [scorer for word in _asked_for(node) for scorer in self._scorers(word)]

    def _all_of(self, parts: Sequence[Node]) -> Query:
        """All parts at once, words and exclusions side by side: the rarest term leads the intersection."""
        clauses: list[tuple[Occur, Query]] = []
        for part in parts:
            if isinstance(part, Not):
                clauses.append((Occur.MustNot, self.matching(part.part)))
            elif isinstance(part, Word) and not part.phrase:
                clauses += [(Occur.Must, self._part(one)) for one in _distinct(part)]
            else:
                clauses.append((Occur.Must, self.matching(part)))
        if all(occur is Occur.MustNot for occur, _ in clauses):
            clauses.append((Occur.Must, Query.all_query()))
        return Query.boolean_query(clauses)

    # --- words ------------------------------------------------------------------------------------

    def _word(self, word: Word) -> Query:
        parts = _distinct(word)
        if not parts:
            # Punctuation only: it is in no text, and parts nothing.
            return Query.empty_query()
        everywhere = self._conjunction(parts)
        terms = phrase_terms(word.text) if word.phrase else []
        if len(terms) < 2:
            return everywhere
        return Query.boolean_query(
            [(Occur.Must, everywhere), (Occur.Must, self._phrase_somewhere(terms, parts))]
        )

    def _phrase_somewhere(self, terms: Sequence[str], parts: Sequence[Part]) -> Query:
        """The phrase in a name or title; or its words in paths, which keep no positions.

        Where a name has all of the words, but not as a phrase, its paths are not believed either.
        """
        phrases = [Query.phrase_query(self._schema, field, list(terms)) for field in _IN_ORDER]
        elsewhere = [(Occur.MustNot, self._conjunction(parts, field)) for field in _IN_ORDER]
        in_paths = Query.boolean_query([(Occur.Must, Query.all_query()), *elsewhere])
        return Query.boolean_query([(Occur.Should, choice) for choice in (*phrases, in_paths)])

    def _conjunction(self, parts: Sequence[Part], field: str = "text") -> Query:
        if len(parts) == 1:
            return self._part(parts[0], field)
        return Query.boolean_query([(Occur.Must, self._part(part, field)) for part in parts])

    def _part(self, part: Part, field: str = "text") -> Query:
        if part.prefix:
            # Terms are letters and digits: nothing in them means something in a pattern.
            return Query.regex_query(self._schema, field, f"{part.term}.*")
        return Query.term_query(self._schema, field, part.term, "basic")

    def _scorers(self, word: Word) -> list[Query]:
        """What makes a torrent rank higher for this word."""
        scorers = []
        for part in _distinct(word):
            if not part.prefix:
                for field, boost in (("name", NAME_BOOST), ("about", ABOUT_BOOST)):
                    scorers.append(self._boosted(field, part.term, boost))
        for found in set(dictionary_words(fold(word.text))):
            scorers.append(self._boosted("words", found, WORD_BOOST))
        # `22.04` are two terms, and more than two terms when next to each other.
        terms = index_terms(word.text)
        if 1 < len(terms) <= 4 and word.text.isascii() and not word.prefix:
            phrase = Query.phrase_query(self._schema, "name", list(terms))
            scorers.append(Query.boost_query(phrase, PHRASE_BOOST))
        return scorers

    def _boosted(self, field: str, term: str, boost: float) -> Query:
        return Query.boost_query(Query.term_query(self._schema, field, term, "freq"), boost)

    # --- everything else --------------------------------------------------------------------------

    def _range(self, node: Range) -> Query:
        low, high = number_bounds(node.field, node.low, node.high)
        if low is not None and high is not None and low > high:
            return Query.empty_query()
        return self.between(node.field, low, high)

    def between(self, field: str, low: int | None, high: int | None) -> Query:
        """Documents whose number in the index is within the bounds, both included."""
        if low is None and high is None:
            return Query.all_query()
        return Query.range_query(self._schema, field, FieldType.Integer, low, high)

    def any_of(self, field: str, values: Sequence[str]) -> Query:
        """Documents with one of these keywords."""
        return Query.term_set_query(self._schema, field, list(values))

    def _ids(self, ids: Sequence[int]) -> Query:
        if not ids:
            return Query.empty_query()
        return Query.term_set_query(self._schema, "id", list(ids))


def _distinct(word: Word) -> list[Part]:
    return list(dict.fromkeys(query_parts(word.text, prefix=word.prefix)))


def _asked_for(node: Node) -> list[Word]:
    """The words that a match has or may have; what is excluded ranks nothing."""
    match node:
        case Word():
            return [node]
        case And() | Or():
            return [word for part in node.parts for word in _asked_for(part)]
        case _:
            return []
