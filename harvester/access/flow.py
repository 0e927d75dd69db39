"""Account actions as generators: they yield what is to be sent and receive what came.

    flow = log_in(plan)
    step = next(flow)
    while True:
        step = flow.send(await fetch(step)) if isinstance(step, Request) else flow.send(None)

`StopIteration.value` is the result. A flow never sees a client, a clock or a file, so it is tested without
any of them. Whoever drives it sends each `Request` under robots, politeness and the guard, sleeps for each
`Wait`, and throws `FetchError` into it where no answer came.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from msgspec import Struct

from harvester.model.http import Request, Response

T = TypeVar("T")


class Wait(Struct, frozen=True):
    """Let so many seconds pass, as a person who fills in a form does."""

    seconds: float


Step = Request | Wait
Flow = Generator[Step, Response | None, T]


def ask(request: Request) -> Flow[Response]:
    """Send one request; the response."""
    response = yield request
    assert response is not None
    return response
