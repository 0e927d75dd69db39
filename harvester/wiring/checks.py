"""What `harvest doctor` looks at beside the store."""

from __future__ import annotations

import shutil

from harvester.crawl.checkup import SIZE, Checked, check_clock, check_contact, check_disk, check_robots
from harvester.errors import HarvestError
from harvester.fetch.fetcher import user_agent
from harvester.model.site import SiteFile
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.wiring.sites import SiteFolder, find_site, is_loopback


def checkup(settings: Settings, store: Store, now: float) -> list[Checked]:
    """Everything beside the store that `harvest doctor` looks at."""
    folder, agent = SiteFolder(settings), user_agent(settings.contact)
    sites: list[SiteFile] = []
    checked: list[Checked] = []
    for known in store.sites():
        try:
            sites.append(find_site(known.name, folder, store))
        except HarvestError as error:
            checked.append(Checked(f"site file of {known.name}", "wrong", str(error), "correct the file"))
    checked.append(check_contact(settings.contact, [site.site for site in sites if not is_loopback(site)]))
    sizes = [(event.at, _whole(event.detail.get("bytes"))) for event in store.events(kind=SIZE, limit=20)]
    try:
        free = shutil.disk_usage(settings.data).free
    except OSError as error:
        why = error.strerror or str(error)
        checked.append(Checked("disk", "wrong", f"{settings.data} cannot be looked at: {why}", "see --data"))
    else:
        checked.append(check_disk(free, sizes, str(settings.data)))
    checked.append(check_clock(now, max((crawl.updated_at for crawl in store.crawls(limit=50)), default=0.0)))
    for site in sites:
        texts = {host: store.robots(host) for host in site.hosts}
        checked += check_robots(site.site, texts, agent, now)
    return checked


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
