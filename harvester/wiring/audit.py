"""The audit log of accounts: every login, reply, captcha, purchase and refusal, with its time and reason."""

from __future__ import annotations

import heapq

from harvester.model.stored import Event
from harvester.ports.store import Store

ACCOUNT_EVENTS = (
    *("login", "login_refused", "session_expired", "captcha", "cookie_import", "session_forgotten"),
    *("reply", "reply_result", "reply_flood", "reply_refused", "reply_decided"),
    *("purchase", "purchase_result", "purchase_refused"),
)
"""Kinds of event that were done, or left undone, in the name of an account's owner."""


def account_events(store: Store, site: str | None, limit: int) -> list[Event]:
    """The newest events of accounts (of one site's, or of all), the newest first."""
    found = [event for kind in ACCOUNT_EVENTS for event in store.events(site=site, kind=kind, limit=limit)]
    return heapq.nlargest(limit, found, key=lambda event: event.at)


def event_words(event: Event) -> str:
    """What an event says besides its kind, in one line."""
    return ", ".join(f"{key} {value}" for key, value in event.detail.items() if value not in ("", None))
