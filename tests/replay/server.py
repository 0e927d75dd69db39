"""Serving a recorded site on loopback, its origin rewritten to ours."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType

from harvester.demo.server import (
    Request,
    Response,
    SiteState,
    SiteThread,
    loopback_socket,
    origin_of,
    redirect,
)
from tests.replay.recording import Recording, Rewriter

_STATE_CHANGING = re.compile(
    r"action=(logout|delete|markread|attachpay|pay|rate|report|favorite|recommend)\b|mode=(logout|delete|report)"
    r"|logoutkey=|ratethread\.php\?.*rating=|mark=(forums|topics)|/mark/|/logout|report\.php|ac=(favorite|friend)\b"
)


@dataclass(slots=True)
class ReplayState(SiteState):
    """What was asked for; `unrecorded` counts by target what nobody recorded (answered 504)."""

    unrecorded: Counter[str] = field(default_factory=Counter)


class Replay:
    """A recorded site, served from the constructor's return until `close`.

    `url` is the recorded start page at our address. An unrecorded URL answers 504 and is counted in
    `state.unrecorded`; an unrecorded `/` leads to the start page, as it does on the real sites. The recorded
    robots.txt is served where there is one; else 404 (which means: no rules), or `robots` when given.
    """

    def __init__(
        self, name: str, recording: str = "focus_anon", *, port: int = 0, robots: bytes | None = None
    ) -> None:
        self.recording = Recording(name, recording)
        self.state = ReplayState()
        self._robots = robots
        listener = loopback_socket(port)
        self.origin = origin_of(listener)
        self._rewriter = Rewriter(self.recording.origin, self.origin)
        self._thread = SiteThread([(self._answer, listener)], name=f"replay {name}")

    @property
    def url(self) -> str:
        """The start page."""
        return self.origin + self.recording.start

    def recorded_url(self, url: str) -> str:
        """The URL as truth writes it: with the recorded origin."""
        return self._back(url)

    def _back(self, url: str) -> str:
        return self.recording.origin + url.removeprefix(self.origin) if url.startswith(self.origin) else url

    async def _answer(self, request: Request) -> Response:
        self.state.record(request)
        if request.method == "GET" and _STATE_CHANGING.search(request.target):
            self.state.violations.append(request.target)
        record = self.recording.find(request.target) if request.method in ("GET", "HEAD") else None
        if record is not None:
            body, headers = self._rewriter.response(record)
            return Response(body, record.status, "", headers)
        if request.path == "/robots.txt":
            if self._robots is None:
                return Response(b"no robots.txt was recorded\n", 404, "text/plain")
            return Response(self._robots, content_type="text/plain")
        if request.target == "/":
            return redirect(self.recording.start)
        self.state.unrecorded[request.target] += 1
        return Response(b"not recorded\n", 504, "text/plain")

    def close(self) -> None:
        """Stop serving."""
        self._thread.close()

    def __enter__(self) -> Replay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
