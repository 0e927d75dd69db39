"""Cardigann definitions of one's own as site files."""

from __future__ import annotations

import pytest

from harvester.errors import SiteFileError
from harvester.model.site import Role
from harvester.patterns.cardigann import import_definition
from harvester.patterns.rules import RuleSet

DEFINITION = """
id: mytracker
name: MyTracker
encoding: windows-1251
links: [https://tracker.example/, https://mirror.example/]
requestDelay: 2.5
caps: {modes: {search: [q]}}
login:
  path: login.php
  inputs:
    username: "{{ .Config.username }}"
    password: "{{ .Config.password }}"
    keep: 1
  error: [{selector: .warn}]
search:
  paths:
    - path: "browse.php?q={{ .Keywords }}"
    - path: top.php
  rows: {selector: "table > tr"}
  fields:
    title: {selector: a}
    details: {selector: 'a[href^="details.php?id="]', attribute: href}
    download: {selector: 'a[href*="download.php"]', attribute: href}
"""


def test_paths_links_login_and_delay_are_carried_over() -> None:
    site = import_definition(DEFINITION, "my.yml").site
    assert site.start == ("https://tracker.example/browse.php", "https://tracker.example/top.php")
    assert site.politeness.delay == 2.5
    assert site.encoding == "windows-1251"
    assert (site.account.user_env, site.account.password_env) == ("MYTRACKER_USER", "MYTRACKER_PASSWORD")
    rules = RuleSet(site.rules)

    def role(path: str) -> Role | None:
        found = rules.match(f"https://tracker.example/{path}")
        return found.role if found else None

    assert role("details.php?id=7") is Role.DETAIL
    assert role("download.php?id=7") is Role.DOWNLOAD
    assert role("browse.php?page=2") is Role.LIST
    assert role("login.php") is Role.LOGIN
    assert role("forum.php") is None


def test_what_cannot_be_carried_over_is_listed() -> None:
    left = "\n".join(import_definition(DEFINITION, "my.yml").left)
    for what in ("`caps`", "`login.error`", "keep", "title", "mirror.example", "`search.rows`"):
        assert what in left


def test_a_login_by_cookie_is_left_to_the_person() -> None:
    text = "id: x\nlinks: [https://t.example/]\nlogin: {method: cookie}\nsearch: {path: list}"
    imported = import_definition(text, "x.yml")
    assert not imported.site.account.configured
    assert any("cookie" in left for left in imported.left)


@pytest.mark.parametrize("text", ["a: 1", "links: 7", "links: []", "- 1", "links: ['javascript:alert(1)']"])
def test_what_is_no_definition_is_refused(text: str) -> None:
    with pytest.raises(SiteFileError):
        import_definition(text, "x.yml")
