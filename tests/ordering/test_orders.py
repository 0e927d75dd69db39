"""What every order promises, and how they compare on a small forum."""

from __future__ import annotations

import pytest

from harvester.errors import UsageError
from harvester.model.order import Came
from harvester.model.site import Role
from harvester.ordering import DEFAULT_ORDER, check_order, order_names
from tests.ordering.rehearsal import ORIGIN, THREADS, Hit, Page, crawl

ORDERS = order_names()


def test_the_orders_are_known_by_name() -> None:
    assert set(ORDERS) == {
        "bandit",
        "best-first",
        "breadth-first",
        "depth-first",
        "importance",
        "largest-site-first",
        "opic",
        "pagerank",
    }
    assert DEFAULT_ORDER in ORDERS


def test_an_unknown_name_is_refused_with_those_known() -> None:
    with pytest.raises(UsageError, match="breadth-first"):
        check_order("by-weight")


@pytest.mark.parametrize("name", ORDERS)
def test_it_finds_everything_and_asks_for_nothing_twice(name: str) -> None:
    run = crawl(name, most=3000)
    assert len(run.torrents) == THREADS
    assert len(set(run.asked)) == len(run.asked)


@pytest.mark.parametrize("name", ORDERS)
def test_the_same_visits_give_the_same_order(name: str) -> None:
    assert crawl(name, most=120).asked == crawl(name, most=120).asked


@pytest.fixture(scope="module")
def breadth() -> list[int]:
    return crawl("breadth-first", most=3000).torrents


def test_the_bandit_needs_few_requests_beyond_the_least(breadth: list[int]) -> None:
    run = crawl("bandit", most=3000)
    least = 2 * THREADS + 3
    assert run.torrents[int(THREADS * 0.9) - 1] < 1.35 * least
    assert run.torrents[-1] < breadth[-1] / 2


def test_best_first_beats_breadth_first(breadth: list[int]) -> None:
    assert crawl("best-first", most=3000).torrents[THREADS // 2] < breadth[THREADS // 2]


def test_depth_first_goes_to_the_newest_link() -> None:
    asked = crawl("depth-first", most=4).asked
    assert [url.count("/") for url in asked] == sorted(url.count("/") for url in asked)


@pytest.mark.parametrize("name", ORDERS)
def test_a_site_of_one_page_ends(name: str) -> None:
    from harvester.model.order import Came
    from tests.ordering.rehearsal import Page

    assert len(crawl(name, lambda _url: Page(Came.PAGE)).asked) == 1


def test_rules_are_learned_under_any_order() -> None:
    rules = {rule.role: rule.match for rule in crawl("breadth-first", most=400).rules}
    assert rules[Role.DETAIL] == r"^/thread/\d+$"
    assert r"^/board/\d+" in rules[Role.LIST] + rules.get(Role.FLIP, "")


def test_rows_with_the_clip_go_first_although_they_were_queued_before_its_meaning_was_known() -> None:
    def answer(url: str) -> Page:
        kind, _, rest = url.removeprefix(f"{ORIGIN}/").partition("/")
        if kind == "thread":
            file: list[Hit] = [(f"{ORIGIN}/file/{rest}", "holiday.torrent", None)]
            return Page(Came.PAGE, file if int(rest) % 5 == 0 else [])
        if kind == "file":
            return Page(Came.TORRENT)
        rows: list[Hit] = [(f"{ORIGIN}/thread/{n}", f"A title of thread {n}", (0, n)) for n in range(300)]
        return Page(Came.PAGE, rows, {(0, n): (7,) for n in range(0, 300, 5)})

    run = crawl("bandit", answer, most=1000)
    assert len(run.torrents) == 60
    assert run.torrents[-1] < 200
    blind = crawl("bandit", answer, most=1000, settings={"hints": 0.0})
    assert blind.torrents[-1] > 300
