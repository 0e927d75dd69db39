"""The one place where settings become objects, a module a kind of object."""

from harvester.wiring.accounts import at_the_desk
from harvester.wiring.audit import account_events, event_words
from harvester.wiring.challenges import Challenges, account_files
from harvester.wiring.checks import checkup
from harvester.wiring.crawls import full_crawl, is_due, learn, refresh
from harvester.wiring.fetchers import build_fetcher
from harvester.wiring.indexes import caught_up_index, follow_changes, following, index_follower, search_index
from harvester.wiring.pages import stored_page
from harvester.wiring.rights import is_crawling
from harvester.wiring.sites import (
    SiteFolder,
    doubts,
    engine_of,
    find_site,
    learned_files,
    read_learned,
    read_site_file,
    with_delay,
)
from harvester.wiring.standings import account_standing
from harvester.wiring.stores import opened_store

__all__ = [
    "Challenges",
    "SiteFolder",
    "account_events",
    "account_files",
    "account_standing",
    "at_the_desk",
    "build_fetcher",
    "caught_up_index",
    "checkup",
    "doubts",
    "engine_of",
    "event_words",
    "find_site",
    "follow_changes",
    "following",
    "full_crawl",
    "index_follower",
    "is_crawling",
    "is_due",
    "learn",
    "learned_files",
    "opened_store",
    "read_learned",
    "read_site_file",
    "refresh",
    "search_index",
    "stored_page",
    "with_delay",
]
