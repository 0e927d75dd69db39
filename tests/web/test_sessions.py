"""Sessions of the page."""

from __future__ import annotations

from harvester.web.sessions import LIFETIME, MAX_SESSIONS, Sessions, same


def test_a_session_is_found_by_its_cookie_until_it_is_over() -> None:
    sessions = Sessions()
    token, session = sessions.begin("id", "me", 100.0)
    assert sessions.find(token, 100.0 + LIFETIME - 1) == session
    assert sessions.find(token[:-1], 100.0) is None
    assert sessions.find("", 100.0) is None
    assert sessions.find(token, 100.0 + LIFETIME) is None
    assert sessions.find(token, 100.0) is None


def test_a_session_that_was_ended_is_not_found() -> None:
    sessions = Sessions()
    token, _ = sessions.begin("id", "me", 100.0)
    sessions.end(token)
    assert sessions.find(token, 100.0) is None


def test_two_sessions_share_no_secret() -> None:
    sessions = Sessions()
    (one, first), (other, second) = (sessions.begin("id", "me", 1.0) for _ in range(2))
    assert one != other
    assert first.csrf != second.csrf


def test_sessions_take_bounded_memory() -> None:
    sessions = Sessions()
    first, _ = sessions.begin("id", "me", 1.0)
    for _ in range(MAX_SESSIONS):
        last, _ = sessions.begin("id", "me", 1.0)
    assert sessions.find(first, 1.0) is None
    assert sessions.find(last, 1.0)


def test_secrets_are_compared_whatever_they_are_made_of() -> None:
    assert same("é", "é")
    assert not same("é", "\ud800")
    assert not same("", "a")
