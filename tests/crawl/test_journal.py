"""What a crawl tells its log, and how often."""

from __future__ import annotations

import logging

import pytest

from harvester.crawl.figures import Figures
from harvester.crawl.journal import FIGURES_SECONDS, Journal
from harvester.model.crawl import Crawl

CRAWL = Crawl(3, 1, "forum", "full", "running", 0, 0.0, 0.0)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    lines = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return lines


@pytest.fixture
def journal(caplog: pytest.LogCaptureFixture) -> Journal:
    caplog.set_level(logging.INFO, "harvester.crawl")
    journal = Journal("forum")
    journal.begin(CRAWL, 0.0)
    assert told(caplog) == ["forum: full crawl 3 begins"]
    return journal


def test_walls_errors_traps_and_holds_are_told_when_they_are_new(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    figures = Figures()
    figures.walls["login"] += 5
    figures.errors["timed_out"] += 2
    journal.look(1.0, figures, {"/maze/#": "barren"}, {"a.example": 60.0})
    (line,) = told(caplog)
    for news in (
        "login",
        "errors: timed_out 2",
        "/maze/# (barren)",
        "a.example is left alone until 00:01:00",
    ):
        assert news in line
    figures.walls["login"] += 5
    journal.look(2.0, figures, {"/maze/#": "barren"}, {"a.example": 60.0})
    assert told(caplog) == []
    figures.errors["timed_out"] += 1
    journal.look(3.0, figures, {}, {"a.example": 120.0})
    (line,) = told(caplog)
    assert "errors: timed_out 1" in line
    assert "00:02:00" in line


def test_there_is_one_line_a_second_and_nothing_is_lost(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    figures = Figures()
    for tick in range(1, 51):
        figures.errors["connect"] += 1
        journal.look(tick / 10, figures, {}, {})
    lines = told(caplog)
    assert len(lines) == 5
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == 50


def test_much_news_at_once_is_one_line(journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    journal.look(1.0, Figures(), {f"/t{number}/#": "barren" for number in range(20)}, {})
    (line,) = told(caplog)
    assert line.endswith("; and 15 more")


def test_a_quiet_crawl_tells_its_figures_now_and_then(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    for second in range(1, 3 * int(FIGURES_SECONDS)):
        journal.look(float(second), Figures(requests=second), {}, {})
    assert len(told(caplog)) == 2
