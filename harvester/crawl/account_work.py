"""What every action of an account on one site works with, in one value."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from msgspec import Struct

from harvester.crawl.committer import Committer
from harvester.crawl.turns import Turns
from harvester.model.site import SiteFile, is_loopback
from harvester.patterns.engines import Engine
from harvester.ports.fetch import Fetcher

_PATIENCE = 3.0
_LOOPBACK_PATIENCE = 1.2
"""Seconds between reading a form and sending it; forums refuse what comes within the same second."""


class AccountWork(Struct, frozen=True):
    """The site and its file, whose turn it is to ask, who asks, what is written down, the software known.

    `engine` tells the name of the site's software as far as it is known by now ("" for not), `clock` UTC
    seconds.
    """

    site: SiteFile
    turns: Turns
    fetcher: Fetcher
    committer: Committer
    engines: Mapping[str, Engine]
    engine: Callable[[], str]
    clock: Callable[[], float] = time.time

    @property
    def software(self) -> Engine | None:
        """What is known of the site's software."""
        return self.engines.get(self.engine())

    @property
    def patience(self) -> float:
        """Seconds to wait between reading a form of the site and sending it."""
        return _LOOPBACK_PATIENCE if all(map(is_loopback, self.site.hosts)) else _PATIENCE
