"""The site files that come with Harvest: what they say holds, and it is polite."""

from __future__ import annotations

from pathlib import Path

import pytest

from harvester.model.site import NEVER_CRAWLED, Role, SiteFile
from harvester.patterns.rulefile import with_source
from harvester.patterns.rules import RuleSet
from harvester.patterns.sitefile import parse_site_file, site_file_warnings
from harvester.policy.never_fetch import refusal
from harvester.policy.scope import Verdict, decide

FILES = sorted((Path(__file__).resolve().parents[2] / "rules" / "sites").glob("*.yaml"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def site(path: Path) -> SiteFile:
    return parse_site_file(path.read_text(encoding="utf-8"), path.name)


def test_there_are_sites() -> None:
    assert {"debian", "ubuntu", "fedora", "archlinux", "academictorrents", "archive-org"} <= {
        path.stem for path in FILES
    }


def test_a_file_is_named_as_its_site_and_nothing_in_it_is_doubtful(path: Path, site: SiteFile) -> None:
    assert site.site == path.stem
    assert site_file_warnings(site) == ()


def test_a_file_says_what_it_was_made_from(path: Path) -> None:
    assert "not from a visit" in path.read_text(encoding="utf-8").replace("\n# ", " ")


def test_a_site_is_asked_gently_and_not_without_end(site: SiteFile) -> None:
    assert site.politeness.delay >= 5
    assert site.politeness.connections == 1
    assert site.politeness.per_hour is not None
    assert site.politeness.per_hour <= 600
    assert site.scope.max_requests is not None
    assert site.refresh.budget_per_day <= 200


def test_no_account_and_no_reply_is_set_up(site: SiteFile) -> None:
    assert not site.account.configured
    assert not site.reply.allowed
    assert not site.robots.account_actions_allowed


def test_there_is_a_download_and_a_way_to_it_within_the_scope(site: SiteFile) -> None:
    rules = RuleSet(with_source(site.rules, site.rules[0].source))
    roles = set()
    for example in site.examples:
        found = rules.match(example.url)
        if found is None or found.role in NEVER_CRAWLED:
            continue
        roles.add(found.role)
        torrent = found.role is Role.DOWNLOAD
        assert refusal(example.url) is None
        assert decide(site, example.url, 1, torrent=torrent).verdict is Verdict.FETCH
    assert Role.DOWNLOAD in roles
    assert roles & {Role.LIST, Role.DETAIL}
    for url in site.start:
        start = rules.match(url)
        assert start is None or start.role not in NEVER_CRAWLED
