"""Finding out, from the first pages, which software a site runs."""

from __future__ import annotations

from collections.abc import Mapping

from harvester.crawl.analysis import Page
from harvester.crawl.context import VisitContext
from harvester.model.http import JarKey
from harvester.model.site import SiteFile
from harvester.patterns.engines import Engine, PageEvidence, recognise_engine

LOOKS = 10
"""Pages that are looked at before a site is taken for one without a known engine."""


class EngineRecognition:
    """Looks at pages until the engine is known, then crawls by its rules and wall markers."""

    def __init__(self, site: SiteFile, engines: Mapping[str, Engine], context: VisitContext) -> None:
        self._site = site
        self._engines = engines
        self._context = context
        self._looks = 0
        if site.engine in engines:
            self._use(site.engine)

    def look_at(self, page: Page) -> None:
        """Take in one page of the site."""
        if self._context.engine or self._looks >= LOOKS or page.kind != "html":
            return
        self._looks += 1
        cookies = self._context.fetcher.cookies(JarKey(self._site.site))
        evidence = PageEvidence(page.html, frozenset(cookie.name for cookie in cookies))
        recognised = recognise_engine(evidence, self._engines.values())
        if recognised is not None:
            self._use(recognised.engine)

    def _use(self, engine: str) -> None:
        self._context.engine = engine
        self._context.admissions.use_engine(self._engines[engine])
