"""Parameters that change nothing."""

from __future__ import annotations

from harvester.patterns.learner.parameters import MOST_TESTS, Parameters


def visit(parameters: Parameters, query: str, content: str) -> None:
    parameters.observe(f"http://h/view?{query}", content.encode())


def test_a_parameter_without_which_pages_are_the_same_is_irrelevant() -> None:
    parameters = Parameters()
    for n in range(5):
        visit(parameters, f"from=list&id={n}", f"page {n}")
        visit(parameters, f"id={n}", f"page {n}")
    assert parameters.irrelevant() == {"from"}


def test_one_difference_is_enough_to_keep_it() -> None:
    parameters = Parameters()
    for n in range(6):
        visit(parameters, f"id={n}&page=1", f"page {n}")
        visit(parameters, f"id={n}", f"page {n}")
    visit(parameters, "id=1&page=2", "the second page")
    assert "page" not in parameters.irrelevant()


def test_one_message_box_under_many_addresses_says_nothing() -> None:
    parameters = Parameters()
    for n in range(20):
        visit(parameters, f"id={n}", "not for guests")
    assert parameters.irrelevant() == frozenset()


def test_tests_are_few() -> None:
    parameters = Parameters()
    for n in range(50):
        visit(parameters, f"id={n}", f"page {n}")
    assert sum(parameters.worth_a_test(f"http://h/view?hl=x&id={n}") for n in range(50)) == MOST_TESTS


def test_the_number_of_a_page_is_never_irrelevant() -> None:
    parameters = Parameters()
    for number in range(8):
        parameters.observe(f"http://a.example/?c={number}", b"%d" % number)
        parameters.observe(f"http://a.example/?c={number}&p=1", b"%d" % number)
        parameters.observe(f"http://a.example/?c={number}&x=1", b"%d" % number)
    assert parameters.irrelevant() == {"x"}
