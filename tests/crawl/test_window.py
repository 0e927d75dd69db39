from __future__ import annotations

from harvester.crawl.window import Window
from harvester.model.crawl import FrontierItem, FrontierRef


def _item(host: str, number: int) -> FrontierItem:
    return FrontierItem(
        ref=FrontierRef(1, 0.0, number),
        url=f"http://{host}/{number}",
        host=host,
        key_hash=number,
        depth=0,
        role="",
        rule="",
        hint="",
        referrer="",
        attempt=0,
        tunnel=0,
        lease_until=0.0,
    )


def test_one_host_is_asked_by_one_connection_at_a_time() -> None:
    window = Window()
    window.push(_item("a", 1), at=0.0)
    window.push(_item("a", 2), at=0.0)
    first = window.take(1.0)
    assert first is not None
    assert first.key_hash == 1
    assert window.take(1.0) is None
    window.free("a", at=5.0)
    assert window.take(4.9) is None
    second = window.take(5.0)
    assert second is not None
    assert second.key_hash == 2


def test_hosts_take_turns_by_the_time_at_which_they_may_be_asked() -> None:
    window = Window()
    window.push(_item("slow", 1), at=9.0)
    window.push(_item("fast", 2), at=3.0)
    assert window.next_at() == 3.0
    taken = window.take(3.0)
    assert taken is not None
    assert taken.host == "fast"
    assert window.next_at() == 9.0


def test_an_item_put_back_comes_first_again() -> None:
    window = Window()
    window.push(_item("a", 1), at=0.0)
    window.push(_item("a", 2), at=0.0)
    taken = window.take(0.0)
    assert taken is not None
    window.push_back(taken)
    window.free("a", at=0.0)
    again = window.take(0.0)
    assert again == taken


def test_two_connections_may_ask_one_host_at_once() -> None:
    window = Window(connections=2)
    for number in range(3):
        window.push(_item("a", number), at=0.0)
    assert window.take(0.0) is not None
    window.free("a", at=0.0)
    window.push(_item("a", 4), at=0.0)
    assert window.take(0.0) is not None


def test_draining_gives_every_waiting_item_and_leaves_nothing() -> None:
    window = Window()
    for number in range(5):
        window.push(_item("ab"[number % 2], number), at=0.0)
    assert sorted(item.key_hash for item in window.drain()) == [0, 1, 2, 3, 4]
    assert window.size == 0
    assert window.take(0.0) is None


def test_a_host_waits_when_it_has_urls_and_a_free_connection() -> None:
    window = Window()
    assert window.waiting == 0
    for number in range(3):
        window.push(_item("a", number), at=9.0)
    window.push(_item("b", 9), at=9.0)
    assert window.waiting == 2
    window.take(9.0)
    assert window.waiting == 1
    window.free("a", at=9.0)
    assert window.waiting == 2


def test_a_host_that_is_removed_leaves_the_others_as_they_are() -> None:
    window = Window()
    for number, host in enumerate(("a", "b", "a")):
        window.push(_item(host, number), at=float(number))
    assert [item.key_hash for item in window.remove("a")] == [0, 2]
    assert window.remove("a") == []
    assert (window.size, window.next_at(), window.hosts()) == (1, 1.0, ["b"])
    window.push(_item("a", 3), at=0.5)
    taken = window.take(1.0)
    assert taken is not None
    assert taken.host == "a"
