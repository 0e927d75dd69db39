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
        hints.remember(number, hints_of(hints, number, category), f"http://a.example/{number}")
        hints.visited(number, KIND, useful=category == useful_category, context=3)
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
        hints.remember(number, hints_of(hints, number, 1, words), f"http://a.example/{number}")
        hints.visited(number, KIND, useful=number % 2 == 1, context=3)
    hints.learn_again()
    assert hints.tier(hints_of(hints, 99, 3, "Another concert"), KIND, 40, 20) == HIGH
    assert hints.tier(hints_of(hints, 99, 3, "a question"), KIND, 40, 20) == LOW


def test_nothing_is_told_of_a_kind_that_was_hardly_tried() -> None:
    hints = taught()
    assert hints.tier(hints_of(hints, 99, 1), KIND, 5, 2) == UNTOLD
    assert hints.tier(hints_of(hints, 99, 1), KIND, 40, 0) == UNTOLD


def test_categories_that_give_no_more_than_their_list_are_in_one_tier() -> None:
    hints = RowHints()
    for number in range(120):
        context, category = number % 2, number % 4
        hints.remember(number, hints_of(hints, number, 10 + category), f"http://a.example/{number}")
        hints.visited(number, KIND, useful=context == 1, context=context)
    hints.learn_again()
    told = {category: hints.tier(hints_of(hints, 500, 10 + category), KIND, 120, 60) for category in (1, 3)}
    assert told[1] == told[3]


CLIP, FOLDER = 71, 72


def marked(hints: RowHints, number: int, *icons: int) -> Hints:
    place = (1, number)
    return hints.read(row(number, 1), {number}, {place: icons} if icons else {})[number]


def test_a_row_with_the_icon_of_those_that_gave_torrents_is_told_from_one_without() -> None:
    hints = RowHints()
    for number in range(40):
        has_files = number % 2 == 1
        hints.remember(
            number,
            marked(hints, number, *((CLIP, FOLDER) if has_files else (FOLDER,))),
            f"http://a.example/{number}",
        )
        hints.visited(number, KIND, useful=has_files, context=3)
    hints.learn_again()
    assert hints.tier(marked(hints, 99, CLIP, FOLDER), KIND, 40, 20) == HIGH
    assert hints.tier(marked(hints, 98, FOLDER), KIND, 40, 20) == LOW


def test_links_that_promise_more_stay_promising_although_only_they_are_visited() -> None:
    hints = RowHints()
    for number in range(20):
        hints.remember(
            number, marked(hints, number, *((CLIP,) if number % 2 else ())), f"http://a.example/{number}"
        )
        hints.visited(number, KIND, useful=number % 2 == 1, context=3)
    for number in range(20, 220):
        hints.remember(number, marked(hints, number, CLIP), f"http://a.example/{number}")
        hints.visited(number, KIND, useful=number % 10 > 0, context=3)
    hints.learn_again()
    assert hints.tier(marked(hints, 999, CLIP), KIND, 220, 190) == HIGH
    assert hints.tier(marked(hints, 998), KIND, 220, 190) == LOW


def test_what_was_learned_of_a_kind_is_known_of_the_kind_that_it_became() -> None:
    hints = taught()
    hints.join(KIND, 8)
    assert hints.tier(hints_of(hints, 99, 1), 8, 40, 20) == HIGH
    assert hints.tier(hints_of(hints, 99, 1), KIND, 40, 20) == MIDDLE
