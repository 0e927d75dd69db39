"""The pattern tree."""

from __future__ import annotations

from harvester.patterns.learner.evidence import Evidence
from harvester.patterns.learner.tokens import ANY, shape_of
from harvester.patterns.learner.tree import PatternTree, literals_pay


def tree_of(*urls: str) -> PatternTree:
    tree = PatternTree(lambda _one, _rest: False)
    for url in urls:
        tree.add(shape_of(url), url)
    return tree


def test_words_that_come_again_stay_literal() -> None:
    tree = tree_of(*[f"http://h/{word}/{n}" for word in ("user", "tag", "view") for n in range(20)])
    assert sorted(leaf.forms for leaf in tree.live()) == [("tag", "#"), ("user", "#"), ("view", "#")]


def test_words_that_come_once_become_one_kind() -> None:
    tree = tree_of(*[f"http://h/user/name{'abcdefghijklmnop'[n]}" for n in range(14)])
    assert [leaf.forms for leaf in tree.live()] == [("user", ANY)]


def test_what_was_placed_under_a_word_is_found_under_its_heir() -> None:
    tree = PatternTree(lambda _one, _rest: False)
    first = tree.add(shape_of("http://h/u/alice"), "http://h/u/alice").number
    for name in "bcdefghijklmnop":
        tree.add(shape_of(f"http://h/u/{name}x"), f"http://h/u/{name}x")
    assert tree.leaf(first) is tree.find(shape_of("http://h/u/zoe"))


def test_a_word_that_leads_elsewhere_survives() -> None:
    def differs(one: Evidence, rest: Evidence) -> bool:
        return one.torrents > 0 and rest.torrents < rest.visits

    tree = PatternTree(differs)
    get = tree.add(shape_of("http://h/get/1"), "http://h/get/1")
    get.evidence.visits = get.evidence.torrents = 3
    for n in range(14):
        url = f"http://h/{'abcdefghijklmno'[n]}x/1"
        tree.add(shape_of(url), url).evidence.visits = 2
    forms = {leaf.forms for leaf in tree.live()}
    assert ("get", "#") in forms
    assert (ANY, "#") in forms


def test_description_length_decides() -> None:
    assert literals_pay({"view": 50, "tag": 50})
    assert not literals_pay(dict.fromkeys(["alice", "bobby", "carol", "david", "erica", "frank"], 1))


def test_kinds_stay_few_on_a_site_of_endless_words() -> None:
    tree = PatternTree(lambda _one, _rest: False)
    for n in range(3000):
        word = "".join(chr(97 + n // 26**k % 26) for k in range(3))
        tree.add(shape_of(f"http://h/{word}/{word}x"), f"http://h/{word}")
    assert sum(1 for _ in tree.live()) < 30
