"""Each engine is known by what its pages show, and none is taken for another."""

from __future__ import annotations

import csv
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from harvester.access.knowledge import LoginKnowledge, ReplyKnowledge
from harvester.errors import SiteFileError
from harvester.model.site import NEVER_CRAWLED, Role, RuleSource
from harvester.patterns.engines import (
    PageEvidence,
    engine_schema,
    never_fetched_by,
    parse_engine_file,
    recognise_engine,
    shipped_engines,
)
from harvester.patterns.rulefile import rule_warnings
from harvester.patterns.rules import RuleSet
from harvester.policy.never_fetch import refusal

ROOT = Path(__file__).resolve().parents[2]
SITES = ROOT.parent / "shared" / "data" / "sites"
ENGINE_FILES = sorted((ROOT / "rules" / "engines").glob("*.yaml"))

RECORDED = {"discuz35": "discuz", "phpbb": "phpbb", "mybb": "mybb", "machina": "machina"}

PAGES = {
    "discuz7": '<meta name="generator" content="Discuz! 7.2" /><a href="viewthread.php?tid=1">',
    "nexusphp": '<a href="takelogin.php"><p>Powered by <a href="https://nexusphp.org">NexusPHP</a></p>',
    "vbulletin": '<meta name="generator" content="vBulletin 3.8.7" />',
    "xenforo": '<!DOCTYPE html>\n<html id="XF" lang="en-US" data-cookie-prefix="xf_">',
    "smf": '<script>var smf_theme_url = "https://x.example/Themes/default";</script>',
    "nyaa": '<table class="table table-bordered table-hover table-striped torrent-list"><a href="/view/1">',
    "wordpress": '<link rel="stylesheet" href="https://x.example/wp-content/themes/a/style.css">',
    "phpwind": '<meta name="generator" content="phpwind 8.7" /><a href="read.php?tid=5">',
    "gazelle": '<script src="static/functions/global.js"></script><a href="torrents.php?id=5">',
    "unit3d": '<title>Example</title><a href="https://x.example/torrents/download/5">DL</a><!-- UNIT3D -->',
    "torrentpier": '<a href="dl.php?id=5">dl</a><script>window.BB = {};</script>',
    "mediawiki": '<meta name="generator" content="MediaWiki 1.39.1"/>',
    "flarum": '<script id="flarum-json-payload" type="application/json">{}</script>',
    "nodebb": '<script src="/assets/nodebb.min.js?v=1"></script><a href="/topic/5/a">a</a>',
    "directory-listing": '<title>Index of /iso</title><h1>Index of /iso</h1><a href="?C=M;O=A">',
}


def test_every_engine_has_a_page_that_it_is_known_by() -> None:
    assert set(shipped_engines()) == set(PAGES) | set(RECORDED.values())


@pytest.mark.parametrize(("engine", "html"), PAGES.items())
def test_an_engine_is_recognised_by_its_page(engine: str, html: str) -> None:
    found = recognise_engine(PageEvidence(html), shipped_engines().values())
    assert found is not None
    assert found.engine == engine
    assert found.signs


@pytest.mark.parametrize(("site", "engine"), RECORDED.items())
@pytest.mark.parametrize("part", ["focus_anon", "focus_login"])
def test_every_page_of_a_recorded_forum_is_recognised(site: str, engine: str, part: str) -> None:
    taken = set()
    with (SITES / site / f"{part}.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            headers = record.http_headers
            if record.rec_type == "response" and "html" in (headers.get_header("content-type") or ""):
                html = record.content_stream().read().decode("utf-8", "replace")
                found = recognise_engine(PageEvidence(html), shipped_engines().values())
                taken.add(found.engine if found else record.rec_headers.get_header("WARC-Target-URI"))
    assert taken == {engine}


@pytest.mark.parametrize(("site", "name"), RECORDED.items())
def test_recorded_pages_and_attachments_are_taken_for_what_they_are(site: str, name: str) -> None:
    engine = shipped_engines()[name]
    rules, is_refused = RuleSet(engine.rules), never_fetched_by(engine)
    with (SITES / site / "truth.tsv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    pages = {line["page_url"] for line in lines}
    attachments = {
        line["url"]
        for line in lines
        if line["form"] == "attachment" and "attachpay" not in line["url"] and line["url"]
    }
    wrong = [url for url in pages if not is_role(rules, url, Role.DETAIL) or is_refused(url)]
    wrong += [url for url in attachments if not is_role(rules, url, Role.DOWNLOAD) or is_refused(url)]
    assert wrong == []
    assert len(pages) > 40


def is_role(rules: RuleSet, url: str, role: Role) -> bool:
    found = rules.match(url)
    return found is not None and found.role is role


@pytest.mark.parametrize(("site", "name"), RECORDED.items())
def test_no_way_to_a_recorded_attachment_is_ignored(site: str, name: str) -> None:
    """Each page that showed an attachment is reached over pages that the rules let a crawl visit."""
    rules = RuleSet(shipped_engines()[name].rules)
    with (SITES / site / "focus_anon.tsv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    referer = {line["url"]: line["referer"] for line in reversed(lines)}
    ignored = set()
    for line in lines:
        if line["infohash"]:
            url = line["url"]
            while url:
                found = rules.match(url)
                if found is not None and found.role in NEVER_CRAWLED:
                    ignored.add(url)
                url = referer.get(url, "")
    assert ignored == set()


def test_cookies_and_headers_are_evidence_too() -> None:
    cookies = frozenset({"aaa", "xf_csrf", "zzz"})
    found = recognise_engine(PageEvidence("<html>", cookies), shipped_engines().values())
    assert found is not None
    assert found.engine == "xenforo"
    headers = {"link": '<https://x.example/wp-json/>; rel="https://api.w.org/"', "server": "nginx"}
    html = '<a href="/wp-login.php">'
    found = recognise_engine(PageEvidence(html, headers=headers), shipped_engines().values())
    assert found is not None
    assert found.engine == "wordpress"


def test_a_page_that_only_talks_of_forums_is_no_engine() -> None:
    html = (
        "<title>phpBB, MyBB, Discuz! and vBulletin compared</title><p>XenForo and WordPress are popular</p>"
    )
    assert recognise_engine(PageEvidence(html), shipped_engines().values()) is None


def test_a_tie_is_no_recognition() -> None:
    html = PAGES["wordpress"]
    engine = shipped_engines()["wordpress"]
    twin = parse_engine_file(
        "engine: twin\ntitle: T\nsigns: [{where: asset, match: wp-content, score: 10}]\n", "t"
    )
    assert recognise_engine(PageEvidence(html), [engine]) is not None
    assert recognise_engine(PageEvidence(html), [engine, twin]) is None


@given(st.text(alphabet="<meta name=generator content='>linkhrefsrcscript \n", max_size=400))
@settings(max_examples=50)
def test_a_page_that_names_no_software_is_of_none(html: str) -> None:
    assert recognise_engine(PageEvidence(html), shipped_engines().values()) is None


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: path.stem)
def test_a_shipped_engine_file_holds_what_it_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    engine = parse_engine_file(text, path.name)
    assert engine.name == path.stem
    assert all(rule.source is RuleSource.ENGINE for rule in engine.rules)
    jsonschema.validate(yaml.safe_load(text), engine_schema())
    assert not [warning for warning in rule_warnings(engine.rules) if "no example" not in warning]


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: path.stem)
def test_what_an_engine_follows_is_never_what_it_refuses(path: Path) -> None:
    engine = parse_engine_file(path.read_text(encoding="utf-8"), path.name)
    is_refused = never_fetched_by(engine)
    crawled = {rule.id for rule in engine.rules if rule.role not in NEVER_CRAWLED}
    followed = [example.url for example in engine.examples if example.rule in crawled]
    assert [url for url in followed if is_refused(url) or refusal(url)] == []


def test_an_engine_refuses_its_own_state_changing_urls() -> None:
    is_refused = never_fetched_by(shipped_engines()["mybb"])
    assert is_refused("https://x.example/ratethread.php?tid=5&rating=5")
    assert not is_refused("https://x.example/showthread.php?tid=5")


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: path.stem)
def test_every_rule_that_a_crawl_follows_has_an_example(path: Path) -> None:
    engine = parse_engine_file(path.read_text(encoding="utf-8"), path.name)
    crawled = {rule.id for rule in engine.rules if rule.role in ("list", "flip", "detail", "download")}
    assert crawled - {example.rule for example in engine.examples} == set()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("signs: []\n", "must have 1 to"),
        ("signs: [{where: host, match: a, score: 5}]\n", "must be one of generator"),
        ("signs: [{where: body, match: 'a(', score: 5}]\n", "is no RE2 pattern"),
        ("signs: [{where: body, match: a, score: 50}]\n", "must be from 1 to 20"),
        ("signs: [{where: body, match: a, score: 5}]\nnever_fetch: ['.*']\n", "matches everything"),
        ("signs: [{where: body, match: a, score: 5}]\nhosts: [a]\n", "unknown key `hosts`"),
        ("signs: [{where: body, match: a, score: 5}]\nlogin: 5\n", "`login` must be a section"),
    ],
)
def test_a_wrong_engine_file_is_refused(lines: str, reason: str) -> None:
    with pytest.raises(SiteFileError) as caught:
        parse_engine_file("engine: x\ntitle: X\n" + lines, "x.yaml")
    assert reason in caught.value.reason


def test_free_sections_are_kept_as_written() -> None:
    text = "engine: x\ntitle: X\nsigns: [{where: body, match: a, score: 5}]\n"
    text += "login: {fields: [a, b], wait: 2, ok: true}\n"
    assert parse_engine_file(text, "x.yaml").login == {"fields": ["a", "b"], "wait": 2, "ok": True}


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: path.stem)
def test_every_word_of_a_login_or_reply_section_is_read(path: Path) -> None:
    engine = parse_engine_file(path.read_text(encoding="utf-8"), path.name)
    assert set(engine.login) <= set(LoginKnowledge.__struct_fields__)
    assert set(engine.reply) <= set(ReplyKnowledge.__struct_fields__)


def test_a_file_may_not_have_sections_that_nobody_reads() -> None:
    text = "engine: x\ntitle: X\nsigns: [{where: body, match: a, score: 5}]\nattachments: {a: 1}\n"
    with pytest.raises(SiteFileError, match="unknown key `attachments`"):
        parse_engine_file(text, "x.yaml")
