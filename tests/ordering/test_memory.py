"""The frontier in memory."""

from __future__ import annotations

from harvester.model.crawl import Reprioritised
from harvester.model.order import EVERYTHING, PageLink, Place, Turn
from harvester.ordering.memory import MemoryFrontier


def filled(*priorities: float, lifo: bool = False) -> MemoryFrontier:
    frontier = MemoryFrontier(lifo=lifo)
    for number, priority in enumerate(priorities):
        link = PageLink(f"http://h{number % 2}/{number}", f"h{number % 2}", number)
        frontier.add(link, Place(priority))
    return frontier


def taken(frontier: MemoryFrontier, turn: Turn, room: int = 10) -> list[int]:
    return [item.link.key_hash for item in frontier.take(turn, room)]


def test_the_smallest_priority_goes_first_then_the_oldest() -> None:
    assert taken(filled(2, 1, 1), EVERYTHING) == [1, 2, 0]


def test_with_lifo_the_newest_goes_first() -> None:
    assert taken(filled(1, 1, 1, lifo=True), EVERYTHING) == [2, 1, 0]


def test_a_turn_takes_its_band_and_its_hosts_only() -> None:
    frontier = filled(0, 10, 11, 20)
    assert taken(frontier, Turn(5, 10, 20, ("h0",))) == [2]
    assert len(frontier) == 3


def test_a_url_moves_to_its_new_priority() -> None:
    frontier = filled(1, 2)
    ref = frontier.queued()[1][0]
    frontier.reprioritise([Reprioritised(ref, 0.5)])
    assert taken(frontier, EVERYTHING) == [1, 0]
