"""What a person began on a page runs once a site, and its end is told."""

from __future__ import annotations

import threading

import pytest

from harvester.errors import AccessError
from harvester.web.jobs import AccountJobs


def test_one_job_a_site_runs_at_a_time_and_its_end_is_told() -> None:
    jobs, go = AccountJobs(), threading.Event()

    def work() -> str:
        assert go.wait(10)
        return "done"

    assert jobs.begin("forum", work)
    assert not jobs.begin("forum", work)
    assert jobs.is_running("forum")
    assert not jobs.is_running("other")
    go.set()
    jobs.close()
    assert (jobs.is_running("forum"), jobs.message("forum"), jobs.message("other")) == (False, "done", "")


def test_a_failure_is_told_in_words_and_a_fault_without_its_details(
    caplog: pytest.LogCaptureFixture,
) -> None:
    jobs, began = AccountJobs(), threading.Barrier(3)

    def fails() -> str:
        began.wait(10)
        raise AccessError("not logged in", why="the site says no")

    def breaks() -> str:
        began.wait(10)
        raise RuntimeError("inner detail")

    jobs.begin("a", fails)
    jobs.begin("b", breaks)
    began.wait(10)
    jobs.close()
    assert jobs.message("a") == "not logged in: the site says no"
    assert "inner detail" not in jobs.message("b")
    assert "inner detail" in caplog.text
