"""RQ entry functions. They read the settings of the worker's own environment."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from harvester import wiring
from harvester.settings import load_settings


def refresh_site(site: str) -> dict[str, Any]:
    """One incremental pass over `site`; the report as plain values."""
    settings = load_settings()
    with wiring.opened_store(settings, create=True) as store:
        site_file = wiring.find_site(site, wiring.SiteFolder(settings), store)
        report = wiring.refresh(settings, store, site_file, heed_signals=False)
    return asdict(report) | {"figures": report.figures.to_json()}
