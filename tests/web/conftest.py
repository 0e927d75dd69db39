"""The small collection, served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.collection import Served, served


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Shared by the tests of a module, which change nothing."""
    with served(tmp_path_factory.mktemp("web"), web_rate_limit=0) as one:
        yield one


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """For one test alone, which may change what it likes."""
    with served(tmp_path, web_rate_limit=0) as one:
        yield one
