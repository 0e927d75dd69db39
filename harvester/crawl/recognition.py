"""Finding out, from the first pages, which software a site runs."""

from __future__ import annotations

import time
from collections.abc import Mapping

from harvester.crawl.analysis import Page
from harvester.crawl.committer import Committer
from harvester.crawl.context import VisitContext
from harvester.model.http import JarKey
from harvester.model.site import SiteFile
from harvester.model.stored import Event
from harvester.patterns.engines import Engine, PageEvidence, recognise_engine
from harvester.ports.store import Store

LOOKS = 10
"""Pages that are looked at before a site is taken for one without a known engine."""
EVENT = "engine"


class EngineRecognition:
    """Looks at pages until the engine is known, then crawls by its rules and wall markers.

    What was recognised is remembered in the log of events, so that a crawl that goes on judges URLs as
    it did before.
    """

    def __init__(
        self, site: SiteFile, engines: Mapping[str, Engine], context: VisitContext, committer: Committer
    ) -> None:
        self._site = site
        self._engines = engines
        self._context = context
        self._committer = committer
        self._looks = 0

    def remembered(self, store: Store) -> str:
        """The engine recognised by an earlier run, "" for none; runs in the writer thread."""
        events = store.events(site=self._site.site, kind=EVENT, limit=1)
        return str(events[0].detail.get("engine", "")) if events else ""

    def recall(self, remembered: str) -> None:
        """Begin with the engine that the site file names, else with the remembered one."""
        engine = self._site.engine or remembered
        if engine in self._engines:
            self._use(engine)

    def look_at(self, page: Page) -> None:
        """Take in one page of the site, before its links are judged."""
        if self._context.engine or self._looks >= LOOKS or page.kind != "html":
            return
        self._looks += 1
        cookies = self._context.fetcher.cookies(JarKey(self._site.site))
        names = frozenset(cookie.name for cookie in cookies)
        evidence = PageEvidence(page.html, names, dict(page.headers))
        recognised = recognise_engine(evidence, self._engines.values())
        if recognised is None:
            return
        self._use(recognised.engine)
        detail = {"engine": recognised.engine, "signs": list(recognised.signs)}
        self._committer.findings.events.append(Event(time.time(), EVENT, self._site.site, detail))

    def _use(self, name: str) -> None:
        engine = self._engines[name]
        self._context.engine = name
        self._context.admissions.use_engine(engine)
        if engine.session_params:
            self._context.guide.ignore(param.lower() for param in engine.session_params)
            self._committer.findings.met += self._context.rekey()
