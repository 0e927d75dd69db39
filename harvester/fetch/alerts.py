"""Telling the operator, at a web address of theirs, what waits for a person."""

from __future__ import annotations

import logging
import threading

import httpx

from harvester.fetch.fetcher import user_agent

_TIMEOUT = 10.0
_log = logging.getLogger("harvester.alerts")


class Webhook:
    """Posts JSON (`site`, `kind`, `message`) to one address, beside its caller; failures are logged."""

    def __init__(self, url: str, contact: str = "") -> None:
        self._url = url
        self._agent = user_agent(contact)

    def __call__(self, site: str, kind: str, message: str) -> None:
        """Send one alert; returns at once."""
        body = {"site": site, "kind": kind, "message": message}
        threading.Thread(target=self._post, args=(body,), name="alert").start()

    def _post(self, body: dict[str, str]) -> None:
        try:
            answer = httpx.post(self._url, json=body, headers={"User-Agent": self._agent}, timeout=_TIMEOUT)
            answer.raise_for_status()
        except httpx.HTTPError as error:  # its text may hold the address, which may hold a key
            _log.warning("an alert about %s could not be sent: %s", body["site"], type(error).__name__)
