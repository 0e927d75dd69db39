"""Few rules for many kinds."""

from __future__ import annotations

from harvester.model.site import Role
from harvester.patterns.learner.evidence import Evidence
from harvester.patterns.learner.generalise import Kind, parts_of
from harvester.patterns.learner.roles import Verdict
from harvester.patterns.learner.spelling import part_pattern
from harvester.patterns.learner.tree import Leaf


def kind(path: str, role: Role | None, trials: float = 20, urls: int = 50, **params: str) -> Kind:
    forms = tuple(path.strip("/").split("/"))
    group = f"h.example/{len(forms)}.?{'&'.join(sorted(params))}"
    leaf = Leaf(
        0, group, forms + tuple(params[name] for name in sorted(params)), "http://h.example/", Evidence()
    )
    leaf.urls = urls
    return Kind(leaf, Verdict(role, trials, trials) if role is not None else None, forms, params)


def written(*kinds: Kind) -> list[tuple[Role, str]]:
    return [(part.role, part_pattern(part, {})) for part in parts_of(kinds)]


def test_the_parameter_that_tells_roles_apart_stands_in_the_pattern() -> None:
    rules = written(
        kind("/forum", Role.DETAIL, mod="viewthread", tid="#"),
        kind("/forum", Role.DETAIL, mod="viewthread", tid="#", page="#"),
        kind("/forum", Role.LIST, mod="board", fid="#"),
        kind("/forum", Role.LIST, mod="board", fid="#", sort="#"),
        kind("/forum", Role.DOWNLOAD, mod="get", aid="#"),
    )
    assert {role: "mod=" in pattern for role, pattern in rules} == dict.fromkeys(
        (Role.DETAIL, Role.LIST, Role.DOWNLOAD), True
    )


def test_three_words_that_lead_to_the_same_stand_for_any_word() -> None:
    rules = written(*(kind(f"/{word}/#", Role.LIST) for word in ("audio", "video", "books")))
    assert rules == [(Role.LIST, r"^/[^/?&;]+/\d+$")]


def test_two_words_do_not() -> None:
    assert len(written(*(kind(f"/{word}/#", Role.LIST) for word in ("audio", "video")))) == 2


def test_words_of_which_nothing_is_known_do_not_join_where_they_are_most() -> None:
    known = [kind(f"/{word}/#", Role.LIST, urls=5) for word in ("audio", "video", "books")]
    assert len(written(*known, kind("/member/#", None, urls=900))) == 3


def test_a_word_with_another_role_keeps_a_rule_of_its_own() -> None:
    lists = [kind(f"/{word}/#", Role.LIST) for word in ("audio", "video", "books", "games", "maps")]
    rules = written(*lists, kind("/item/#", Role.DETAIL))
    assert (Role.DETAIL, r"^/item/\d+$") in rules


def test_values_of_any_look_are_values() -> None:
    shapes = ("<slug>", "<token>", "<slug>-#", "<hex>")
    assert len(written(*(kind(f"/details/{shape}", Role.DETAIL) for shape in shapes))) == 1


def test_further_pages_of_a_list_have_a_rule_of_their_own_before_it() -> None:
    rules = written(kind("/list", Role.LIST, cat="#"), kind("/list", Role.FLIP, cat="#", page="#"))
    assert [role for role, _ in rules] == [Role.FLIP, Role.LIST]
    assert "page=" in rules[0][1]
