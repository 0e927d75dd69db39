"""A secret is never shown by accident."""

from __future__ import annotations

import pickle

import pytest

from harvester.access.secrets import Login, Secret


def test_a_secret_shows_as_stars_however_it_is_printed() -> None:
    secret = Secret("hunter2")
    shown = [
        str(secret),
        repr(secret),
        f"{secret}",
        f"{secret!r:>20}",
        f"{Login(secret, secret)}",
        f"{[secret]}",
    ]
    assert not any("hunter2" in text for text in shown)
    assert secret.reveal() == "hunter2"


def test_a_secret_is_not_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret("hunter2"))


def test_a_mark_tells_secrets_apart_and_needs_the_salt() -> None:
    login = Login(Secret("a"), Secret("b"))
    assert login.mark("salt") == Login(Secret("a"), Secret("b")).mark("salt")
    assert login.mark("salt") != login.mark("other")
    assert login.mark("salt") != Login(Secret("a"), Secret("c")).mark("salt")
    assert Login(Secret("ab"), Secret("c")).mark("s") != Login(Secret("a"), Secret("bc")).mark("s")
