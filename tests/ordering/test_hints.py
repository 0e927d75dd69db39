"""Words and neighbours of links in rows."""

from __future__ import annotations

from harvester.model.order import PageLink
from harvester.ordering.hints import HIGH, LOW, MIDDLE, UNTOLD, Hints, RowHints

KIND = 7


def row(number: int, category: int, words: str = "") -> list[PageLink]:
    """A row with a title and its category."""
    return [
        PageLink(f"http://a.example/{number}", "a.example", number, anchor=words, row=(1, number)),
        PageLink(f"http://a.example/c/{category}", "a.example", 10_000 + category, row=(1, number)),
    ]


def hints_of(hints: RowHints, number: int, category: int, words: str = "") -> Hints:
    return hints.read(row(number, category, words), {number})[number]


def taught(useful_category: int = 1, visits: int = 40) -> RowHints:
    """Half of the rows are of the category whose pages give torrents, half of another."""
    hints = RowHints()
    for number in range(visits):
        category = useful_category if number % 2 else useful_category + 1
        hints.remember(number, hints_of(hints, number, category))
        hints.visited(number, KIND, useful=category == useful_category, expected=0.5)
    return hints


def test_a_neighbour_that_stood_beside_torrents_lifts_a_link() -> None:
    hints = taught()
    assert hints.tier(hints_of(hints, 99, 1), KIND, 40, 20) == HIGH
    assert hints.tier(hints_of(hints, 99, 2), KIND, 40, 20) == LOW
    assert hints.tier(hints_of(hints, 99, 5), KIND, 40, 20) == MIDDLE


def test_words_count_like_neighbours() -> None:
    hints = RowHints()
    for number in range(40):
        words = "Concert recording" if number % 2 else "Question again"
        hints.remember(number, hints_of(hints, number, 1, words))
        hints.visited(number, KIND, useful=number % 2 == 1, expected=0.5)
    assert hints.tier(hints_of(hints, 99, 3, "Another concert"), KIND, 40, 20) == HIGH
    assert hints.tier(hints_of(hints, 99, 3, "a question"), KIND, 40, 20) == LOW


def test_nothing_is_told_of_a_kind_that_was_hardly_tried() -> None:
    hints = taught()
    assert hints.tier(hints_of(hints, 99, 1), KIND, 5, 2) == UNTOLD
    assert hints.tier(hints_of(hints, 99, 1), KIND, 40, 0) == UNTOLD


def test_what_a_list_gives_anyway_says_nothing_of_its_neighbours() -> None:
    hints = RowHints()
    for number in range(40):
        hints.remember(number, hints_of(hints, number, 1))
        hints.visited(number, KIND, useful=True, expected=1.0)
    assert hints.tier(hints_of(hints, 99, 1), KIND, 80, 40) == MIDDLE
