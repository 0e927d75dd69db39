"""URLs that no crawl fetches, whatever rules or learner think: those that change something.

A URL is read as what a site would read: the values of action parameters, flags, script names and path
segments, each compared as a whole word. The words of a title (`/topic/how-to-vote-5`), of a search or of
a file name never count. When in doubt a form page is given up; a page with torrents is not.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from urllib.parse import unquote, unquote_plus

from harvester.policy.act_params import (
    ACTION_PARAMS,
    FLAGS,
    KNOWN,
    NEGATIVE,
    PAGES,
    ROUTES,
    SAFE_PAIRS,
    SPECIAL,
    SUBMITS,
    SURE_TOKENS,
    TARGET_FLAGS,
    TARGETS,
    WEAK_TOKENS,
)
from harvester.policy.act_paths import (
    CACHE,
    LABELS,
    NAMING,
    PAGE_END,
    is_date,
    of_last_segment,
    of_path,
    of_special_page,
)
from harvester.policy.act_texts import ACTS, LOGOUT
from harvester.policy.verbs import READ_ACTIONS, Strength, verb, words

_TOKENS = re.compile(r"[^\w-]+")
_NAMES_AN_OBJECT = re.compile(
    r"(?:^|&)(?:[a-z_]{0,12}id|[tp]|torrent|topic|post)=(?:\d{1,20}|[0-9a-f]{8,64})(?:&|$)"
)

_AROUND = " \t\r\n[]()|«»<>-–—:·•\xa0\u3000"

_COUNT = re.compile(r"^[+\-]?\d{1,9}\s*|\s*[(\[]?\s*\d{1,9}\s*[)\]]?$")
"""What stands around the word of a button: `Like (5)`, `+1 thanks`."""
_GIVES = words(
    "download downloads dl get getfile file files torrent torrents attachment attachments attach dlattach "
    "magnet announce passkey authkey torrent_pass rss feed aid downhash dlkey"
)
"""Words of an address that gives something: a token in it opens the file and changes nothing."""
_GIVEN = re.compile(r"[a-z_]+")


def refusal(
    url: str, *, anchor: str = "", rel: AbstractSet[str] = frozenset(), method: str = "GET"
) -> str | None:
    """The reason (a stable word such as `logout`) why `url` is never fetched, or None.

    `anchor` is the link's text, `rel` its relation words, `method` that of the form it comes from or of
    the link's `data-method`.
    """
    if method not in ("GET", "HEAD") and method.upper() not in ("GET", "HEAD"):
        return "method"
    if rel and "payment" in rel:
        return "pay"
    reason = _of_url(url)
    if reason is not None:
        return reason
    if anchor and len(anchor) <= 40:
        reason = _of_anchor(anchor.strip(_AROUND).lower(), url)
    if reason is None and rel and "nofollow" in rel and "=" in url:
        return _of_hidden_token(url)
    return reason


@lru_cache(maxsize=CACHE)
def _of_url(url: str) -> str | None:
    path, query = _path_and_query(url)
    if query:
        reason = _of_query(query)
        if reason is None and _NAMES_AN_OBJECT.search(query):
            reason = of_last_segment(path)
        if reason is not None:
            return reason
    return of_path(path)


def _path_and_query(url: str) -> tuple[str, str]:
    """Path and query, both lower-case; host and fragment are dropped."""
    url = url.partition("#")[0]
    scheme = url.find("://")
    if 0 < scheme < 12:
        slash = url.find("/", scheme + 3)
        mark = url.find("?", scheme + 3)
        if mark >= 0 and (slash < 0 or mark < slash):
            slash = mark
        url = url[slash:] if slash >= 0 else ""
    path, _, query = url.lower().partition("?")
    return path, query.replace("&amp;", "&")


def _parameters(query: str) -> list[tuple[str, str]]:
    """The parameters that could matter, decoded; the first 64 are looked at."""
    pairs = []
    for part in (query.replace(";", "&") if ";" in query else query).split("&", 64):
        name, _, value = part.partition("=")
        if "%" in name:
            name = unquote(name)
        if name in KNOWN:
            pairs.append((name, unquote_plus(value) if "%" in value or "+" in value else value))
    return pairs


def _of_query(query: str) -> str | None:
    if "/" in query and "=" not in query.partition("&")[0]:  # XenForo 1 and others: the query is the path
        reason = of_path("/" + query.partition("&")[0])
        if reason is not None:
            return reason
    pairs = _parameters(query)
    if not pairs or not SAFE_PAIRS.isdisjoint(pairs):
        return None
    for name, value in pairs:
        reason = _of_parameter(name, value)
        if reason is not None:
            return reason
    return _of_tokens(pairs)


@lru_cache(maxsize=CACHE)
def _of_parameter(name: str, value: str) -> str | None:
    if name in ACTION_PARAMS:
        return _of_action_value(name, value)
    if name in FLAGS:
        if value not in NEGATIVE or (name == "logout" and value == ""):
            return FLAGS[name]
        return None
    if name in TARGET_FLAGS:
        return TARGET_FLAGS[name] if value in TARGETS else None
    if name in SURE_TOKENS:
        return "one_time_token"
    if name in SPECIAL and ":" in value:
        return of_special_page(value)
    if name in PAGES:
        found = verb(value) or verb(value.rpartition("-")[2])
        return found[0] if found is not None and found[1] == Strength.ANYWHERE else None
    if name in ROUTES and "/" in value:
        return of_path(value)
    return None


def _of_action_value(name: str, value: str) -> str | None:
    whole = verb(value)
    if whole is not None:
        reason, strength = whole
        if value == "watch" or (name in ("a", "i") and strength < Strength.AFTER_ID and reason != "messages"):
            return None
        return reason
    if name == "i" or not value or len(value) > 60:
        return None
    for word in _TOKENS.split(value.replace("_", " ").replace("-", " ")):
        part = verb(word)
        if part is not None and part[1] >= Strength.BESIDE_ID:
            return part[0]
    return None


def _of_tokens(pairs: list[tuple[str, str]]) -> str | None:
    """A weak token beside an action that is not plain reading."""
    if not any(name in WEAK_TOKENS for name, _ in pairs):
        return None
    for name, value in pairs:
        if name in ACTION_PARAMS and value and value not in READ_ACTIONS and not value.isdigit():
            return "one_time_token"
        if name in SUBMITS:
            return "one_time_token"
    return None


def _of_anchor(text: str, url: str) -> str | None:
    """A link whose whole text is a word that acts, where its address says something of the kind too.

    That is: a token, an action that is not plain reading, or the same word at the end of the path.
    """
    if text in LOGOUT:
        return "logout"
    text = _COUNT.sub("", text).strip(_AROUND)
    reason = ACTS.get(text)
    if reason is None:
        found = verb(text)
        if found is None:
            return None
        reason = found[0]
    path, query = _path_and_query(url)
    pairs = _parameters(query)
    if reason in _ASKED_FOR and (_names_an_action(pairs) or _has_token(pairs)):
        return reason
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) < 3 or segments[-2] in NAMING or segments[-3] in LABELS:
        return None
    if is_date(segments, len(segments) - 1):
        return None
    last = verb(PAGE_END.sub("", unquote(segments[-1])))
    return reason if last is not None and last[1] >= Strength.AFTER_ID else None


_ASKED_FOR = frozenset(
    {
        "logout",
        "delete",
        "pay",
        "check_in",
        "thank",
        "vote",
        "rate",
        "mark_read",
        "report",
        "subscribe",
        "bookmark",
    }
)


def _has_token(pairs: list[tuple[str, str]]) -> bool:
    return any(name in WEAK_TOKENS and value for name, value in pairs)


def _names_an_action(pairs: list[tuple[str, str]]) -> bool:
    return any(name in ACTION_PARAMS and value and value not in READ_ACTIONS for name, value in pairs)


def _of_hidden_token(url: str) -> str | None:
    """A link that search engines shall not follow and that carries a token, unless it gives something."""
    path, query = _path_and_query(url)
    if not _has_token(_parameters(query)):
        return None
    given = not _GIVES.isdisjoint(_GIVEN.findall(path)) or not _GIVES.isdisjoint(_GIVEN.findall(query))
    return None if given or _INFOHASH.search(query) else "one_time_token"


_INFOHASH = re.compile(r"(?:^|&)hash=(?:[0-9a-f]{40}|[0-9a-f]{64}|[2-7a-z]{32})(?:&|$)")
