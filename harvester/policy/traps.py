"""Spider traps that a URL's shape shows: one small check each, gathered in `CHECKS`.

A check takes the parsed URL and says whether it is this trap. What only the fetched pages show is watched
by `policy.trapwatch`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

MAX_SEGMENTS = 16
MAX_PARAMETERS = 40
MAX_PAGE = 200_000
MAX_OFFSET = 10_000_000

_SESSION = re.compile(
    r"(?i)(?:;|[?&/])(?:jsessionid|phpsessid|sessionid|sid|cfid|aspsessionid\w{0,12})[=/]|/\(S\("
)
_ESCAPED_AGAIN = re.compile(r"(?i)%25(?:25)+|%2525|(?:&|%26)amp;(?:amp;)+|amp%3bamp%3b|(?:;|&)amp;amp;")
_NESTED = re.compile(r"(?i)(?:https?|ftp)(?::|%3a|%253a)(?:/|%2f|%252f){2}")
_CALENDAR = re.compile(r"(?i)(?:^|[/._-])(?:calendar|kalender|events?|agenda|schedule)(?:$|[/._-])")
_DATE_PARAMETERS = frozenset({"year", "month", "day", "week", "date", "y", "m", "d", "ym", "ical"})
_DATE_PATH = re.compile(r"/(?:\d{4}[/-]\d{1,2}|\d{4}-W\d{1,2}|\d{4}/?$)")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")


class Shape(Struct, frozen=True):
    """A URL taken apart for the checks."""

    url: str
    path: str
    segments: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]


def shape_of(url: str) -> Shape:
    """Path segments and parameters of an absolute URL; host and fragment don't count."""
    rest = url.partition("#")[0]
    scheme = rest.find("://")
    if scheme >= 0:
        rest = rest[scheme + 3 :]
        ends = [place for place in (rest.find("/"), rest.find("?")) if place >= 0]
        rest = rest[min(ends, default=len(rest)) :]
    path, _, query = rest.partition("?")
    parts = query.replace("&amp;", "&").replace(";", "&").split("&", 200) if query else []
    parameters = tuple((name, value) for name, _, value in (part.partition("=") for part in parts) if name)
    return Shape(url, path, tuple(segment for segment in path.split("/")[:200] if segment), parameters)


def path_depth(shape: Shape) -> bool:
    """More folders than a site for people has."""
    return len(shape.segments) > MAX_SEGMENTS


def repeated_segments(shape: Shape) -> bool:
    """`/a/b/a/b/`: a group of segments right after itself; numbers and single names need three in a row."""
    segments = shape.segments
    for size in range(1, min(6, len(segments) // 2) + 1):
        for start in range(len(segments) - 2 * size + 1):
            group = segments[start : start + size]
            if group != segments[start + size : start + 2 * size]:
                continue
            weak = size == 1 or all(segment.isdigit() for segment in group)
            if not weak or group == segments[start + 2 * size : start + 3 * size]:
                return True
    return False


def dot_segments(shape: Shape) -> bool:
    """`/././x`: relative links that were never resolved."""
    return shape.segments.count(".") + shape.segments.count("..") >= 2


def repeated_parameters(shape: Shape) -> bool:
    """One parameter again and again, or more parameters than a form has."""
    if len(shape.parameters) > MAX_PARAMETERS:
        return True
    if len(shape.parameters) == len(dict(shape.parameters)):
        return False
    pairs = Counter(shape.parameters)
    if any(count >= 2 and value for (_, value), count in pairs.items() if count >= 3 or len(value) > 8):
        return True
    names = Counter(name for name, _ in shape.parameters if not name.lower().endswith(("[]", "%5b%5d")))
    return any(count >= 4 for count in names.values())


def several_sessions(shape: Shape) -> bool:
    """More than one session id in one URL: each page adds its own."""
    lower = shape.url.lower()
    if lower.count("sid") + lower.count("session") + lower.count("cfid") + lower.count("/(s(") < 2:
        return False
    return len(_SESSION.findall(shape.url)) >= 2


def escaped_again(shape: Shape) -> bool:
    """`&amp;amp;`, `%2525`: escaped once more at each hop."""
    if "%25" not in shape.url and "amp" not in shape.url.lower():
        return False
    return _ESCAPED_AGAIN.search(shape.url) is not None


def nested_urls(shape: Shape) -> bool:
    """A URL that carries a URL that carries a URL."""
    if shape.url.count("//") < 3 and shape.url.lower().count("%2f") < 2:
        return False
    return len(_NESTED.findall(shape.url)) >= 3


def huge_page_number(shape: Shape) -> bool:
    """A page number or offset beyond what any list has."""
    for name, value in shape.parameters:
        if value.isascii() and value.isdigit() and len(value) < 20:
            number = int(value)
            if name.lower() in ("page", "p", "paged", "pg") and number > MAX_PAGE:
                return True
            if name.lower() in ("start", "offset", "from", "st") and number > MAX_OFFSET:
                return True
    return False


def calendar(shape: Shape) -> bool:
    """A calendar page with a date: there is always a next month."""
    if _CALENDAR.search(shape.path) is None:
        return False
    dated = any(name.lower() in _DATE_PARAMETERS for name, _ in shape.parameters)
    return dated or _DATE_PATH.search(shape.path) is not None


def impossible_year(shape: Shape) -> bool:
    """A `year` parameter that no page was written in."""
    years = [value for name, value in shape.parameters if name.lower() in ("year", "yr")]
    return any(not 1970 <= int(found) <= 2100 for year in years for found in _YEAR.findall(year)[:1])


CHECKS: tuple[Callable[[Shape], bool], ...] = (
    path_depth,
    repeated_segments,
    dot_segments,
    repeated_parameters,
    several_sessions,
    escaped_again,
    nested_urls,
    huge_page_number,
    calendar,
    impossible_year,
)


def url_trap(url: str) -> str | None:
    """The name of the trap that the URL's shape shows, or None. Never raises."""
    shape = shape_of(url[:4096])
    return next((check.__name__ for check in CHECKS if check(shape)), None)
