"""Deadlines."""

from __future__ import annotations

import asyncio

import pytest

from harvester.fetch.deadline import Deadline
from tests.fetch.support import in_loop


@in_loop
async def test_work_that_is_done_in_time_is_left_alone():
    with Deadline(5):
        await asyncio.sleep(0)
    assert asyncio.current_task().cancelling() == 0


@in_loop
async def test_work_that_takes_too_long_is_a_timeout_and_the_task_goes_on():
    with pytest.raises(TimeoutError), Deadline(0.01):
        await asyncio.Event().wait()
    assert asyncio.current_task().cancelling() == 0
    await asyncio.sleep(0)


@in_loop
async def test_a_cancellation_from_outside_stays_a_cancellation():
    async def work():
        with Deadline(5):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()


@in_loop
async def test_a_cancellation_from_outside_at_the_same_time_wins():
    async def work():
        with Deadline(0):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0, task.cancel)
    await asyncio.wait([task])
    assert task.cancelled()


@in_loop
async def test_an_error_of_the_work_comes_through():
    with pytest.raises(KeyError), Deadline(5):
        raise KeyError


@in_loop
async def test_of_nested_deadlines_the_one_that_passed_is_reported():
    with Deadline(5), pytest.raises(TimeoutError), Deadline(0.01):
        await asyncio.Event().wait()
