"""A slow page of one host does not delay another host."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.model.site import Politeness, SiteFile
from tests.crawl.harvesting import crawl

PAGES_OF_SLOW = 40
STEPS = 8
PATIENCE = 10.0
"""Seconds after which the slow host answers although the other one is not through."""


class SlowAndQuick:
    """Two hosts: one answers nothing until the other has served a chain of pages, each known by the last."""

    def __init__(self) -> None:
        slow, quick = loopback_socket(), loopback_socket()
        self.slow, self.quick = origin_of(slow), origin_of(quick)
        self.gave_up = False
        self._through = asyncio.Event()
        self._thread = SiteThread([(self._slow, slow), (self._quick, quick)], name="slow and quick")

    async def _slow(self, request: Request) -> Response:
        if request.path == "/robots.txt":
            return Response(b"", status=404)
        if request.path != "/":
            try:
                await asyncio.wait_for(self._through.wait(), PATIENCE)
            except TimeoutError:
                self.gave_up = True
                self._through.set()
        return Response(" ".join(f"<a href='/page{n}'>{n}</a>" for n in range(PAGES_OF_SLOW)).encode())

    async def _quick(self, request: Request) -> Response:
        if request.path == "/robots.txt":
            return Response(b"", status=404)
        step = int(request.path.rpartition("-")[2]) if request.path != "/" else 0
        if step == STEPS:
            self._through.set()
        return Response(f"<title>{step}</title><a href='/step-{step + 1}'>on</a>".encode())

    def close(self) -> None:
        self._thread.close()


@pytest.fixture
def hosts() -> Iterator[SlowAndQuick]:
    hosts = SlowAndQuick()
    yield hosts
    hosts.close()


def test_a_slow_page_does_not_delay_another_host(hosts: SlowAndQuick, tmp_path: Path) -> None:
    names = [origin.partition("://")[2] for origin in (hosts.slow, hosts.quick)]
    site = SiteFile(
        site="two",
        start=(f"{hosts.slow}/", f"{hosts.quick}/"),
        hosts=tuple(names),
        politeness=Politeness(delay=0.0),
    )
    report = crawl(tmp_path, site)
    assert not hosts.gave_up
    assert report.figures.pages > STEPS
