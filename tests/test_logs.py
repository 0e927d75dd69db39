"""Log lines: text or JSON, on standard error, never with a secret in them."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rq.logutils import setup_loghandlers

from harvester import wiring
from harvester.demo import start_demo
from harvester.logs import configure
from harvester.settings import Settings
from harvester.web.server import server_for
from tests.crawl.harvesting import crawl

SECRET = "http://u:pw@a.example/announce/0123456789abcdef0123?passkey=abc&x=1"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, own = list(root.handlers), root.level, logging.getLogger("harvester").level
    filters = [(handler, list(handler.filters)) for handler in handlers]
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("harvester").setLevel(own)
    for handler, before in filters:
        handler.filters[:] = before


def settings(**values: str) -> Settings:
    return Settings(log_level=values.pop("log_level", "info"), **values)  # type: ignore[arg-type]


def test_text_says_when_how_grave_who_and_what(capsys: pytest.CaptureFixture[str]) -> None:
    configure(settings())
    logging.getLogger("harvester.test").warning("the %s is %d", "answer", 42)
    line = capsys.readouterr().err
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d warning harvester\.test: the answer is 42\n", line)


def test_json_is_one_object_a_line_with_everything_given(capsys: pytest.CaptureFixture[str]) -> None:
    configure(settings(log_format="json"))
    logging.getLogger("harvester.test").info("one\ntwo", extra={"site": "forum", "crawl": 3})
    (line,) = capsys.readouterr().err.splitlines()
    record = json.loads(line)
    assert record.pop("at").endswith("Z")
    assert record == {
        "level": "info", "logger": "harvester.test", "message": "one\ntwo", "site": "forum", "crawl": 3,
    }  # fmt: skip


@pytest.mark.parametrize("log_format", ["text", "json"])
@pytest.mark.parametrize("logger", ["harvester.test", "some.library", "httpx"])
def test_no_secret_is_told_by_anybody(
    capsys: pytest.CaptureFixture[str], log_format: str, logger: str
) -> None:
    configure(settings(log_format=log_format))
    try:
        raise ValueError(f"Cookie: sid=topsecret {SECRET}")
    except ValueError:
        logging.getLogger(logger).exception("fetching %s", SECRET)
    told = capsys.readouterr().err
    assert "a.example" in told
    assert "ValueError" in told
    for secret in ("pw@", "passkey=abc", "topsecret", "0123456789abcdef0123"):
        assert secret not in told


def test_other_handlers_are_given_the_same_filter() -> None:
    other = logging.StreamHandler()
    logging.getLogger("some.library").addHandler(other)
    try:
        configure(settings())
        record = logging.makeLogRecord({"msg": SECRET, "args": ()})
        other.filter(record)
        assert "passkey=abc" not in record.getMessage()
    finally:
        logging.getLogger("some.library").removeHandler(other)


def test_a_terminal_obeys_nothing_that_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    configure(settings())
    logging.getLogger("harvester.test").warning("\x1b[31mred\x07")
    assert "\x1b" not in capsys.readouterr().err


def test_the_level_holds_for_the_program_and_libraries_say_only_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure(settings(log_level="debug"))
    logging.getLogger("harvester.test").debug("ours")
    logging.getLogger("some.library").info("theirs")
    told = capsys.readouterr().err
    assert "ours" in told
    assert "theirs" not in told


def test_a_crawl_tells_its_start_and_end_and_at_most_a_line_a_second(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    configure(settings(log_format="json"))
    with start_demo() as demo:
        report = crawl(tmp_path, demo.forum_url)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (lines[0]["event"], lines[-1]["event"]) == ("crawl_started", "crawl_ended")
    assert lines[-1]["figures"]["torrents_new"] == report.figures.torrents_new
    assert any("first wall of its kind" in line["message"] for line in lines[1:-1])
    assert len(lines) <= report.seconds + 3


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_the_web_server_tells_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    told = settings(log_format=log_format, data=str(tmp_path))
    configure(told)
    with wiring.opened_store(told, create=True) as store:
        server_for(told, store)
    # The lines that uvicorn writes of a request and of an application that failed.
    logging.getLogger("uvicorn.error").error("Exception in ASGI application for %s", SECRET)
    access = logging.getLogger("uvicorn.access")
    access.propagate = True
    access.warning(
        '%s - "%s %s HTTP/%s" %d', "192.0.2.1:1", "GET", f"/?q=1&passkey=abc&u={SECRET}", "1.1", 200
    )
    lines = capsys.readouterr().err
    assert len(lines.splitlines()) == 2
    assert "192.0.2.1" in lines
    for secret in ("pw@", "passkey=abc", "0123456789abcdef0123"):
        assert secret not in lines
    assert not any(
        logging.getLogger(name).handlers for name in ("uvicorn", "uvicorn.error", "uvicorn.access")
    )


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_worker_of_the_queue_tells_no_secret(capsys: pytest.CaptureFixture[str], log_format: str) -> None:
    configure(settings(log_format=log_format))
    # What a worker does when it starts.
    setup_loghandlers("INFO")
    try:
        logging.getLogger("rq.worker").warning("default: harvester.worker.refresh(%r) (job)", SECRET)
        said = capsys.readouterr()
    finally:
        logging.getLogger("rq.worker").handlers.clear()
    assert "default: harvester.worker.refresh" in said.err
    for secret in ("pw@", "passkey=abc", "0123456789abcdef0123"):
        assert secret not in said.out + said.err
