"""What a kind of URL is worth."""

from __future__ import annotations

import pytest

from harvester.ordering.values import MOST_LINKS, Record, Worth, worth


def test_a_list_is_worth_what_its_links_are() -> None:
    assert worth(0.0, [(50, Worth(1.0, 1.0))]).ratio == pytest.approx(50 / 51)


def test_links_worth_less_than_the_page_itself_are_not_followed() -> None:
    assert worth(1.0, [(30, Worth(0.01, 1.0))]) == Worth(1.0, 1.0)


def test_the_best_links_are_followed_first() -> None:
    value = worth(0.0, [(5, Worth(0.9, 1.0)), (100, Worth(0.1, 1.0))])
    assert value.ratio == pytest.approx(4.5 / 6)


def test_a_record_forgets_the_rarest_links() -> None:
    record = Record()
    for arm in range(5 * MOST_LINKS):
        record.link(arm)
        record.link(0)
    assert len(record.links) <= MOST_LINKS + 1
    assert 0 in record.links
