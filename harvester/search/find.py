"""One query: from its tree to a page of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harvester.errors import UsageError
from harvester.model.query import (
    MAX_OFFSET,
    And,
    Everything,
    FindOptions,
    Found,
    HasHash,
    Hits,
    IndexQuery,
    Is,
    Node,
    Not,
    Or,
    TorrentIs,
    Word,
)
from harvester.model.stored import Block
from harvester.policy.blocking import Blocklist, publisher_key, subject_of_searchable
from harvester.ports.index import SearchIndex, SearchStore
from harvester.text.terms import query_parts

MAX_LIMIT = 1000


def find(query: Node, options: FindOptions, *, index: SearchIndex, store: SearchStore) -> Found:
    """One page of what matches, with the exact total and facets.

    Nothing that the blocklist takes out is returned, from the moment that a block is stored. A torrent that
    is asked for by its hash alone is found as soon as it is stored. Raises `UsageError` for options that
    don't go together, and the errors of the two ports.
    """
    _check(options)
    resolved = _resolve(query, store)
    if isinstance(resolved, TorrentIs) and not options.facets:
        return _by_id(resolved, options, store)
    heeded = index.blocks_state()
    hits = index.search(_asked_of_index([resolved], options))
    state, rows = store.rows(hits.ids)
    if state == heeded:
        return Found(tuple(rows), hits.total, hits.facets, _next(hits, options))
    blocklist = Blocklist(store.blocks())
    hits = index.search(_asked_of_index([resolved, *_left_out(blocklist, store)], options))
    kept, taken_out = _kept(hits.ids, blocklist, store)
    _, rows = store.rows(kept)
    return Found(tuple(rows), hits.total - taken_out, hits.facets, _next(hits, options))


def _asked_of_index(clauses: list[Node], options: FindOptions) -> IndexQuery:
    if not options.private:
        clauses = [*clauses, _public(clauses[0])]
    return IndexQuery(
        node=_joined(clauses),
        sort=options.sort,
        ascending=options.ascending,
        limit=options.limit,
        offset=options.offset,
        after=_key(options),
        facets=options.facets,
        facet_limit=options.facet_limit,
    )


def _check(options: FindOptions) -> None:
    if not 0 <= options.limit <= MAX_LIMIT:
        raise UsageError(f"a page has at most {MAX_LIMIT:,} rows", why=f"{options.limit} were asked for")
    if options.offset < 0 or options.offset + options.limit > MAX_OFFSET:
        raise UsageError(
            f"pages by number end at row {MAX_OFFSET:,}",
            hint="narrow the search, or sort by date or size and go on with `after`",
        )
    if options.after is not None and options.sort == "relevance":
        raise UsageError("relevance is paged by offset", hint="sort by date or size to use `after`")
    if options.after is not None and options.offset:
        raise UsageError("`offset` and `after` don't go together")


def _key(options: FindOptions) -> int | None:
    """The sort key in `after`: `date-123`."""
    if options.after is None:
        return None
    sort, _, key = options.after.partition(".")
    if sort != options.sort or not key.lstrip("-").isdecimal() or len(key) > 20:
        raise UsageError(
            f"{options.after!r} leads to no page", hint="use the `next` of the page before, with its sort"
        )
    return int(key)


def _next(hits: Hits, options: FindOptions) -> str | None:
    if options.sort == "relevance" or len(hits.ids) < options.limit or not hits.keys:
        return None
    return f"{options.sort}.{hits.keys[-1]}"


# --- hashes -------------------------------------------------------------------------------------------


def _resolve(node: Node, store: SearchStore) -> Node:
    """The tree with every hash looked up."""
    match node:
        case HasHash():
            found = [store.find_torrent(digest) for digest in node.digests]
            ids = TorrentIs(tuple(dict.fromkeys(one.id for one in found if one is not None)))
            # A hash that is in no torrent may be in a name.
            return Word(node.text) if node.text and not ids.ids else ids
        case Not():
            return Not(_resolve(node.part, store))
        case And():
            return And(tuple(_resolve(part, store) for part in node.parts))
        case Or():
            return Or(tuple(_resolve(part, store) for part in node.parts))
        case _:
            return node


def _by_id(wanted: TorrentIs, options: FindOptions, store: SearchStore) -> Found:
    """A torrent asked for by its hash alone: the store knows, also before the index does."""
    blocklist = Blocklist(store.blocks())
    kept, _ = _kept(wanted.ids, blocklist, store)
    _, rows = store.rows(kept)
    shown = [row for row in rows if options.private or not row.torrent.private]
    start = 0 if options.after is None else len(shown)
    page = shown[start + options.offset :][: options.limit]
    return Found(tuple(page), len(shown), {}, None)


def _public(node: Node) -> Node:
    """No private torrents: few are, so it is cheaper to leave them out than to ask for the others, unless
    everything is looked at anyway."""
    return Not(Is("private", "yes")) if _has_words(node) else Is("private", "no")


def _has_words(node: Node) -> bool:
    match node:
        case Word():
            return True
        case And() | Or():
            return any(_has_words(part) for part in node.parts)
        case _:
            return False


# --- blocks -------------------------------------------------------------------------------------------


def _left_out(blocklist: Blocklist, store: SearchStore) -> Iterable[Node]:
    """What of the blocklist an index can be asked to leave out, so that totals are right at once."""
    for block in blocklist.blocks:
        left_out = _asked(block, store)
        if left_out is not None:
            yield Not(left_out)


def _asked(block: Block, store: SearchStore) -> Node | None:
    match block.kind:
        case "infohash":
            return _resolve(HasHash((block.value,)), store)
        case "publisher":
            return Is("publisher", publisher_key(block.value))
        case "word":
            return Word(block.value) if len(query_parts(block.value)) == 1 else None
        case "pattern":
            return None


def _kept(ids: Sequence[int], blocklist: Blocklist, store: SearchStore) -> tuple[list[int], int]:
    """Those ids that stay, and how many don't."""
    if not blocklist:
        return list(ids), 0
    gone = {one.id for one in store.searchable(ids) if blocklist.match(subject_of_searchable(one))}
    return [one for one in ids if one not in gone], len(gone)


def _joined(clauses: Sequence[Node]) -> Node:
    """All clauses, flat: the index plans one conjunction better than one within another."""
    parts: list[Node] = []
    for clause in clauses:
        parts += clause.parts if isinstance(clause, And) else [clause]
    if len(parts) > 1:
        parts = [part for part in parts if not isinstance(part, Everything)]
    return parts[0] if len(parts) == 1 else And(tuple(parts))
