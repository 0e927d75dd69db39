"""Secrets come from where the site file says, and a missing one is named by its place."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from harvester.errors import AccessError
from harvester.fetch.credentials import EnvironmentCredentials
from harvester.model.site import Account

NAMED = Account("EXAMPLE_USER", "EXAMPLE_PASSWORD")


def test_environment_variables_are_read() -> None:
    source = EnvironmentCredentials({"EXAMPLE_USER": "alice", "EXAMPLE_PASSWORD": "pw"})
    login = source.find(NAMED)
    assert (login.user.reveal(), login.password.reveal()) == ("alice", "pw")


@pytest.mark.parametrize(
    "environment", [{}, {"EXAMPLE_USER": "alice"}, {"EXAMPLE_USER": "alice", "EXAMPLE_PASSWORD": ""}]
)
def test_a_missing_variable_is_named_and_no_value_is_shown(environment: dict[str, str]) -> None:
    with pytest.raises(AccessError, match="EXAMPLE_") as error:
        EnvironmentCredentials(environment).find(NAMED)
    assert "alice" not in str(error.value)


def test_a_keyring_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = ModuleType("keyring")
    stored = {("my-site", "user"): "alice", ("my-site", "password"): "pw"}
    keyring.get_password = lambda service, name: stored.get((service, name))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    login = EnvironmentCredentials({}).find(Account(keyring="my-site"))
    assert (login.user.reveal(), login.password.reveal()) == ("alice", "pw")
    with pytest.raises(AccessError, match="keyring set other user"):
        EnvironmentCredentials({}).find(Account(keyring="other"))


def test_without_the_keyring_package_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(AccessError, match="pip install keyring"):
        EnvironmentCredentials({}).find(Account(keyring="my-site"))
