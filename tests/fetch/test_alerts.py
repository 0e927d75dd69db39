"""Alerts reach the operator's address, and a dead address harms nothing and shows nothing of itself."""

from __future__ import annotations

import json
import threading

import pytest

from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.fetch.alerts import Webhook


def finish() -> None:
    """Wait until every alert is sent."""
    for thread in threading.enumerate():
        if thread.name == "alert":
            thread.join(10)


def test_an_alert_is_posted_as_json() -> None:
    came: list[Request] = []

    async def answer(request: Request) -> Response:
        came.append(request)
        return Response(b"", 204)

    listener = loopback_socket()
    with SiteThread([(answer, listener)]):
        Webhook(f"{origin_of(listener)}/hook?key=1")("site", "held", "a message")
        finish()
    assert json.loads(came[0].body) == {"site": "site", "kind": "held", "message": "a message"}


def test_an_address_that_does_not_answer_is_told_without_its_key(caplog: pytest.LogCaptureFixture) -> None:
    listener = loopback_socket()
    url = f"{origin_of(listener)}/hook?key=secret-key"
    listener.close()
    Webhook(url)("site", "held", "a message")
    finish()
    assert "could not be sent" in caplog.text
    assert "secret-key" not in caplog.text
