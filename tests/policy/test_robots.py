"""robots.txt is read as RFC 9309 says, and decides what may be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harvester.model.site import ReplyPolicy, RobotsDecision, SiteFile
from harvester.policy.robots import (
    MAX_AGE,
    MAX_DELAY,
    MAX_ROBOTS_BYTES,
    RETRY_AFTER_FAILURE,
    ActionClass,
    PathRule,
    gate,
    normalise,
    parse_robots,
    product_token,
)

CASES = json.loads(
    (Path(__file__).resolve().parents[3] / "shared/data/conformance/robots_cases.json").read_text(
        encoding="utf-8"
    )
)
# RFC 9309 2.2.2 compares octets after percent-decoding; these cases come from a parser that expects its
# caller to have done so, and give it a URL that isn't.
AGAINST_RFC_9309 = {
    ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n", "http://foo.bar/foo/bar/ツ"),
    ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n", "http://foo.bar/foo/bar/ツ"),
    ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n", "http://foo.bar/foo/bar/baz"),
}


@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{case['case']}" for n, case in enumerate(CASES)])
def test_a_conformance_case_holds(case: dict[str, object]) -> None:
    policy = parse_robots(str(case["robots"]).encode(), 200)
    allowed = policy.allowed(str(case["url"]), str(case["user_agent"]))
    contradicts = (case["robots"], case["url"]) in AGAINST_RFC_9309
    assert allowed is (not case["allowed"] if contradicts else case["allowed"])


def test_142_cases_are_run() -> None:
    assert len(CASES) == 142


@pytest.mark.parametrize("status", [None, 500, 503, 429, 100])
def test_robots_that_could_not_be_had_close_the_host_for_now(status: int | None) -> None:
    policy = parse_robots(b"User-agent: *\nAllow: /\n", status, now=1000.0)
    assert policy.closed
    assert not policy.allowed("https://x.example/", "harvest")
    assert policy.expires_at == 1000.0 + RETRY_AFTER_FAILURE


@pytest.mark.parametrize("status", [302, 310, 400, 401, 403, 404, 410])
def test_a_4xx_or_redirects_without_end_mean_no_rules(status: int) -> None:
    policy = parse_robots(b"User-agent: *\nDisallow: /\n", status, now=1000.0)
    assert policy.allowed("https://x.example/a", "harvest")
    assert policy.expires_at == 1000.0 + MAX_AGE


def allowed(text: str | bytes, path: str = "/a", agent: str = "harvest/0.1 (+https://me.example)") -> bool:
    body = text.encode() if isinstance(text, str) else text
    return parse_robots(body, 200).allowed("https://x.example" + path, agent)


def test_a_byte_order_mark_does_not_hide_the_first_line() -> None:
    assert not allowed(b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(end: str) -> None:
    assert not allowed(f"User-agent: *{end}Disallow: /a{end}")


def test_the_agent_is_matched_by_its_product_token() -> None:
    text = "User-agent: HARVEST\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n"
    assert not allowed(text, "/a")
    assert allowed(text, "/b")
    assert allowed(text, "/a", "harvester/2.0")
    assert product_token("harvest/0.1 (+https://me.example)") == "harvest"
    assert product_token("harvest (me)") == "harvest"


def test_an_agent_line_is_cut_at_its_blank() -> None:
    assert not allowed("User-Agent: harvest bar\nDisallow: /a\n")


def test_a_reserved_escape_is_kept_apart() -> None:
    assert allowed("User-agent: *\nDisallow: /a%2Fb\n", "/a/b")
    assert not allowed("User-agent: *\nDisallow: /a%2Fb\n", "/a%2fb")
    assert not allowed("User-agent: *\nDisallow: /%7Ejoe\n", "/~joe")
    assert normalise("/%e4%bd%a0/你") == "/%E4%BD%A0/%E4%BD%A0"


def test_robots_txt_itself_is_always_allowed() -> None:
    assert allowed("User-agent: *\nDisallow: /\n", "/robots.txt")


def test_what_a_shipped_forum_robots_forbids_is_forbidden() -> None:
    text = (
        "User-agent: *\nDisallow: /member.php\nDisallow: /forum.php?mod=post*\nDisallow: /*?mod=attachment*\n"
        "Disallow: *mobile=yes*\n"
    )
    assert not allowed(text, "/forum.php?mod=attachment&aid=5")
    assert not allowed(text, "/forum.php?mod=post&action=reply")
    assert not allowed(text, "/forum.php?mobile=yes")
    assert allowed(text, "/forum.php?mod=viewthread&tid=5")


def test_only_the_first_500_kib_are_read() -> None:
    padding = b"#" * MAX_ROBOTS_BYTES
    assert allowed(padding + b"\nUser-agent: *\nDisallow: /\n")
    assert not allowed(b"User-agent: *\nDisallow: /\n" + padding)


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("Crawl-delay: 10", 10.0),
        ("Crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 10 # seconds", 10.0),
        ("Request-rate: 1/10", 10.0),
        ("Request-rate: 6/1m", 10.0),
        ("Crawl-delay: 3\nRequest-rate: 1/10", 10.0),
        ("Crawl-delay: 999999", MAX_DELAY),
        ("Crawl-delay: soon", None),
        ("Crawl-delay: -1", None),
        ("Request-rate: 0/10", None),
        ("Disallow: /b", None),
    ],
)
def test_the_delay_is_what_the_host_asks_for(lines: str, delay: float | None) -> None:
    policy = parse_robots(f"User-agent: *\n{lines}\n".encode(), 200)
    assert policy.crawl_delay("harvest") == delay


def test_the_delay_of_another_agent_is_not_ours() -> None:
    policy = parse_robots(
        b"User-agent: other\nCrawl-delay: 9\nRequest-rate: 1/5\n\nUser-agent: *\nDisallow:\n", 200
    )
    assert policy.crawl_delay("harvest") is None
    assert policy.request_rate("other") == (1, 5.0)


def test_sitemaps_are_found_wherever_they_stand() -> None:
    policy = parse_robots(
        b"Sitemap: https://x.example/s.xml\nUser-agent: *\nDisallow: /\nSITEMAP: /t.xml\n", 200
    )
    assert policy.sitemaps == ("https://x.example/s.xml", "/t.xml")


def test_thousands_of_stars_are_matched_in_linear_time() -> None:
    rule = PathRule(False, "/" + "*a" * 8000 + "*b$")
    assert not rule.matches("/" + "a" * 16000)


@given(st.binary(max_size=400) | st.text(max_size=300).map(str.encode), st.text(max_size=80))
def test_any_bytes_are_a_policy_that_leaves_robots_txt_open(body: bytes, url: str) -> None:
    policy = parse_robots(body, 200)
    assert not policy.closed
    assert policy.allowed("https://x.example/robots.txt", "harvest")
    assert policy.allowed(url, "harvest") or any(group.rules for _, group in policy.groups)
    delay = policy.crawl_delay("harvest")
    assert delay is None or 0 <= delay <= MAX_DELAY


@given(st.text(alphabet="/*$ab", max_size=8), st.text(alphabet="/ab$", max_size=10))
def test_matching_agrees_with_its_definition(pattern: str, path: str) -> None:
    if pattern.endswith("$$"):
        return
    assert PathRule(True, pattern).matches(path) is by_definition(pattern, path)


def by_definition(pattern: str, path: str) -> bool:
    if not pattern:
        return True
    if pattern == "$":
        return path == ""
    if pattern[0] == "*":
        return any(by_definition(pattern[1:], path[n:]) for n in range(len(path) + 1))
    return path[:1] == pattern[0] and by_definition(pattern[1:], path[1:])


SITE = SiteFile("example", ("https://x.example/",), ("x.example",))
DECIDED = replace(SITE, robots=RobotsDecision(True, "2026-11-30", "https://x.example/terms"))
REPLYING = ReplyPolicy(allowed=True, templates=("thanks",), boards=("/b",), rule_text="reply, please")
SHUT = parse_robots(b"User-agent: *\nDisallow: /\n", 200)
OPEN = parse_robots(b"", 200)
GONE = parse_robots(b"", 503)


@pytest.mark.parametrize(
    ("site", "action", "policy", "reason"),
    [
        (SITE, ActionClass.DISCOVERY, OPEN, None),
        (SITE, ActionClass.DISCOVERY, SHUT, "robots"),
        (DECIDED, ActionClass.DISCOVERY, SHUT, "robots"),
        (SITE, ActionClass.ACCOUNT, OPEN, None),
        (SITE, ActionClass.ACCOUNT, SHUT, "robots"),
        (DECIDED, ActionClass.ACCOUNT, SHUT, None),
        (DECIDED, ActionClass.ACCOUNT, GONE, "robots_unavailable"),
        (SITE, ActionClass.POSTING, OPEN, "reply_not_allowed"),
        (DECIDED, ActionClass.POSTING, SHUT, "reply_not_allowed"),
        (replace(SITE, reply=REPLYING), ActionClass.POSTING, SHUT, "robots"),
        (replace(SITE, reply=REPLYING), ActionClass.POSTING, OPEN, None),
        (replace(DECIDED, reply=REPLYING), ActionClass.POSTING, SHUT, None),
    ],
)
def test_the_gate_lets_through_what_is_decided(
    site: SiteFile, action: ActionClass, policy: object, reason: str | None
) -> None:
    assert gate(site, action, "https://x.example/a", policy, "harvest/0.1") == reason  # type: ignore[arg-type]
