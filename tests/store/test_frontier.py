"""The frontier's contract, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from harvester.model.crawl import Crawl, FrontierItem, HostState, Reprioritised, Retry
from harvester.model.order import Turn
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, found, key, next_crawl, visited, write


def claim(store: Store, crawl: Crawl, now: float = NOW, **values: Any) -> list[FrontierItem]:
    given = {"limit": 10, "owner": "a", "lease_seconds": 60, "per_host": 10} | values
    return store.claim(crawl, now=now, **given)


def paths(items: Sequence[FrontierItem]) -> list[str]:
    return [item.url.rpartition("/")[2] for item in items]


def test_what_was_found_is_claimed_with_everything_said_about_it(store: Store) -> None:
    crawl = begin(store)
    page = visited("page", etag='"1"', last_modified="yesterday", digest=b"12345678")
    one = found(
        "x?a=%7E&b=é",
        depth=3,
        role="detail",
        rule="thread",
        hint="a 提示",
        page_hash=page.key_hash,
        tunnel=2,
        attempt=1,
    )
    write(store, crawl, visited=[page], found=[one, found("page")])
    item, again = claim(store, crawl)
    assert (item.url, item.host, item.key_hash) == (one.url, one.host, one.key_hash)
    assert (item.depth, item.role, item.rule, item.hint) == (3, "detail", "thread", "a 提示")
    assert (item.tunnel, item.attempt, item.lease_until) == (2, 1, NOW + 60)
    assert item.referrer == page.url
    assert (item.etag, item.last_modified, item.digest) == ("", "", b"")
    assert (again.etag, again.last_modified, again.digest) == ('"1"', "yesterday", b"12345678")
    assert (item.last_visit, again.last_visit) == (0.0, NOW)
    assert again.referrer == ""


def test_a_key_is_queued_once_a_crawl(store: Store) -> None:
    crawl = begin(store)
    assert write(store, crawl, found=[found("a"), found("a"), found("b")]).queued == 2
    assert write(store, crawl, found=[found("a"), found("c")]).queued == 1
    assert paths(claim(store, crawl)) == ["a", "b", "c"]
    assert store.crawl(crawl.id).figures["queue"] == 3


def test_a_new_snapshot_has_seen_nothing(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")])
    again = next_crawl(store, crawl)
    assert write(store, again, found=[found("a")]).queued == 1


def test_a_new_snapshot_has_seen_nothing_while_another_site_is_being_crawled(store: Store) -> None:
    other = begin(store, "other")
    crawl = begin(store)
    write(store, crawl, found=[found("a")])
    write(store, other, found=[found("b")])
    again = next_crawl(store, crawl)
    assert write(store, again, found=[found("a")]).queued == 1
    assert write(store, other, found=[found("b"), found("a")]).queued == 1


def test_unseen_are_those_never_added(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")])
    hashes = [key("forum.example/a"), key("forum.example/b"), -(2**63), 2**63 - 1]
    assert store.unseen(crawl, hashes) == set(hashes[1:])


def test_the_extremes_of_64_bits_are_keys_like_others(store: Store) -> None:
    crawl = begin(store)
    ends = [replace(found(str(n)), key_hash=n) for n in (-(2**63), 2**63 - 1, 0, -1)]
    assert write(store, crawl, found=ends).queued == 4
    assert {item.key_hash for item in claim(store, crawl)} == {-(2**63), 2**63 - 1, 0, -1}


def test_a_url_to_be_fetched_again_is_queued_although_seen(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")])
    assert write(store, crawl, found=[found("a", seen=False), found("a")]).queued == 1
    assert write(store, crawl, found=[found("b", seen=False)]).queued == 1
    assert write(store, crawl, found=[found("b")]).queued == 0


def test_a_batch_may_leave_out_what_any_crawl_of_the_site_visited(store: Store) -> None:
    full = begin(store)
    write(store, full, visited=[visited("a"), visited("b")])
    write(store, begin(store, "other"), visited=[visited("c")])
    refresh = begin(store, kind="refresh")
    links = [found("a"), found("b", seen=False), found("c")]
    assert write(store, refresh, found=links, only_unknown=True).queued == 2
    assert paths(claim(store, refresh)) == ["b", "c"]
    assert write(store, refresh, found=[found("a")]).queued == 1


def test_small_priorities_come_first_and_equals_in_order(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("c", priority=2), found("b", priority=1.5), found("d", priority=2)])
    write(store, crawl, found=[found("e", priority=2), found("a", priority=-1)])
    assert paths(claim(store, crawl)) == ["a", "b", "c", "d", "e"]


def test_lifo_takes_the_last_found_first(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")], lifo=True)
    write(store, crawl, found=[found("c"), found("d")], lifo=True)
    assert paths(claim(store, crawl)) == ["d", "c", "b", "a"]


def test_a_claimed_url_is_not_claimed_by_another(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found(str(n)) for n in range(5)])
    assert len(claim(store, crawl, limit=2, owner="a")) == 2
    assert paths(claim(store, crawl, owner="b")) == ["2", "3", "4"]
    assert claim(store, crawl, owner="c") == []


def test_an_orphaned_claim_comes_back_after_its_lease(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")])
    claim(store, crawl, lease_seconds=60)
    assert claim(store, crawl, now=NOW + 59) == []
    assert paths(claim(store, crawl, now=NOW + 60, owner="b")) == ["a"]


def test_a_released_claim_comes_back_at_once(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")])
    claim(store, crawl, owner="a", limit=1)
    claim(store, crawl, owner="b", limit=1)
    assert claim(store, crawl, owner="c") == []
    assert store.release("a") == 1
    assert paths(claim(store, crawl, owner="a")) == ["a"]


def test_a_returned_claim_comes_back_at_once(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")])
    first, _ = claim(store, crawl)
    assert claim(store, crawl) == []
    write(store, crawl, returned=[first.ref])
    assert paths(claim(store, crawl)) == ["a"]


def test_a_completed_url_never_comes_back(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")])
    first, _ = claim(store, crawl)
    write(store, crawl, done=[first.ref, first.ref])
    write(store, crawl, done=[first.ref])
    assert paths(claim(store, crawl, now=NOW + 100)) == ["b"]
    assert store.crawl(crawl.id).figures["queue"] == 1


def test_a_retry_waits_for_its_time(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")])
    first, second = claim(store, crawl)
    write(store, crawl, retries=[Retry(first.ref, NOW + 30, 2)], done=[second.ref])
    assert claim(store, crawl, now=NOW + 29) == []
    assert store.next_due(crawl) == NOW + 30
    (again,) = claim(store, crawl, now=NOW + 30)
    assert (again.url, again.attempt) == (first.url, 2)


def test_a_url_found_for_later_waits_for_its_time(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a", due=NOW + 30)])
    assert claim(store, crawl) == []
    assert store.next_due(crawl) == NOW + 30
    assert paths(claim(store, crawl, now=NOW + 31)) == ["a"]


def test_nothing_is_due_when_all_is_done(store: Store) -> None:
    crawl = begin(store)
    assert store.next_due(crawl) is None
    write(store, crawl, found=[found("a")])
    (item,) = claim(store, crawl)
    assert store.next_due(crawl) is not None
    write(store, crawl, done=[item.ref])
    assert store.next_due(crawl) is None


def test_a_held_host_is_left_alone(store: Store) -> None:
    crawl = begin(store)
    write(
        store,
        crawl,
        found=[found("a", "one.example"), found("b", "two.example")],
        hosts=[HostState("one.example", next_at=NOW + 300)],
    )
    assert paths(claim(store, crawl)) == ["b"]
    assert paths(claim(store, crawl, now=NOW + 1, horizon=300)) == ["a"]
    assert store.host("one.example") == HostState("one.example", next_at=NOW + 300)
    assert [state.name for state in store.hosts(crawl)] == ["one.example", "two.example"]


def test_the_host_that_holds_back_longest_says_when_the_next_is_due(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")], hosts=[HostState("forum.example", next_at=NOW + 300)])
    assert store.next_due(crawl) == NOW + 300


def test_hosts_take_turns(store: Store) -> None:
    crawl = begin(store)
    urls = [found(f"{host}{n}", f"{host}.example") for host in "abc" for n in range(3)]
    write(store, crawl, found=urls)
    served = [paths(claim(store, crawl, limit=2, per_host=1)) for _ in range(3)]
    assert [path[0] for turn in served for path in turn] == list("abcabc")
    assert paths(claim(store, crawl)) == ["a2", "b2", "c2"]


def test_a_claim_is_grouped_by_turns(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found(f"{host}{n}", f"{host}.example") for host in "ab" for n in range(3)])
    assert paths(claim(store, crawl, per_host=2)) == ["a0", "b0", "a1", "b1"]


def test_hosts_to_skip_are_skipped(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found(host, f"{host}.example") for host in "abc"])
    assert paths(claim(store, crawl, limit=1, skip_hosts={"a.example", "b.example"})) == ["c"]


def test_a_crawl_never_claims_what_another_found(store: Store) -> None:
    one, other = begin(store, "one"), begin(store, "other")
    write(store, one, found=[found("a")])
    write(store, other, found=[found("b")])
    assert paths(claim(store, other)) == ["b"]
    assert paths(claim(store, one)) == ["a"]


def test_a_queued_url_moves_to_its_new_priority(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a", priority=1), found("b", priority=2), found("c", priority=3)])
    refs = {url.rpartition("/")[2]: ref for ref, url in store.queued(crawl)}
    assert store.reprioritise(crawl, [Reprioritised(refs["c"], 0.5)]) == 1
    write(store, crawl, reprioritised=[Reprioritised(refs["a"], 9)])
    assert paths(claim(store, crawl)) == ["c", "b", "a"]


def test_a_claimed_url_keeps_its_reference_when_priorities_change(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a", priority=1)])
    (item,) = claim(store, crawl)
    assert store.reprioritise(crawl, [Reprioritised(item.ref, 0)]) == 0
    write(store, crawl, done=[item.ref])
    assert store.crawl(crawl.id).figures["queue"] == 0


def test_text_that_no_database_takes_is_queued_all_the_same(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a", hint="nul\x00 lone \ud800")])
    (item,) = claim(store, crawl)
    assert item.hint == "nul� lone �"


def test_many_hosts_in_one_batch_get_a_queue_each(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("x", f"h{n}.example") for n in range(300)])
    write(store, crawl, found=[found("y", f"h{n}.example") for n in range(300)])
    items = claim(store, crawl, limit=1000)
    assert len(items) == 600
    assert len({item.ref.queue for item in items}) == 300


def banded(store: Store) -> Crawl:
    """Two hosts with URLs named after their priorities: the even ones on h0, the odd ones on h1."""
    crawl = begin(store)
    urls = [
        replace(found(f"{priority}"), host=f"h{priority % 2}.example", priority=float(priority))
        for priority in (4, 10, 15, 20)
    ]
    write(store, crawl, found=urls)
    return crawl


def test_a_claim_takes_its_band_of_priorities_only(store: Store) -> None:
    crawl = banded(store)
    assert paths(claim(store, crawl, band=(10.0, 20.0), per_host=1)) == ["10", "15"]
    assert paths(claim(store, crawl, band=(30.0, 40.0))) == []
    assert sorted(paths(claim(store, crawl))) == ["20", "4"]


def turns_claimed(
    store: Store, crawl: Crawl, *turns: Turn, limit: int = 10, enough: int = 1
) -> dict[int, list[str]]:
    """What each turn brought, by its place."""
    brought = store.claim_turns(
        crawl, turns, now=NOW, limit=limit, owner="a", lease_seconds=60, enough=enough
    )
    return {place: paths(items) for place, items in brought.items()}


H0, H1 = ("h0.example",), ("h1.example",)


def test_turns_bring_what_their_bands_and_hosts_hold(store: Store) -> None:
    crawl = banded(store)
    assert turns_claimed(store, crawl, Turn(5, 10.0, 20.0, H1), Turn(5, 0.0, 15.0, H0)) == {
        0: ["15"],
        1: ["4", "10"],
    }
    assert paths(claim(store, crawl)) == ["20"]


def test_a_host_with_enough_is_not_asked_by_later_turns(store: Store) -> None:
    crawl = banded(store)
    turns = Turn(1, 30.0, 40.0, H0), Turn(1, 10.0, 20.0, H0), Turn(1, 0.0, 10.0, H0), Turn(1, 10.0, 20.0, H1)
    assert turns_claimed(store, crawl, *turns) == {0: [], 1: ["10"], 3: ["15"]}


def test_turns_bring_no_more_than_the_limit(store: Store) -> None:
    crawl = banded(store)
    assert turns_claimed(store, crawl, Turn(9, hosts=H0), Turn(9, hosts=H1), limit=2) == {0: ["4", "10"]}


def test_two_turns_with_one_band_bring_nothing_twice(store: Store) -> None:
    crawl = banded(store)
    assert turns_claimed(store, crawl, Turn(1, hosts=H0), Turn(1, hosts=H0), enough=5) == {0: ["4"]}


def test_turns_of_a_held_host_are_not_asked(store: Store) -> None:
    crawl = banded(store)
    write(store, crawl, hosts=[HostState("h0.example", next_at=NOW + 100)])
    assert turns_claimed(store, crawl, Turn(1, hosts=H0), Turn(1, hosts=H1)) == {1: ["15"]}
