"""The demo sites, one pair for a test module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harvester.demo import DemoSites, start_demo
from harvester.demo.sites import DemoOptions


@pytest.fixture
def sites() -> Iterator[DemoSites]:
    with start_demo(options=DemoOptions(flood_seconds=0.0)) as running:
        yield running
