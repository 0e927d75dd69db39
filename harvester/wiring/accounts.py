"""The operator's accounts: where they are kept, who is told, and acting on one by hand."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from importlib.metadata import entry_points
from typing import TypeVar

from harvester.access.captcha import Solver
from harvester.crawl.desk import AccountDesk
from harvester.crawl.session import AccountMeans, Alert
from harvester.fetch.alerts import Webhook
from harvester.fetch.credentials import EnvironmentCredentials
from harvester.fetch.fetcher import user_agent
from harvester.fetch.sessions import AccountFiles
from harvester.model.site import SiteFile
from harvester.patterns.engines import shipped_engines
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.wiring.fetchers import build_fetcher
from harvester.wiring.rights import crawling, require_active
from harvester.wiring.sites import require_contact

T = TypeVar("T")


def log_alert(site: str, word: str, message: str) -> None:
    """Tell who reads the log."""
    logging.getLogger("harvester.access").warning("%s: %s", site, message, extra={"alert": word})


def _alerts(settings: Settings) -> Alert:
    """The log, and the operator's web address if there is one."""
    if settings.alert_webhook is None:
        return log_alert
    webhook = Webhook(settings.alert_webhook.get_secret_value(), settings.contact)

    def tell(site: str, word: str, message: str) -> None:
        log_alert(site, word, message)
        webhook(site, word, message)

    return tell


def captcha_solver(name: str) -> Solver | None:
    """A solver that a package offers under the entry point group `harvest.captcha_solvers`."""
    for point in entry_points(group="harvest.captcha_solvers", name=name):
        solver: Solver = point.load()
        return solver
    return None


def account_means(settings: Settings, *, alert: Alert | None = None) -> AccountMeans:
    """Where accounts are kept, where their secrets are found, and who is told about them."""
    return AccountMeans(
        keeper=AccountFiles(settings.data / "sessions"),
        credentials=EnvironmentCredentials(),
        alert=alert or _alerts(settings),
        solver=captcha_solver,
    )


def at_the_desk(
    settings: Settings, store: Store, site: SiteFile, act: Callable[[AccountDesk], Awaitable[T]]
) -> T:
    """Let a person act on the account of a site while no crawl of it runs (`UsageError` when one does)."""
    require_contact(settings, site)
    require_active(store, site)

    async def work() -> T:
        fetcher = build_fetcher(settings, site)
        desk = AccountDesk(
            site,
            account_means(settings, alert=lambda _site, _word, _message: None),
            store=store,
            fetcher=fetcher,
            agent=user_agent(settings.contact),
            engines=shipped_engines(),
        )
        try:
            return await act(desk)
        finally:
            await desk.close()
            await fetcher.aclose()

    with crawling(settings, site.site):
        return asyncio.run(work())
