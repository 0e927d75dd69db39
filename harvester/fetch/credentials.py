"""Where the operator's secrets are read: the environment, or the system's keyring."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping

from harvester.access.secrets import Login, Secret
from harvester.errors import AccessError
from harvester.model.site import Account


class EnvironmentCredentials:
    """`harvester.ports.accounts.CredentialSource` over environment variables and the `keyring` package.

    A keyring service holds two entries: `user` and `password`.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment

    def find(self, account: Account) -> Login:
        """See the port."""
        if account.keyring:
            return self._from_keyring(account.keyring)
        return Login(self._variable(account.user_env), self._variable(account.password_env))

    def _variable(self, name: str) -> Secret:
        value = self._environment.get(name, "")
        if not value:
            raise AccessError(
                f"the environment variable {name} is not set",
                why="the site file names it for the account",
                hint=f"set it before harvest runs: export {name}=…",
            )
        return Secret(value)

    def _from_keyring(self, service: str) -> Login:
        try:
            keyring = importlib.import_module("keyring")
        except ImportError:
            raise AccessError(
                f"the keyring entry {service} cannot be read",
                why="the package keyring is not installed",
                hint="pip install keyring, or use environment variables (user_env, password_env)",
            ) from None
        found = []
        for name in ("user", "password"):
            try:
                value = keyring.get_password(service, name)
            except Exception as error:  # noqa: BLE001 - keyring's back ends raise errors of their own kinds
                raise AccessError(
                    f"the keyring entry {service} cannot be read", why=type(error).__name__
                ) from None
            if not value:
                raise AccessError(
                    f"the keyring has no {name} under {service}",
                    hint=f"store it: keyring set {service} {name}",
                )
            found.append(Secret(value))
        return Login(*found)
