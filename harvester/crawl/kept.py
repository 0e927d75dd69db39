"""Finding the stored versions of a page by its URL, as the crawl would name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harvester.crawl.admission import Admissions
from harvester.crawl.recognition import EVENT
from harvester.links import canonical_key, key_hash
from harvester.model.site import Rule, SiteFile
from harvester.patterns.engines import Engine
from harvester.policy.trapwatch import TrapWatch
from harvester.ports.store import Store


def page_keys(
    store: Store, site: SiteFile, url: str, engines: Mapping[str, Engine], learned: Sequence[Rule]
) -> list[int]:
    """The hashes under which the site's crawls may have stored `url`: its rule's key, its canonical form."""
    admissions = Admissions(site, agent="", robots={}, traps=TrapWatch(), learned=learned)
    events = store.events(site=site.site, kind=EVENT, limit=1)
    engine = site.engine or (str(events[0].detail.get("engine", "")) if events else "")
    if engine in engines:
        admissions.use_engine(engines[engine])
    return list(dict.fromkeys([admissions.key(url), key_hash(canonical_key(url))]))
