"""The contract of whoever keeps the operator's accounts and finds their secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from harvester.access.secrets import Login
from harvester.model.account import AccountState
from harvester.model.site import Account


class AccountKeeper(Protocol):
    """Keeps one `AccountState` a site, where nobody else can read it."""

    def load(self, site: str) -> AccountState:
        """The state of a site's account, an empty one when there is none.

        `AccessError` when the file is open to others or damaged, with what to do.
        """
        ...

    def change(self, site: str, change: Callable[[AccountState], AccountState]) -> AccountState:
        """Replace the state by what `change` makes of it, whole or not at all, readable by its owner only.

        Other processes' changes come before or after this one, never in between. The new state;
        `AccessError` as `load`, and when it cannot be written.
        """
        ...

    def sites(self) -> list[str]:
        """The sites of which something is kept."""
        ...


class CredentialSource(Protocol):
    """Finds the secrets that a site file names."""

    def find(self, account: Account) -> Login:
        """User name and password; `AccessError` names the variable or keyring entry that is missing."""
        ...
