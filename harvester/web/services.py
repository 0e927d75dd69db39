"""What the routes work with, in one piece."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field

from fastapi import Request

from harvester import wiring
from harvester.model.site import is_loopback
from harvester.ports.index import SearchIndex
from harvester.ports.store import Store
from harvester.search.querylog import QueryLog
from harvester.settings import Settings
from harvester.web.jobs import AccountJobs
from harvester.web.keys import ApiKey, KeyFile, Scope, digest_of
from harvester.web.limits import RateLimiter
from harvester.web.metrics import Metrics
from harvester.web.sessions import Sessions

_FAILURES_PER_MINUTE = 40
_SETTINGS_KEY = "settings"


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that is behind the application; the caller opens and closes the store."""

    settings: Settings
    store: Store
    index: SearchIndex
    keys: KeyFile
    queries: QueryLog
    folder: wiring.SiteFolder
    metrics: Metrics
    sessions: Sessions = field(default_factory=Sessions)
    requests: RateLimiter = field(default_factory=lambda: RateLimiter(0))
    failures: RateLimiter = field(default_factory=lambda: RateLimiter(_FAILURES_PER_MINUTE))
    """Wrong keys and log-ins."""
    accounts: AccountJobs = field(default_factory=AccountJobs)

    @property
    def public_read(self) -> bool:
        """Whether those without a key may search."""
        return self.settings.web_public_read and self.settings.web_api_key is None

    def key(self, text: str) -> ApiKey | None:
        """The key with this text: one of the key file, or the one of the settings, which reads only."""
        found = self.keys.check(text)
        told = self.settings.web_api_key
        if told is not None and hmac.compare_digest(digest_of(told.get_secret_value()), digest_of(text)):
            found = found or ApiKey(_SETTINGS_KEY, _SETTINGS_KEY, "read", "", 0.0)
        return found

    def scope_of(self, key_id: str) -> Scope | None:
        """What the key of that id may do now, None when it was revoked."""
        return next((key.level for key in self.keys.all() if key.id == key_id), None)

    @property
    def hosts(self) -> frozenset[str] | None:
        """The names under which a server on loopback answers, None for any.

        A page of a stranger whose name was made to point at loopback is not among them.
        """
        if not is_loopback(self.settings.web_host):
            return None
        own = self.settings.web_url
        names = {"localhost", "127.0.0.1", "::1", self.settings.web_host.lower()}
        return frozenset(names | ({_host_of_url(own)} if own else set()))


def services_for(settings: Settings, store: Store) -> Services:
    """The services of these settings over an open store."""
    index = wiring.search_index(settings)
    return Services(
        settings=settings,
        store=store,
        index=index,
        metrics=Metrics(store, index),
        keys=KeyFile(settings.data),
        queries=QueryLog(store, enabled=settings.query_log),
        folder=wiring.SiteFolder(settings),
        requests=RateLimiter(settings.web_rate_limit),
    )


def services_of(request: Request) -> Services:
    """The services of the application that answers this request."""
    services: Services = request.app.state.services
    return services


def host_name(value: str) -> str:
    """The name in a Host header, without its port."""
    value = value.strip().lower()
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.partition(":")[0].rstrip(".")


def _host_of_url(url: str) -> str:
    return host_name(url.partition("://")[2].partition("/")[0].rpartition("@")[2])
