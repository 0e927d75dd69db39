"""Secrets do not reach the log."""

from __future__ import annotations

import logging

import httpx

from harvester.fetch.redact import RedactingFilter, quiet_libraries


def logged(caplog, log) -> str:
    logger = logging.getLogger("tests.redact")
    redacting = RedactingFilter()
    logger.addFilter(redacting)
    try:
        with caplog.at_level(logging.INFO, "tests.redact"):
            log(logger)
    finally:
        logger.removeFilter(redacting)
    return caplog.text


def test_a_url_in_a_message_or_an_argument_is_redacted(caplog):
    text = logged(caplog, lambda logger: logger.info("GET %s", "http://u:pw@a.example/x?passkey=abc&id=1"))
    assert "http://***@a.example/x?passkey=***&id=1" in text
    assert "abc" not in text
    assert "pw" not in text


def test_a_traceback_is_redacted(caplog):
    def log(logger):
        try:
            raise ValueError("http://a.example/?token=hidden")
        except ValueError:
            logger.exception("failed")

    text = logged(caplog, log)
    assert "hidden" not in text
    assert "ValueError" in text


def test_httpx_writes_no_line_for_each_request(caplog):
    quiet_libraries()
    with (
        caplog.at_level(logging.INFO),
        httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200))) as client,
    ):
        client.get("http://a.example/?passkey=hidden")
    assert caplog.text == ""


def test_quieting_twice_adds_one_filter():
    quiet_libraries()
    quiet_libraries()
    filters = logging.getLogger("httpx").filters
    assert sum(isinstance(present, RedactingFilter) for present in filters) == 1
