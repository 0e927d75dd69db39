"""Numbers in paths that change nothing."""

from __future__ import annotations

from harvester.patterns.learner.slots import Slots

HOST = "http://forum.example"


def seen(slots: Slots, *pages: tuple[str, bytes]) -> Slots:
    for path, content in pages:
        slots.observe(HOST + path, content)
    return slots


def same_page_by_two_names(threads: int) -> Slots:
    slots = Slots()
    for thread in range(threads):
        for came_from in (1, 4):
            slots.observe(f"{HOST}/thread-{thread}-1-{came_from}.html", f"text {thread}".encode())
    return slots


def test_a_number_that_never_changed_the_page_is_left_out() -> None:
    slots = same_page_by_two_names(4)
    assert slots.plain(f"{HOST}/thread-99-1-7.html") == slots.plain(f"{HOST}/thread-99-1-2.html")
    assert slots.plain(f"{HOST}/thread-99-1-7.html") != slots.plain(f"{HOST}/thread-98-1-7.html")
    assert slots.plain(f"{HOST}/thread-99-1-7.html") != slots.plain(f"{HOST}/thread-99-2-7.html")
    assert slots.plain(f"{HOST}/forum-9-1.html") == f"{HOST}/forum-9-1.html"


def test_a_few_equal_pages_are_not_enough() -> None:
    assert not same_page_by_two_names(3).irrelevant
    message = [(f"/thread-{n}-1-{m}.html", b"please log in") for n in range(20) for m in (1, 2)]
    assert not seen(Slots(), *message).irrelevant


def test_one_page_that_differs_settles_it() -> None:
    slots = seen(
        same_page_by_two_names(6), ("/thread-50-1-1.html", b"one"), ("/thread-50-1-2.html", b"another")
    )
    assert not slots.irrelevant
    assert slots.plain(f"{HOST}/thread-99-1-7.html") == f"{HOST}/thread-99-1-7.html"


def test_numbers_that_tell_pages_apart_stay() -> None:
    slots = Slots()
    for board in range(10):
        for number in range(1, 5):
            slots.observe(f"{HOST}/forum-{board}-{number}.html", f"{board} {number}".encode())
    assert not slots.irrelevant
