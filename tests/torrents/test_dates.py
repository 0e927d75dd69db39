"""Creation dates are read as they are really written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.torrents.dates import read_date

MOMENT = 1448572711  # 2015-11-26 21:18:31 UTC


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (MOMENT, ""),
        (MOMENT * 1000 + 725, "date_milliseconds"),
        (MOMENT * 1_000_000 + 5, "date_microseconds"),
        (b"1448572711", "date_text"),
        (b" 1448572711.25\n", "date_text"),
        (b"1448572711725", "date_milliseconds"),
        (b"26.11.2015 21:18:31 UTC", "date_text"),
        (b"26/11/2015 21:18:31", "date_text"),
        (b"11/26/2015 21:18:31", "date_text"),
        (b"2015-11-26 21:18:31", "date_text"),
        ("2015-11-26T21:18:31Z", "date_text"),
        ("2015-11-26T22:18:31+01:00", "date_text"),
        (b"2015/11/26 21:18:31", "date_text"),
        (b"Thu, 26 Nov 2015 21:18:31 +0000", "date_text"),
        (b"Thu, 26 Nov 2015 22:18:31 +0100", "date_text"),
        (b"Thu Nov 26 21:18:31 2015", "date_text"),
    ],
)
def test_a_date_is_understood(value: object, flag: str) -> None:
    assert read_date(value) == (MOMENT, flag)


@pytest.mark.parametrize(
    "value",
    [0, -1, 2**63, 2**200, b"", b"yesterday", b"-5", b"99.99.2015", [], {}, b"\xff" * 1000, b"1" * 5000],
)
def test_what_is_no_date_is_none_and_flagged(value: object) -> None:
    assert read_date(value) == (None, "bad_date")


def test_an_absent_date_is_none_without_a_flag() -> None:
    assert read_date(None) == (None, "")


@given(
    st.one_of(
        st.integers(),
        st.binary(max_size=60),
        st.text(alphabet="0123456789 :-/.,TZUC+GMonJanTue", max_size=40),
    )
)
def test_any_value_gives_a_date_of_this_millennium_or_a_flag(value: object) -> None:
    seconds, flag = read_date(value)
    assert (seconds is None) == (flag == "bad_date")
    assert seconds is None or 0 < seconds <= 32_503_680_000
