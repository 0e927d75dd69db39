"""New addresses from a few pairs of an old and a new one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.patterns.learner.moves import MOST_FAILURES, Moves

H = "http://h.example"


def moved(*pairs: tuple[str, str]) -> Moves:
    moves = Moves()
    for old, new in pairs:
        moves.pair(H + old, H + new)
    return moves


def numbered(old: str, new: str, numbers: tuple[int, ...] = (3, 14, 27)) -> Moves:
    return moved(*((old.format(n), new.format(n)) for n in numbers))


@pytest.mark.parametrize(
    ("old", "new", "asked", "found"),
    [
        ("/viewthread.php?tid={}", "/thread-{}-1-1.html", "/viewthread.php?tid=99", "/thread-99-1-1.html"),
        ("/x/abc{}", "/entry/abc{}", "/x/77zz", "/entry/77zz"),
        ("/t/some-title-{}", "/topic/{}/some-title", "/t/some-title-5", "/topic/5/some-title"),
        ("/details.php?hit=1&id={}", "/details.php?id={}", "/details.php?hit=1&id=8", "/details.php?id=8"),
        ("/dl.php?id={}", "/dl/{}", "/dl.php?id=12", "/dl/12"),
    ],
)
def test_a_move_is_known_from_three_pairs(old: str, new: str, asked: str, found: str) -> None:
    assert numbered(old, new, (3, 14)).rewrite(H + asked) is None
    assert numbered(old, new).rewrite(H + asked) == H + found


@pytest.mark.parametrize(
    "new",
    ["/b/{0:x}{0:x}f0c4", "/login.php", "/other/{1}"],
    ids=["hash", "one page", "no part of the old one"],
)
def test_nothing_is_made_up(new: str) -> None:
    moves = Moves()
    for n in (3, 14, 27, 31):
        moves.pair(f"{H}/get/{n * 7919}", H + new.format(n * 104729, n * 31 % 17))
    assert moves.count == 0


def test_other_words_are_another_kind() -> None:
    moves = numbered("/x/abc{}", "/entry/abc{}")
    assert moves.rewrite(f"{H}/g/abc5") is None


def test_what_is_below_a_moved_page_moved_with_it() -> None:
    moves = numbered("/x/abc{}", "/entry/abc{}")
    assert moves.rewrite(f"{H}/x/abc9/get") == f"{H}/entry/abc9/get"
    assert moves.rewrite(f"{H}/x/abc9?after=30") == f"{H}/entry/abc9?after=30"


def test_a_move_that_leads_to_nothing_is_given_up() -> None:
    moves = numbered("/x/abc{}", "/entry/abc{}")
    for n in range(MOST_FAILURES):
        moves.failed(f"{H}/x/abc{n}")
    assert moves.rewrite(f"{H}/x/abc9") is None


def test_numbers_that_no_old_address_has_do_not_tell_objects_apart() -> None:
    moves = numbered("/viewthread.php?tid={}", "/thread-{}-1-1.html")
    assert moves.shows_same(f"{H}/viewthread.php?tid=9", f"{H}/thread-9-1-6.html")
    assert not moves.shows_same(f"{H}/viewthread.php?tid=9", f"{H}/thread-8-1-1.html")


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), max_size=6), st.text(max_size=30))
def test_a_rewritten_address_is_another_one(pairs: list[tuple[str, str]], url: str) -> None:
    moves = Moves()
    for old, new in pairs:
        moves.pair(f"{H}/{old}", f"{H}/{new}")
    address = f"{H}/{url}"
    rewritten = moves.rewrite(address)
    assert rewritten != address
    assert moves.has_moved(address) == (rewritten is not None)
