"""What the values of a site file mean."""

from __future__ import annotations

import pytest

from harvester.model.site import Account, Hours, is_loopback


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:80",
        "a.localhost",
        "127.0.0.1",
        "127.1.2.3:8101",
        "[::1]",
        "[::1]:80",
        "::1",
        "[::ffff:127.0.0.1]:80",
    ],
)
def test_this_machine_is_known_by_its_names(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "example.org",
        "localhost.example.org",
        "10.0.0.1",
        "127.0.0.1.example.org",
        "[::2]",
        "0.0.0.0",
        "mylocalhost",
    ],
)
def test_other_machines_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_hours_are_written_as_a_clock_shows_them() -> None:
    assert str(Hours(22 * 60, 6 * 60 + 5)) == "22:00-06:05"


def test_an_account_needs_both_variables_or_a_keyring() -> None:
    assert not Account().configured
    assert not Account(user_env="A").configured
    assert Account(user_env="A", password_env="B").configured
    assert Account(keyring="harvest").configured
