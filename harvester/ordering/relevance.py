"""How near a page is to torrents, for the orders that need a number for it."""

from __future__ import annotations

from harvester.model.order import PageLink, PageSeen
from harvester.model.site import Role
from harvester.ordering.priors import POOR, prior
from harvester.patterns.learner import Learner

_OF_ROLE = {
    Role.DOWNLOAD: 1.0,
    Role.DETAIL: 0.8,
    Role.LIST: 0.6,
    Role.FLIP: 0.6,
    Role.START: 0.5,
    Role.DATA: 0.5,
    Role.LOGIN: 0.0,
    Role.IGNORE: 0.0,
}


def relevance(learner: Learner, link: PageLink) -> float:
    """0 to 1: by the role that was learned, weighted with its certainty, else by words and place."""
    belief = learner.believe(link.url)
    guess = min(1.0, 2 * prior(link, names_row=link.row is not None))
    if link.download:
        return 1.0
    if belief.role is None:
        return guess
    learned = _OF_ROLE.get(belief.role, POOR)
    return belief.bound * learned + (1 - belief.bound) * guess


def was_relevant(seen: PageSeen) -> bool:
    """Whether a visit gave a torrent or showed a download."""
    return bool(seen.torrents or seen.repeated) or any(link.download for link in seen.links)
