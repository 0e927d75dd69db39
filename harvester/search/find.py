"""One query: from what was typed to a page of rows."""

from __future__ import annotations

from harvester.model.query import FindOptions, Found, Node
from harvester.policy.blocking import Blocklist
from harvester.ports.index import SearchIndex, SearchStore


def find(
    query: Node,
    options: FindOptions,
    *,
    index: SearchIndex,
    store: SearchStore,
    blocklist: Blocklist | None = None,
) -> Found:
    """One page of what matches, with the exact total and facets.

    `blocklist` is compiled from `store.blocks()` when left out; nothing that is blocked is returned.
    Raises `UsageError` for options that don't go together, and the errors of the two ports.
    """
    raise NotImplementedError
