"""Engines: the software a site runs, recognised by evidence on the page, never by host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from harvester.model.site import Rule, RuleExample


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """What a first page gives away."""

    html: str
    """Decoded page; the first 256 KB are looked at."""
    cookies: frozenset[str] = frozenset()
    """Names of the cookies that the site set."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Response headers, lower-case names."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One piece of evidence: `pattern` (RE2) in `where` (generator, asset, cookie, body, header)."""

    where: str
    pattern: str
    score: int


@dataclass(frozen=True, slots=True)
class WallMarker:
    """How a page of this engine says that something is behind a wall.

    `wall` is the wall's name (login, reply, points, pay, password, group, captcha, closed, missing);
    the marker holds when any of `texts` stands in the page and, if given, `css` selects something.
    """

    wall: str
    texts: tuple[str, ...] = ()
    css: str = ""


@dataclass(frozen=True, slots=True)
class Engine:
    """One file of `rules/engines/`."""

    name: str
    title: str
    signs: tuple[Sign, ...]
    rules: tuple[Rule, ...]
    never_fetch: tuple[str, ...] = ()
    """RE2 patterns over path + query, besides `policy.never_fetch`."""
    session_params: tuple[str, ...] = ()
    """Query parameters that carry a session and no identity."""
    walls: tuple[WallMarker, ...] = ()
    sections: Mapping[str, object] = field(default_factory=dict)
    """`login`, `reply`, `attachments`: plain YAML values, read by `access`."""
    examples: tuple[RuleExample, ...] = ()


@dataclass(frozen=True, slots=True)
class Recognition:
    """The engine that the evidence speaks for."""

    engine: str
    score: int
    signs: tuple[str, ...]
    """The evidence in words, for `harvest status`."""


def parse_engine_file(text: str, file_name: str) -> Engine:
    """Read an engine file; raises `SiteFileError` like `parse_site_file`; its examples are run."""
    raise NotImplementedError


def recognise_engine(page: PageEvidence, engines: Iterable[Engine]) -> Recognition | None:
    """The engine with the highest score, None below the threshold or on a tie."""
    raise NotImplementedError


def shipped_engines() -> Mapping[str, Engine]:
    """The engines that come with Harvest, by name; parsed once."""
    raise NotImplementedError
