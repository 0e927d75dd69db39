"""Numeric ids that no list showed."""

from __future__ import annotations

from harvester.ordering.gaps import BUDGET, PATIENCE, IdGaps


def seen(*numbers: int) -> IdGaps:
    gaps = IdGaps()
    for number in numbers:
        gaps.observe(f"http://h/get/{number}.torrent", gave=True)
    return gaps


def test_missing_numbers_among_dense_ones_are_proposed() -> None:
    gaps = seen(*(number for number in range(100, 200) if number not in (150, 120)))
    assert gaps.propose(2) == ["http://h/get/150.torrent", "http://h/get/120.torrent"]


def test_what_lies_before_the_first_number_of_a_capped_list_is_tried_too() -> None:
    assert seen(*range(100, 200)).propose(1) == ["http://h/get/99.torrent"]


def test_sparse_numbers_are_left_alone() -> None:
    assert not seen(*range(0, 10_000, 100)).propose()


def test_it_ends_after_a_few_failures() -> None:
    gaps, tried = seen(*range(100, 200)), 0
    while urls := gaps.propose(1):
        tried += 1
        gaps.observe(urls[0], gave=False)
    assert tried == PATIENCE


def test_it_ends_when_the_budget_is_spent() -> None:
    gaps, tried = seen(*range(1000, 3000)), 0
    while urls := gaps.propose(10):
        tried += len(urls)
        for url in urls:
            gaps.observe(url, gave=True)
    assert tried == BUDGET
