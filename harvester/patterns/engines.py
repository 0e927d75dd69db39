"""Engines: the software a site runs, recognised by evidence on the page, never by host.

An engine file (`rules/engines/NAME.yaml`) holds the signs by which the engine is known, its rules, what
is never fetched besides the general list, the parameters that carry a session, and what `access` reads
(`login`, `reply`, `pay_form`). How its walls look stands in `access/wall_markers/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import re2

from harvester.model.site import Role, Rule, RuleExample, RuleSource
from harvester.patterns.rulefile import EXAMPLES, ID, RULES, check_examples, check_rules, with_source
from harvester.patterns.rules import RuleSet, check_match, compile_pattern
from harvester.patterns.schema import Choice, Field, Free, ListOf, Number, Section, Text
from harvester.patterns.yaml_nodes import compose

THRESHOLD = 10
"""Score from which an engine is believed."""
MAX_PAGE = 256 * 1024
PLACES = ("generator", "asset", "cookie", "header", "link", "body")


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
    """One piece of evidence: `match` (RE2, upper and lower case alike) found in `where`; `^` and
    `$` hold at each line there.

    Places: `generator` (the meta element's content), `asset` (src and href of scripts, style sheets and
    images), `cookie` (names), `header` (`name: value`), `link` (href of links), `body` (the page).
    """

    where: str
    match: str
    score: int


@dataclass(frozen=True, slots=True)
class Engine:
    """One file of `rules/engines/`."""

    name: str
    title: str
    signs: tuple[Sign, ...]
    rules: tuple[Rule, ...] = ()
    never_fetch: tuple[str, ...] = ()
    """RE2 patterns over path + query, besides `policy.never_fetch`."""
    session_params: tuple[str, ...] = ()
    """Query parameters that carry a session and no identity: left out of keys once the engine is known."""
    login: Mapping[str, object] = field(default_factory=dict)
    reply: Mapping[str, object] = field(default_factory=dict)
    pay_form: str = ""
    """An RE2 pattern over path + query: pages that show a price and ask first, "" when there are none."""
    examples: tuple[RuleExample, ...] = ()


@dataclass(frozen=True, slots=True)
class Recognition:
    """The engine that the evidence speaks for."""

    engine: str
    score: int
    signs: tuple[str, ...]
    """The evidence in words, for `harvest status`."""


def _pattern(text: str) -> str:
    compile_pattern(text)
    return text


_FILE = Section(
    fields=(
        Field("engine", ID, "name of the engine", attribute="name", required=True),
        Field("title", Text(longest=100), "its name for people", required=True),
        Field(
            "signs",
            ListOf(
                Section(
                    fields=(
                        Field("where", Choice(PLACES), "place of the evidence", required=True),
                        Field("match", Text(check=_pattern, longest=500), "an RE2 pattern", required=True),
                        Field("score", Number(1, 20), "10 in all is enough", required=True),
                    ),
                    build=Sign,
                ),
                least=1,
            ),
            "how it is recognised",
            required=True,
        ),
        Field("rules", RULES, "its kinds of URLs"),
        Field(
            "never_fetch",
            ListOf(Text(check=check_match, longest=500)),
            "patterns of URLs that change something",
        ),
        Field("session_params", ListOf(Text(pattern=r"^[\w.-]{1,64}$")), "query parameters without identity"),
        Field("login", Free(), "what its login form needs"),
        Field("reply", Free(), "what its reply form needs"),
        Field("pay_form", Text(check=_pattern, longest=500), "pages that show a price and ask first"),
        Field("examples", EXAMPLES, "tests that the file carries"),
    ),
    build=Engine,
)


def parse_engine_file(text: str, file_name: str) -> Engine:
    """Read an engine file; raises `SiteFileError` with file, line and reason. Its examples are run."""
    root = compose(text, file_name)
    values = _FILE.values(root, file_name, "")
    values["rules"] = with_source(values.get("rules", ()), RuleSource.ENGINE)  # type: ignore[arg-type]  # by RULES
    engine = Engine(**values)  # type: ignore[arg-type]  # the field table gives the types
    check_rules(engine.rules, file_name)
    check_examples(RuleSet(engine.rules), engine.examples, file_name)
    return engine


def never_fetched_by(engine: Engine) -> Callable[[str], bool]:
    """A test of URLs against the engine's own `never_fetch` patterns; no rule wins over it."""
    rules = RuleSet(Rule(f"never_{n}", Role.ACTION, match) for n, match in enumerate(engine.never_fetch))

    def is_refused(url: str) -> bool:
        return rules.match(url) is not None

    return is_refused


def engine_schema() -> dict[str, object]:
    """The JSON schema (draft 2020-12) of an engine file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Harvest engine file",
        **_FILE.schema(),
    }


_GENERATOR = re.compile(
    r"""<meta\b(?=[^>]{0,300}\bname\s{0,5}=\s{0,5}["']?generator\b)[^>]{0,300}?\bcontent\s{0,5}=\s{0,5}["']?([^"'>]{1,200})""",
    re.I,
)
_ASSET = re.compile(
    r"""<(?:script|link|img)\b[^>]{0,500}?\b(?:src|href)\s{0,5}=\s{0,5}["']?([^"'\s>]{1,500})""", re.I
)
_LINK = re.compile(
    r"""<(?:a|form)\b[^>]{0,500}?\b(?:href|action)\s{0,5}=\s{0,5}["']?([^"'\s>]{1,500})""", re.I
)


@lru_cache(maxsize=2048)
def _compiled(pattern: str) -> re2._Regexp:
    return compile_pattern("(?im)" + pattern)


def _places(page: PageEvidence) -> dict[str, bytes]:
    html = page.html[:MAX_PAGE]
    texts = {
        "generator": _GENERATOR.findall(html)[:5],
        "asset": _ASSET.findall(html)[:500],
        "link": _LINK.findall(html)[:2000],
        "cookie": sorted(page.cookies),
        "header": [f"{name}: {value}" for name, value in page.headers.items()],
        "body": [html],
    }
    return {place: "\n".join(found).encode("utf-8", "replace") for place, found in texts.items()}


def recognise_engine(page: PageEvidence, engines: Iterable[Engine]) -> Recognition | None:
    """The engine with the highest score, None below the threshold or on a tie."""
    places = _places(page)
    scored = []
    for engine in engines:
        found = [sign for sign in engine.signs if _compiled(sign.match).search(places[sign.where])]
        score = sum(sign.score for sign in found)
        if score >= THRESHOLD:
            signs = tuple(f"{sign.where}: {sign.match}" for sign in found)
            scored.append(Recognition(engine.name, score, signs))
    scored.sort(key=lambda found: -found.score)
    if not scored or (len(scored) > 1 and scored[0].score == scored[1].score):
        return None
    return scored[0]


@cache
def shipped_engines() -> Mapping[str, Engine]:
    """The engines that come with Harvest, by name; parsed once.

    They are read from the package itself (`harvester/_rules` in a wheel, `rules/` in a checkout): part of
    the program like its code, not of the file system that ports guard.
    """
    packaged = files("harvester") / "_rules" / "engines"
    folder = packaged if packaged.is_dir() else Path(str(files("harvester"))).parent / "rules" / "engines"
    engines = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".yaml"):
            engine = parse_engine_file(file.read_text(encoding="utf-8"), f"rules/engines/{file.name}")
            engines[engine.name] = engine
    return engines
