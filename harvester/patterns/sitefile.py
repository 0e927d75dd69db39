"""Site files: YAML in, `SiteFile` out, and back.

The field table below is the one description of the format: the reader, the writer and the published JSON
schema (`rules/site.schema.json`) come from it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import cast

import ada_url
import yaml

from harvester.errors import SiteFileError
from harvester.model.site import (
    Account,
    Hours,
    PointsPolicy,
    Politeness,
    RefreshPolicy,
    ReplyPolicy,
    RobotsDecision,
    RuleSource,
    Scope,
    SiteFile,
    is_loopback,
)
from harvester.patterns.engines import Engine, shipped_engines
from harvester.patterns.rulefile import (
    EXAMPLES,
    RULES,
    check_examples,
    check_rules,
    rule_warnings,
    with_source,
)
from harvester.patterns.rules import RuleSet
from harvester.patterns.schema import Choice, Field, Flag, Kind, ListOf, Number, Section, Text
from harvester.patterns.yaml_nodes import compose, fail

LEAST_DELAY = 1.0
"""Seconds; only a site on loopback may be asked more often."""

LEAST_REPLY_GAP = 600.0
"""Seconds between two replies; less only on loopback."""

_SECRET_PARAMS = re.compile(r"[?&](?:passkey|authkey|torrent_pass|rsskey|apikey|api_token|token|pass)=", re.I)
_NAMES_ONLY = "a site file holds no secrets; name the environment variable that holds it"


def _web_url(text: str) -> str:
    try:
        url = ada_url.URL(text)
    except ValueError:
        raise ValueError("is no URL", "such as https://forum.example.org/") from None
    if url.protocol not in ("http:", "https:") or not url.hostname:
        raise ValueError("must be an http or https URL", "such as https://forum.example.org/")
    if url.username or url.password or _SECRET_PARAMS.search(text):
        raise ValueError("holds a name, a password or a key", "log in with `account` instead")
    return text


def _host(text: str) -> str:
    name = text.strip().lower()
    if "/" in name or "@" in name:
        raise ValueError("must be a host name, not a URL", "such as forum.example.org or localhost:8000")
    try:
        return ada_url.URL(f"http://{name}/").host
    except ValueError:
        raise ValueError("is no host name", "such as forum.example.org or localhost:8000") from None


def _path_prefix(text: str) -> str:
    if not text.startswith("/"):
        raise ValueError("must begin with /", "it is compared with the beginning of the path")
    return text


def _encoding(text: str) -> str:
    try:
        codecs.lookup(text)
    except LookupError:
        raise ValueError("is no encoding that is known here", "such as gbk, big5, utf-8") from None
    return text.lower()


def _proxy(text: str) -> str:
    try:
        url = ada_url.URL(text)
    except ValueError:
        raise ValueError("is no URL", "such as socks5://127.0.0.1:9050") from None
    if url.protocol not in ("http:", "https:", "socks5:", "socks5h:", "socks4:"):
        raise ValueError("must be an http, https or socks5 URL")
    if url.username or url.password:
        raise ValueError("holds a name or a password", _NAMES_ONLY)
    return text


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError("is no date", "such as 2026-11-30") from None


class _HoursKind(Text):
    """`22:00-06:00`, UTC."""

    __slots__ = ()

    def read(self, node: yaml.Node, file: str, name: str) -> Hours:  # type: ignore[override]  # text in, hours out
        text = Text.read(self, node, file, name)
        begin_hour, begin_minute, end_hour, end_minute = map(int, re.findall(r"\d{2}", text))
        hours = Hours(begin_hour * 60 + begin_minute, end_hour * 60 + end_minute)
        if hours.start == hours.end:
            fail(file, node, f"`{name}` is empty", "leave it out for the whole day")
        return hours

    def write(self, value: object) -> object:
        return str(value)


_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
_HOURS: Kind = _HoursKind(pattern=rf"^{_CLOCK}-{_CLOCK}$", what="a window in UTC such as '22:00-06:00'")
_ENV = Text(
    pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$",
    what="the name of an environment variable (a name, not the secret itself)",
)

_SCOPE = Section(
    (
        Field("include", ListOf(Text(check=_path_prefix), least=1), "path prefixes that belong to the site"),
        Field("exclude", ListOf(Text(check=_path_prefix)), "path prefixes that don't, and win"),
        Field("depth", Number(0, 1000), "links away from a start page"),
        Field("hours", _HOURS, "time of day in UTC, '22:00-06:00'", nullable=True),
        Field("max_requests", Number(1), "requests of one crawl", nullable=True),
        Field("max_seconds", Number(1, whole=False), "seconds of one crawl", nullable=True),
    ),
    Scope,
)
_POLITENESS = Section(
    (
        Field("delay", Number(0, 86400, whole=False), "seconds between two requests, at least 1"),
        Field("connections", Number(1, 16), "connections to one host, 1 but on loopback"),
        Field("per_hour", Number(1), "most requests in an hour", nullable=True),
        Field("per_day", Number(1), "most requests in a day", nullable=True),
        Field("proxy", Text(check=_proxy), "proxy for this site", nullable=True),
    ),
    Politeness,
)


def _verify_robots(value: object) -> None:
    assert isinstance(value, RobotsDecision)
    if value.account_actions_allowed and not (value.date and value.terms_url):
        raise ValueError(
            "allows account actions without a record of the decision",
            "add date: YYYY-MM-DD and terms_url: https://…",
        )


_ROBOTS = Section(
    (
        Field(
            "account_actions",
            Choice(
                ("refused", "allowed"),
                to=lambda word: word == "allowed",
                back=lambda value: "allowed" if value else "refused",
            ),
            "the operator's decision on account actions that robots.txt forbids",
            attribute="account_actions_allowed",
        ),
        Field("date", Text(check=_date), "day of the decision"),
        Field("terms_url", Text(check=_web_url), "the terms that it rests on"),
    ),
    RobotsDecision,
    verify=_verify_robots,
)


def _verify_account(value: object) -> None:
    assert isinstance(value, Account)
    if not value.configured:
        raise ValueError("names no credentials", "give user_env and password_env, or keyring")


_ACCOUNT = Section(
    (
        Field("user_env", _ENV, "environment variable with the user name"),
        Field("password_env", _ENV, "environment variable with the password"),
        Field("keyring", Text(pattern=r"^[\w.@-]{1,100}$"), "service in the system's keyring instead"),
        Field("allow_insecure", Flag(), "send the password over plain http"),
        Field("solver", Text(pattern=r"^[\w.-]{1,64}$"), "plugged-in solver of image and text captchas"),
    ),
    Account,
    refused={
        **dict.fromkeys(
            (
                "password",
                "pass",
                "passwd",
                "pw",
                "secret",
                "cookie",
                "cookies",
                "token",
                "passkey",
                "api_key",
            ),
            f"{_NAMES_ONLY}: `password_env: EXAMPLE_PASSWORD`",
        ),
        **dict.fromkeys(
            ("user", "username", "login", "email"), "name an environment variable: `user_env: EXAMPLE_USER`"
        ),
    },
    verify=_verify_account,
)


def _verify_reply(value: object) -> None:
    assert isinstance(value, ReplyPolicy)
    if value.allowed and not (value.templates and value.rule_text and value.boards):
        raise ValueError(
            "allows replies without `templates`, `boards` and `rule_text`",
            "write the texts to post, the boards, and the site's own rule that asks for replies",
        )


_REPLY = Section(
    (
        Field("allowed", Flag(), "reply to open hidden content"),
        Field("templates", ListOf(Text(pattern=r"\S")), "texts to post, by the operator"),
        Field("per_day", Number(0, 100), "most replies in a day"),
        Field("min_gap", Number(0, whole=False), "seconds between two replies, at least 600 but on loopback"),
        Field("approve_first", Number(0, 1000), "replies that a person approves one by one first"),
        Field(
            "boards", ListOf(Text(check=_path_prefix)), "boards where replying is allowed, as path and query"
        ),
        Field("rule_text", Text(longest=20000), "the site's own words that allow or ask for replies"),
    ),
    ReplyPolicy,
    verify=_verify_reply,
)
_POINTS = Section(
    (
        Field("max_per_item", Number(), "points to spend on one item"),
        Field("max_per_day", Number(), "points to spend in a day"),
        Field("min_balance", Number(), "points that must remain"),
    ),
    PointsPolicy,
)
_REFRESH = Section(
    (
        Field("budget_per_day", Number(1), "requests for refreshes in a day"),
        Field("policy", Text(pattern=r"^[a-z_]{1,40}$"), "name of the revisit policy"),
    ),
    RefreshPolicy,
)

_FILE = Section(
    (
        Field(
            "site",
            Text(
                pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$", what="lower-case letters, digits, . - _ (at most 64)"
            ),
            "name of the site",
            required=True,
        ),
        Field(
            "start",
            ListOf(Text(check=_web_url, longest=2048), least=1),
            "where a crawl begins",
            required=True,
        ),
        Field(
            "hosts",
            ListOf(Text(check=_host, longest=260), least=1),
            "hosts of the site; else those of start, with and without www.",
        ),
        Field("scope", _SCOPE, "which part is visited, and how long"),
        Field(
            "engine", Text(pattern=r"^[a-z0-9_-]{1,64}$"), "engine that it inherits; recognised when left out"
        ),
        Field("encoding", Text(check=_encoding, longest=40), "only to overrule detection"),
        Field("politeness", _POLITENESS, "how gently the site is treated"),
        Field("robots", _ROBOTS, "the operator's decision on account actions"),
        Field("account", _ACCOUNT, "where the credentials are found"),
        Field("reply", _REPLY, "whether and how to reply"),
        Field("points", _POINTS, "how many points may be spent"),
        Field("refresh", _REFRESH, "what refreshes may cost"),
        Field("rules", RULES, "the operator's rules, first match wins"),
        Field("examples", EXAMPLES, "tests that the file carries"),
    ),
    SiteFile,
    refused={"password": _NAMES_ONLY, "user": _NAMES_ONLY, "cookies": _NAMES_ONLY, "cookie": _NAMES_ONLY},
)


def parse_site_file(text: str, file_name: str, *, engines: Mapping[str, Engine] | None = None) -> SiteFile:
    """Read a site file; raises `SiteFileError` with file, line and reason for the first fault.

    Everything is checked before anything is fetched: keys, types, patterns, hosts, delays, secrets, and
    the file's own examples. `engines` are those it may inherit (those shipped when left out).
    """
    root = compose(text, file_name)
    values = _FILE.values(root, file_name, "")
    start = cast("tuple[str, ...]", values["start"])
    hosts = cast("tuple[str, ...]", values.get("hosts") or hosts_of(start))
    values["hosts"] = tuple(dict.fromkeys(hosts))
    values["rules"] = with_source(values.get("rules", ()), RuleSource.OPERATOR)  # type: ignore[arg-type]  # by RULES
    site = SiteFile(**values)  # type: ignore[arg-type]  # the field table gives the types
    lines = {str(key.value): key.start_mark.line + 1 for key, _ in root.value}
    _check_hosts(site, file_name, lines)
    _check_engine(site, file_name, lines, engines)
    return site


def _check_hosts(site: SiteFile, file: str, lines: Mapping[str, int]) -> None:
    strangers = [url for url in site.start if host_of(url) not in site.hosts]
    if strangers:
        reason = f"`start` has a host that is not in `hosts`: {host_of(strangers[0])}"
        raise SiteFileError(file, lines["start"], reason, hint="add it to hosts")
    local = all(is_loopback(host) for host in site.hosts)
    if not local and site.politeness.delay < LEAST_DELAY:
        reason = (
            f"`politeness.delay` must be at least {LEAST_DELAY:g} second for a host that is not on loopback"
        )
        raise SiteFileError(file, lines["politeness"], reason)
    if not local and site.reply.min_gap < LEAST_REPLY_GAP:
        reason = (
            f"`reply.min_gap` must be at least {LEAST_REPLY_GAP:g} seconds for a host that is not on loopback"
        )
        raise SiteFileError(file, lines["reply"], reason)
    if not local and site.politeness.connections > 1:
        reason = "`politeness.connections` must be 1 for a host that is not on loopback"
        raise SiteFileError(file, lines["politeness"], reason)


def _check_engine(
    site: SiteFile, file: str, lines: Mapping[str, int], engines: Mapping[str, Engine] | None
) -> None:
    if engines is None:  # reading those shipped takes a while; most site files name none
        engines = shipped_engines() if site.engine else {}
    inherited = engines.get(site.engine)
    if site.engine and inherited is None:
        reason = f"`engine` {site.engine} is not known"
        raise SiteFileError(file, lines["engine"], reason, hint=f"known: {', '.join(engines)}")
    check_rules(site.rules, file)
    rules = RuleSet(site.rules + (inherited.rules if inherited else ()))
    check_examples(rules, site.examples, file)


def site_file_warnings(site: SiteFile) -> tuple[str, ...]:
    """What is allowed but probably not meant: rules that contradict each other or have no example."""
    return rule_warnings(site.rules, site.examples)


def dump_site_file(site: SiteFile) -> str:
    """The YAML that reads back as `site`; sections at their defaults are left out."""
    written = _FILE_FOR_DUMP.write(site)
    for name in [name for name, value in written.items() if value == {}]:
        del written[name]
    return yaml.safe_dump(written, allow_unicode=True, sort_keys=False, width=100)


def _minimal(site: str, start: tuple[str, ...], **values: object) -> SiteFile:
    return SiteFile(site, start, hosts_of(start), **values)  # type: ignore[arg-type]


_FILE_FOR_DUMP = Section(_FILE.fields, _minimal)
"""Knows the hosts that a file without `hosts` has."""


def host_of(url: str) -> str:
    """Host of a URL as site files write it: lower case, with the port unless it is the scheme's own."""
    return ada_url.URL(url).host


def hosts_of(start: Iterable[str]) -> tuple[str, ...]:
    """The hosts that start pages belong to; a whole domain with and without `www.`, as sites redirect so."""
    hosts = dict.fromkeys(map(host_of, start))
    return tuple(hosts | dict.fromkeys(twin for host in hosts if (twin := _twin(host))))


def _twin(host: str) -> str:
    """`www.example.org` of `example.org` and the other way round, "" for addresses, ports and subdomains."""
    labels = host.removeprefix("www.").split(".")
    if ":" in host or labels[-1].isdigit() or is_loopback(host) or len(labels) < 2:
        return ""
    if host.startswith("www."):
        return host.removeprefix("www.")
    is_domain = len(labels) == 2 or (len(labels) == 3 and len(labels[1]) <= 3)  # example.co.uk
    return f"www.{host}" if is_domain else ""


def site_from_url(url: str) -> SiteFile:
    """The site file of a bare URL: its host with and without `www.`, delay 0 when it is on loopback.

    A URL without a scheme gets `https://`, on loopback `http://`. Raises `SiteFileError`.
    """
    if "://" not in url:
        url = f"{'http' if is_loopback(url.partition('/')[0]) else 'https'}://{url}"
    try:
        _web_url(url)
    except ValueError as error:
        hint = error.args[1] if len(error.args) > 1 else ""
        raise SiteFileError("the site's URL", 0, error.args[0], hint=hint) from None
    host = host_of(url)
    name = re.sub(r"[^a-z0-9._-]+", "-", host).strip("-._")[:64] or "site"
    politeness = Politeness(delay=0.0) if is_loopback(host) else Politeness()
    return SiteFile(site=name, start=(url,), hosts=hosts_of((url,)), politeness=politeness)


def site_schema() -> dict[str, object]:
    """The JSON schema (draft 2020-12) of a site file, as published in `rules/site.schema.json`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Harvest site file",
        **_FILE.schema(),
    }
