"""How the operator's account of each site is doing, where there is one."""

from __future__ import annotations

import time

from harvester.access.standing import Standing, standing
from harvester.errors import AccessError, HarvestError
from harvester.model.wall import WallKind
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.wiring.challenges import account_files
from harvester.wiring.sites import SiteFolder

_FOR_MEMBERS = (WallKind.LOGIN.value, WallKind.REPLY.value)


def account_standing(settings: Settings, store: Store, site: str) -> Standing | None:
    """How the account of a crawled site is doing, and the next step.

    None where there is no account and nothing that one would open. A file that cannot be read, or that others
    can, is told as a standing (`fault`): whoever asks how things are is not to be stopped by it.
    """
    files = account_files(settings)
    try:
        state = files.load(site)
    except AccessError as error:
        return Standing("fault", error.what + (f" ({error.why})" if error.why else ""), error.hint)
    if files.path(site).exists() or _is_configured(settings, site):
        return standing(state, site, time.time())
    closed = sum(store.walls(site).get(kind, 0) for kind in _FOR_MEMBERS)
    if not closed:
        return None
    return Standing(
        "none", f"none, and {closed:,} things wait for one", f"harvest account add {site}, if you have one"
    )


def _is_configured(settings: Settings, site: str) -> bool:
    try:
        return SiteFolder(settings).read(site).account.configured
    except HarvestError:  # crawled by its address alone, or a file that is said to be wrong elsewhere
        return False
