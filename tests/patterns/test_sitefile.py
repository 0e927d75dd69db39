"""A wrong site file is refused with file, line and reason; a right one means what it says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harvester.errors import SiteFileError
from harvester.model.site import (
    Account,
    Hours,
    PointsPolicy,
    Politeness,
    RefreshPolicy,
    ReplyPolicy,
    RobotsDecision,
    Role,
    Rule,
    RuleExample,
    RuleSource,
    Scope,
    SiteFile,
)
from harvester.patterns.sitefile import (
    dump_site_file,
    parse_site_file,
    site_file_warnings,
    site_from_url,
    site_schema,
)
from tests.patterns.write_schemas import published

WHOLE = r"""
site: example
start: [https://forum.example.org/]
hosts: [forum.example.org]
scope: {include: ['/'], exclude: ['/private/'], depth: 17, hours: '22:00-06:00',
        max_requests: null, max_seconds: 60}
engine: discuz
encoding: gbk
politeness: {delay: 5, connections: 1, per_hour: 1500, per_day: 9000, proxy: 'socks5://127.0.0.1:9050'}
robots: {account_actions: allowed, date: 2026-11-30, terms_url: 'https://forum.example.org/terms'}
account: {user_env: EXAMPLE_USER, password_env: EXAMPLE_PASSWORD, allow_insecure: false}
reply: {allowed: true, templates: ['谢谢分享'], per_day: 3, min_gap: 600, approve_first: 3,
        boards: ['/forum-2-'], rule_text: 'Please reply to see the links'}
points: {max_per_item: 1, max_per_day: 5, min_balance: 100}
refresh: {budget_per_day: 500, policy: uniform}
rules:
  - id: thread
    role: detail
    match: '/thread-(\d{1,10})-(\d{1,6})-\d{1,6}\.html'
    key: 'thread:{1}:{2}'
    locked: true
examples:
  - {url: 'https://forum.example.org/thread-12-1-1.html', rule: thread, key: 'thread:12:1'}
  - {url: 'https://forum.example.org/about.html', rule: null}
"""
SMALL = "site: example\nstart: [https://forum.example.org/]\n"


def test_every_section_of_the_schema_is_read() -> None:
    site = parse_site_file(WHOLE, "example.yaml")
    assert site == SiteFile(
        site="example",
        start=("https://forum.example.org/",),
        hosts=("forum.example.org",),
        scope=Scope(("/",), ("/private/",), 17, Hours(22 * 60, 6 * 60), None, 60),
        engine="discuz",
        encoding="gbk",
        politeness=Politeness(5, 1, 1500, 9000, "socks5://127.0.0.1:9050"),
        robots=RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms"),
        account=Account("EXAMPLE_USER", "EXAMPLE_PASSWORD"),
        reply=ReplyPolicy(True, ("谢谢分享",), 3, 600, 3, ("/forum-2-",), "Please reply to see the links"),
        points=PointsPolicy(1, 5, 100),
        refresh=RefreshPolicy(500, "uniform"),
        rules=(
            Rule(
                "thread",
                Role.DETAIL,
                r"/thread-(\d{1,10})-(\d{1,6})-\d{1,6}\.html",
                "thread:{1}:{2}",
                locked=True,
                source=RuleSource.OPERATOR,
                line=17,
            ),
        ),
        examples=(
            RuleExample("https://forum.example.org/thread-12-1-1.html", "thread", "thread:12:1", 23),
            RuleExample("https://forum.example.org/about.html", "", "", 24),
        ),
    )


def test_what_is_left_out_has_its_default() -> None:
    site = parse_site_file(SMALL, "example.yaml")
    assert site == SiteFile("example", ("https://forum.example.org/",), ("forum.example.org",))
    assert site.politeness.delay == 5
    assert not site.robots.account_actions_allowed
    assert not site.reply.allowed
    assert site.points == PointsPolicy(0, 0, 0)


def refused(text: str) -> SiteFileError:
    with pytest.raises(SiteFileError) as caught:
        parse_site_file(text, "example.yaml")
    assert caught.value.file == "example.yaml"
    return caught.value


FAULTS = [
    ("delay: 5\n", 3, "unknown key `delay`", ""),
    ("polteness: {delay: 5}\n", 3, "unknown key `polteness`", "did you mean `politeness`?"),
    ("politeness:\n  delai: 5\n", 4, "unknown key `politeness.delai`", "did you mean `delay`?"),
    ("politeness: 5\n", 3, "`politeness` must be a section, not a number", ""),
    ("politeness: {delay: soon}\n", 3, "`politeness.delay` must be a number, not a text", ""),
    ("politeness: {delay: 0.5}\n", 3, "must be at least 1 second", ""),
    ("politeness: {delay: 0}\n", 3, "must be at least 1 second", ""),
    ("politeness: {delay: .nan}\n", 3, "must be a number such as 5", ""),
    ("politeness: {delay: 1:30}\n", 3, "must be a number such as 5", ""),
    ("politeness: {connections: 2}\n", 3, "must be 1 for a host", ""),
    ("politeness: {per_hour: 0}\n", 3, "must be from 1", ""),
    (
        "politeness: {proxy: 'http://me:geheim@proxy.example/'}\n",
        3,
        "holds a name or a password",
        "environment",
    ),
    ("scope: {include: forum}\n", 3, "must be a list, not a text", "[a, b]"),
    ("scope: {include: ['forum/']}\n", 3, "must begin with /", ""),
    ("scope: {hours: '22-6'}\n", 3, "must be a window in UTC", ""),
    ("scope: {hours: '06:00-06:00'}\n", 3, "is empty", ""),
    ("scope: {depth: 1.5}\n", 3, "must be a whole number such as 5", ""),
    ("hosts: ['https://forum.example.org/']\n", 3, "must be a host name, not a URL", "forum.example.org"),
    ("hosts: ['user@forum.example.org']\n", 3, "must be a host name, not a URL", ""),
    ("hosts: [other.example.org]\n", 2, "`start` has a host that is not in `hosts`", "add it to hosts"),
    ("engine: discuzz\n", 3, "`engine` discuzz is not known", "discuz"),
    ("encoding: klingon\n", 3, "is no encoding", "gbk"),
    ("robots: {account_actions: yes}\n", 3, "must be one of refused, allowed", ""),
    ("robots: {account_actions: alowed}\n", 3, "must be one of refused, allowed", "`allowed`"),
    ("robots: {account_actions: allowed}\n", 3, "without a record of the decision", "terms_url"),
    ("robots: {date: '30.11.2026'}\n", 3, "is no date", "2026-11-30"),
    ("account: {password: geheim}\n", 3, "a site file holds no secrets", ""),
    ("account: {user: me}\n", 3, "name an environment variable", ""),
    (
        "account: {user_env: ME, password_env: 'gehe im!'}\n",
        3,
        "must be the name of an environment variable",
        "",
    ),
    ("account: {user_env: ME}\n", 3, "names no credentials", "password_env"),
    ("password: geheim\n", 3, "a site file holds no secrets", ""),
    ("reply: {allowed: true}\n", 3, "allows replies without", "rule"),
    ("reply: {min_gap: 5}\n", 3, "must be at least 600", ""),
    ("site: other\n", 3, "`site` is there twice", ""),
    ("rules:\n  - {id: a, role: detail}\n", 4, "`rules[1].match` is missing", ""),
    ("rules:\n  - {id: a, role: page, match: '/a'}\n", 4, "must be one of start, list, flip", ""),
    ("rules:\n  - {id: A b, role: list, match: '/a'}\n", 4, "lower-case letters", ""),
    ("rules:\n  - id: a\n    role: list\n    match: '/a('\n", 6, "is no RE2 pattern: missing )", ""),
    (
        "rules:\n  - {id: a, role: list, match: '/a(?=b)'}\n",
        4,
        "is no RE2 pattern: invalid perl operator",
        "look-around",
    ),
    ("rules:\n  - {id: a, role: list, match: '.*'}\n", 4, "matches everything", ""),
    ("rules:\n  - {id: a, role: list, match: '/'}\n", 4, "matches everything", ""),
    ("rules:\n  - {id: a, role: list, match: ''}\n", 4, "is empty", ""),
    (
        "rules:\n  - {id: a, role: list, match: 'https://x\\.example/a'}\n",
        4,
        "for path and query only",
        "leave out",
    ),
    ("rules:\n  - {id: a, role: list, match: '/a', key: 'a:{1}'}\n", 4, "names group {1}", ""),
    (
        "rules:\n  - {id: a, role: list, match: '/a'}\n  - {id: a, role: list, match: '/b'}\n",
        5,
        "rule `a` is there twice, first in line 4",
        "",
    ),
    (
        "rules:\n  - {id: a, role: list, match: '/a'}\nexamples:\n  - {url: 'https://x/b', rule: a}\n",
        6,
        "taken by no rule, not by `a`",
        "no rule",
    ),
    (
        "rules:\n  - {id: a, role: list, match: '/a'}\nexamples:\n  - {url: 'https://x/a', rule: null}\n",
        6,
        "taken by `a`, not by no rule",
        "",
    ),
    ("examples:\n  - {url: 'https://x/b', rule: gone}\n", 4, "names rule `gone`, which is not there", ""),
    (
        "rules:\n  - {id: a, role: list, match: '/a(\\d)', key: 'a{1}'}\n"
        "examples:\n  - {url: 'https://x/a1', rule: a, key: a2}\n",
        6,
        "key is `a1`, not `a2`",
        "",
    ),
    ("x: &a [1]\ny: *a\n", 4, "aliases (*name) are not allowed", ""),
    ("rules: [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]\n", 3, "nested too deeply", ""),
    ("scope: {\n", 4, "no YAML", ""),
]


@pytest.mark.parametrize(("lines", "line", "reason", "hint"), FAULTS)
def test_a_fault_is_refused_with_its_line_and_reason(lines: str, line: int, reason: str, hint: str) -> None:
    error = refused(SMALL + lines)
    assert reason in error.reason
    assert error.line == line
    assert hint in error.hint
    assert "geheim" not in str(error)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "`key: value` lines"),
        ("- a\n", "`key: value` lines"),
        ("site: example\n", "`start` is missing"),
        ("start: [https://a.example/]\n", "`site` is missing"),
        ("site: [a]\nstart: [https://a.example/]\n", "`site` must be"),
        ("site: no\nstart: [https://a.example/]\n", "`site` must be"),
        ("site: a\nstart: []\n", "must have 1 to"),
        ("site: a\nstart: [ftp://a.example/]\n", "must be an http or https URL"),
        ("site: a\nstart: [forum]\n", "is no URL"),
        ("site: a\nstart: ['https://me:pw@a.example/']\n", "holds a name, a password or a key"),
        ("site: a\nstart: ['https://a.example/rss?passkey=0123']\n", "holds a name, a password or a key"),
        ("site: a\x00b\n", "no YAML"),
        ("#" * (1 << 20) + "\n", "larger than 1 MB"),
    ],
)
def test_a_file_that_is_no_site_file_is_refused(text: str, reason: str) -> None:
    assert reason in refused(text).reason


@given(st.text(max_size=200) | st.text(alphabet="{}[]:,- \nsitear'\"&*!|>#\t0", max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    for whole in (text, SMALL + text):
        try:
            parse_site_file(whole, "example.yaml", engines={})
        except SiteFileError as error:
            assert error.reason  # noqa: PT017  # any other error is the failure


def test_an_alias_bomb_is_refused_without_growing() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    assert "aliases" in refused(bomb).reason


def test_on_loopback_the_delay_may_be_zero() -> None:
    text = "site: local\nstart: ['http://127.0.0.1:8101/']\npoliteness: {delay: 0, connections: 4}\n"
    assert parse_site_file(text, "local.yaml").politeness == Politeness(delay=0, connections=4)
    mixed = text + "hosts: ['127.0.0.1:8101', forum.example.org]\n"
    assert "at least 1 second" in refused(mixed).reason


def test_a_port_belongs_to_the_host() -> None:
    site = parse_site_file(
        "site: a\nstart: ['https://A.Example:8443/x', 'https://a.example:443/']\n", "a.yaml"
    )
    assert site.hosts == ("a.example:8443", "a.example", "www.a.example")


@pytest.mark.parametrize(
    ("start", "hosts"),
    [
        ("https://example.org/", ("example.org", "www.example.org")),
        ("https://www.example.co.uk/", ("www.example.co.uk", "example.co.uk")),
        ("https://example.co.uk/", ("example.co.uk", "www.example.co.uk")),
        ("https://forum.example.org/", ("forum.example.org",)),
        ("http://192.0.2.7/", ("192.0.2.7",)),
    ],
)
def test_a_domain_is_the_same_site_with_and_without_www(start: str, hosts: tuple[str, ...]) -> None:
    assert site_from_url(start).hosts == hosts
    assert parse_site_file(f"site: a\nstart: ['{start}']\n", "a.yaml").hosts == hosts


def test_an_inherited_engine_can_be_named_in_examples() -> None:
    text = (
        SMALL + "engine: discuz\nexamples:\n"
        "  - {url: 'https://forum.example.org/thread-1-1-1.html', rule: thread}\n"
    )
    assert parse_site_file(text, "example.yaml").engine == "discuz"


def test_rules_that_contradict_each_other_are_named() -> None:
    text = SMALL + (
        "rules:\n  - {id: a, role: list, match: '/a'}\n  - {id: b, role: trap, match: '/a'}\n"
        "  - {id: c, role: list, match: '/c(\\d)', key: 'x{1}'}\n"
        "  - {id: d, role: detail, match: '/d(\\d)', key: 'x{1}'}\n"
        "examples:\n  - {url: /a, rule: a}\n"
    )
    warnings = site_file_warnings(parse_site_file(text, "example.yaml"))
    assert any("`b` has the pattern of `a` (line 4) but another role" in warning for warning in warnings)
    assert any("`d` has the key of `c`" in warning for warning in warnings)
    assert any("`b` has no example" in warning for warning in warnings)
    assert not any("`a` has no example" in warning for warning in warnings)


@pytest.mark.parametrize("text", [SMALL, WHOLE])
def test_a_written_site_file_reads_back_the_same(text: str) -> None:
    site = parse_site_file(text, "example.yaml")
    again = parse_site_file(dump_site_file(site), "again.yaml")
    assert without_lines(again) == without_lines(site)
    assert dump_site_file(parse_site_file(SMALL, "x.yaml")).count("\n") == 3


def without_lines(site: SiteFile) -> SiteFile:
    return replace(
        site,
        rules=tuple(replace(rule, line=0) for rule in site.rules),
        examples=tuple(replace(example, line=0) for example in site.examples),
    )


@pytest.mark.parametrize(
    ("url", "host", "start", "delay"),
    [
        ("https://Forum.Example.org/bbs/", "forum.example.org", "https://Forum.Example.org/bbs/", 5),
        ("forum.example.org", "forum.example.org", "https://forum.example.org", 5),
        ("http://127.0.0.1:8101/", "127.0.0.1:8101", "http://127.0.0.1:8101/", 0),
        ("localhost:8000/forum", "localhost:8000", "http://localhost:8000/forum", 0),
        ("http://[::1]:8000/", "[::1]:8000", "http://[::1]:8000/", 0),
    ],
)
def test_a_bare_url_is_a_site(url: str, host: str, start: str, delay: float) -> None:
    site = site_from_url(url)
    assert (site.hosts, site.start, site.politeness.delay) == ((host,), (start,), delay)
    assert without_lines(parse_site_file(dump_site_file(site), "x.yaml")) == site


@pytest.mark.parametrize("url", ["", "ftp://a.example/", "http://", "https://me:pw@a.example/"])
def test_a_bare_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SiteFileError):
        site_from_url(url)


def test_the_published_schemas_are_current() -> None:
    for path, text in published().items():
        assert path.read_text(encoding="utf-8") == text, "run python -m tests.patterns.write_schemas"


class _JsonLikeLoader(yaml.SafeLoader):
    """Reads dates as texts, as JSON would."""


_JsonLikeLoader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)

STRUCTURAL = [
    lines
    for lines, _, reason, _ in FAULTS
    if any(
        word in reason
        for word in ("unknown key", "must be a section", "must be a list", "not a text", "is missing")
    )
]


@pytest.mark.parametrize("text", [SMALL, WHOLE])
def test_the_json_schema_accepts_what_the_reader_accepts(text: str) -> None:
    validator = jsonschema.Draft202012Validator(site_schema())
    assert list(validator.iter_errors(yaml.load(text, _JsonLikeLoader))) == []


@pytest.mark.parametrize("lines", STRUCTURAL)
def test_the_json_schema_refuses_what_the_reader_refuses(lines: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.load(SMALL + lines, _JsonLikeLoader), site_schema())


def test_shipped_site_files_are_right() -> None:
    folder = Path(__file__).resolve().parents[2] / "rules" / "sites"
    files = sorted(folder.glob("*.yaml"))
    sites = [parse_site_file(path.read_text(encoding="utf-8"), path.name).site for path in files]
    assert sites
    assert sites == [path.stem for path in files]


def test_the_json_schema_is_json() -> None:
    assert json.loads(json.dumps(site_schema())) == site_schema()
