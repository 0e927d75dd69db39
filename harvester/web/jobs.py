"""Account actions that were begun on a page: each runs in a thread, one a site at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from harvester.errors import HarvestError

_MOST = 4
_log = logging.getLogger(__name__)


class AccountJobs:
    """Runs what a person began, and remembers how the last one of each site ended."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_MOST, thread_name_prefix="account")
        self._lock = threading.Lock()
        self._running: set[str] = set()
        self._ended: dict[str, str] = {}

    def begin(self, site: str, work: Callable[[], str]) -> bool:
        """Run `work`, whose value says in words what came of it; False when one of this site still runs."""
        with self._lock:
            if site in self._running:
                return False
            self._running.add(site)
            self._ended.pop(site, None)
        self._pool.submit(self._run, site, work)
        return True

    def note(self, site: str, message: str) -> None:
        """Say something of a site as if a job had ended with it."""
        with self._lock:
            self._ended[site] = message

    def is_running(self, site: str) -> bool:
        """Whether a job of this site runs."""
        with self._lock:
            return site in self._running

    def message(self, site: str) -> str:
        """How the last job of the site ended, "" when there was none."""
        with self._lock:
            return self._ended.get(site, "")

    def close(self) -> None:
        """Wait for what runs, and end the threads."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, site: str, work: Callable[[], str]) -> None:
        message = "this could not be done; the server's log says why"
        try:
            message = work()
        except HarvestError as error:
            message = str(error)
        except Exception:  # noqa: BLE001 - a thread has nobody else to tell
            _log.exception("an account action of %s failed", site)
        finally:
            with self._lock:
                self._running.discard(site)
                self._ended[site] = message
