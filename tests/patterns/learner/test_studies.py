"""Requests for what they teach are few, and go where most is unknown."""

from __future__ import annotations

from harvester.model.order import PageLink
from harvester.patterns.learner.evidence import ACTIVE, Evidence
from harvester.patterns.learner.studies import FIRST, MOST, SHARE, Studies
from harvester.patterns.learner.tree import Leaf

KINDS = {
    word: Leaf(number, word, (), word, Evidence()) for number, word in enumerate(("known", "big", "small"))
}
KINDS["known"].evidence.visits = 50
KINDS["known"].urls, KINDS["big"].urls, KINDS["small"].urls = 900, 700, 9


def link(word: str, number: int = 1, *, fresh: bool = True) -> PageLink:
    return PageLink(f"http://h/{word}/{number}", "h", number, fresh=fresh)


def studies() -> Studies:
    return Studies(
        lambda url: KINDS[url.split("/")[3]], lambda _links: [], lambda: 1600, lambda url: url.split("/")[3]
    )


def test_a_kind_with_many_urls_and_no_visit_is_looked_at() -> None:
    chosen = studies().choose([link("known"), link("small"), link("big")], FIRST)
    assert chosen == link("big")


def test_nothing_is_studied_at_the_beginning_and_no_link_twice() -> None:
    assert studies().choose([link("big")], FIRST - 1) is None
    assert studies().choose([link("big", fresh=False)], FIRST) is None


def test_a_kind_is_looked_at_as_often_as_a_rule_needs() -> None:
    study = studies()
    chosen = [study.choose([link("big", n)], 10_000) for n in range(50)]
    assert sum(found is not None for found in chosen) == ACTIVE[0]


def test_studies_are_a_small_share_of_all_visits() -> None:
    study = Studies(
        lambda url: Leaf(hash(url), url, (), url, Evidence(), urls=900), lambda _links: [], lambda: 1
    )
    for visits in range(FIRST, 1000):
        study.choose([link("big", visits)], visits)
    assert study.made <= 1 + SHARE * 1000
    for visits in range(1000, 20_000):
        study.choose([link("big", visits)], visits)
    assert study.made == MOST


def test_a_test_of_a_parameter_comes_first() -> None:
    study = Studies(lambda _url: KINDS["big"], lambda links: [links[-1].url], lambda: 1600)
    assert study.choose([link("big", 1), link("big", 2)], FIRST) == link("big", 2)
