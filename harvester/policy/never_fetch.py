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

from harvester.policy.act_texts import ACTS, LOGOUT
from harvester.policy.verbs import READ_ACTIONS, Strength, verb, words

_CACHE = 16384
_TOKENS = re.compile(r"[^\w-]+")
_MIXED = r"(?=[0-9a-z]{6,40}$)(?:(?:[a-z]+\d+){2,20}[a-z]*|(?:\d+[a-z]+){2,20}\d*)"
"""Letters and digits by turns, as in short identifiers (`7r8et993`)."""
_ID = re.compile(rf"(?:.*[.\-_~,])?\d{{1,20}}|[0-9a-f]{{8,64}}|{_MIXED}")
_NAMES_AN_OBJECT = re.compile(
    r"(?:^|&)(?:[a-z_]{0,12}id|[tp]|torrent|topic|post)=(?:\d{1,20}|[0-9a-f]{8,64})(?:&|$)"
)
_PURE_ID = re.compile(r"(?:.*\.)?\d{1,20}|[0-9a-f]{8,64}")
_SHORT_ID = re.compile(r"(?=[a-z_-]*\d)[0-9a-z_-]{4,40}")
_READERS = frozenset({"thank", "vote", "rate", "report", "bookmark", "subscribe", "delete", "logout"})
"""What readers do to one thing with one click."""
_SCRIPT_END = re.compile(r"\.(?:php\d?|aspx?|jspx?|do|cgi|pl|cfm)$")
_PAGE_END = re.compile(r"\.(?:html?|shtml)$")

ACTION_PARAMS = words(
    "action act do mode mod op ac a cmd command task operation method sa func function case area opt event i "
    "veaction"
)
"""Parameters whose value is what the site does."""

FLAGS: dict[str, str] = {
    name: reason
    for reason, names in {
        "logout": "logout signout logoff",
        "delete": "delete del deletepost undelete trash remove",
        "vote": "vote upvote downvote unvote",
        "rate": "takerating",
        "thank": "thanks rthanks thank like unlike dislike thx",
        "mark_read": "markread mark_read catchup",
        "subscribe": "unsubscribe unwatch unfollow follow",
        "bookmark": "bookmark unbookmark addbookmark add_bookmark addfavorite favorite",
        "post_form": "replytocom newreply newthread quickreply",
        "pay": "usetoken add-to-cart add_to_cart buy pay purchase letdown",
        "check_in": "checkin qiandao",
        "report": "report",
    }.items()
    for name in names.split()
}
"""Parameters that act by being there; empty or negative values are filters (`bookmark=0`)."""

_TARGETS = words("forum forums topic topics thread threads board boards all read 1 true yes on")
_TARGET_FLAGS = {"mark": "mark_read", "watch": "subscribe", "subscribe": "subscribe", "edit": "edit"}
_NEGATIVE = frozenset({"", "0", "no", "false", "off", "any", "all"})

SURE_TOKENS = words(
    "_wpnonce wpnonce my_post_key logouthash logoutkey csrf csrftoken csrf_token csrfmiddlewaretoken "
    "_csrf _csrf_token authenticity_token __requestverificationtoken form_token securitytoken _xftoken "
    "sesc"
)
"""Parameters that only a state-changing request carries: refused on sight."""

WEAK_TOKENS = words("formhash hash token _token auth authkey nonce sign secret")
"""Parameters that refuse a URL only beside an action that isn't plain reading."""

_NAMING = words(
    "tag tags label labels category categories cat wiki search s find keyword keywords topic topics title "
    "titles artist artists author authors series show shows movie movies name names word words q query "
    "file files download downloads torrent view details detail user users u member members people channel "
    "genre"
)
"""Path segments after which a bare word is a name."""
_LABELS = words("tag tags label category categories cat wiki search keyword keywords genre docs")
"""Path segments after which a name stands whose parts are names, too."""
_PEOPLE = frozenset({"user", "users", "u", "member", "members", "people"})

_SPECIAL = frozenset({"title", "id", "page"})
_ROUTES = frozenset({"r", "route", "s", "path", "q"})
_PAGES = frozenset({"page", "p", "view", "section", "module", "option"})
"""Parameters that name a page: only a word that acts anywhere counts."""
_SUBMITS = frozenset({"submit", "searchsubmit", "confirm"})
_KNOWN = (
    ACTION_PARAMS
    | FLAGS.keys()
    | _TARGET_FLAGS.keys()
    | SURE_TOKENS
    | WEAK_TOKENS
    | _SPECIAL
    | _ROUTES
    | _PAGES
    | _SUBMITS
)
_SAFE_PAIRS = frozenset({("mod", "seccode"), ("mod", "secqaa")})

_ROOT_SCRIPTS = {
    "posting": "post_form",
    "private": "messages",
    "messages": "messages",
    "inbox": "messages",
    "pm": "messages",
    "conversations": "messages",
    "usercp2": "subscribe",
    "xmlhttp": "edit",
}

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


@lru_cache(maxsize=_CACHE)
def _of_url(url: str) -> str | None:
    path, query = _path_and_query(url)
    if query:
        reason = _of_query(query)
        if reason is None and _NAMES_AN_OBJECT.search(query):
            reason = _of_last_segment(path)
        if reason is not None:
            return reason
    return _of_path(path)


def _of_last_segment(path: str) -> str | None:
    """`/act/thank?id=1`: a verb that ends the path acts on what the query names."""
    found = verb(path.rstrip("/").rpartition("/")[2])
    return found[0] if found is not None and found[1] >= Strength.BESIDE_ID else None


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
        if name in _KNOWN:
            pairs.append((name, unquote_plus(value) if "%" in value or "+" in value else value))
    return pairs


def _of_query(query: str) -> str | None:
    if "/" in query and "=" not in query.partition("&")[0]:  # XenForo 1 and others: the query is the path
        reason = _of_path("/" + query.partition("&")[0])
        if reason is not None:
            return reason
    pairs = _parameters(query)
    if not pairs or not _SAFE_PAIRS.isdisjoint(pairs):
        return None
    for name, value in pairs:
        reason = _of_parameter(name, value)
        if reason is not None:
            return reason
    return _of_tokens(pairs)


@lru_cache(maxsize=_CACHE)
def _of_parameter(name: str, value: str) -> str | None:
    if name in ACTION_PARAMS:
        return _of_action_value(name, value)
    if name in FLAGS:
        if value not in _NEGATIVE or (name == "logout" and value == ""):
            return FLAGS[name]
        return None
    if name in _TARGET_FLAGS:
        return _TARGET_FLAGS[name] if value in _TARGETS else None
    if name in SURE_TOKENS:
        return "one_time_token"
    if name in _SPECIAL and ":" in value:
        return _of_special_page(value)
    if name in _PAGES:
        found = verb(value) or verb(value.rpartition("-")[2])
        return found[0] if found is not None and found[1] == Strength.ANYWHERE else None
    if name in _ROUTES and "/" in value:
        return _of_path(value)
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


def _of_special_page(value: str) -> str | None:
    """MediaWiki's `Special:UserLogout`, Discuz' `plugin.php?id=dsu_paulsign:sign`."""
    for word in value.split(":")[:4]:
        found = verb(word)
        if found is not None and (found[1] == Strength.ANYWHERE or word == "sign"):
            return found[0]
        if word.endswith(("paulsign", "_misign")):
            return "check_in"
    return None


def _of_tokens(pairs: list[tuple[str, str]]) -> str | None:
    """A weak token beside an action that is not plain reading."""
    if not any(name in WEAK_TOKENS for name, _ in pairs):
        return None
    for name, value in pairs:
        if name in ACTION_PARAMS and value and value not in READ_ACTIONS and not value.isdigit():
            return "one_time_token"
        if name in _SUBMITS:
            return "one_time_token"
    return None


@lru_cache(maxsize=_CACHE)
def _of_path(path: str) -> str | None:
    segments = [segment for segment in path.split("/") if segment][:40]
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        reason = _of_segment(segments, index, segment, index == last)
        if reason is not None:
            return reason
    return None


def _of_segment(segments: list[str], index: int, segment: str, is_last: bool) -> str | None:
    if len(segment) > 60:
        return None
    if "%" in segment:
        segment = unquote(segment)
    script = _SCRIPT_END.search(segment) if "." in segment else None
    word = segment[: script.start()] if script else segment
    if not script and "." in word and _PAGE_END.search(word):
        word = _PAGE_END.sub("", word)
    if word in _ROOT_SCRIPTS and (script or (index == 0 and word != "posting")):
        return _ROOT_SCRIPTS[word]
    if ":" in word:
        return _of_special_page(word)
    found = verb(word)
    if found is None:
        return None
    reason, strength = found
    if reason == "logout" and index and segments[index - 1] in _PEOPLE:
        return reason
    acts = _acts(segments, index, strength, is_script=script is not None, is_last=is_last)
    return reason if acts else None


def _acts(segments: list[str], index: int, strength: Strength, *, is_script: bool, is_last: bool) -> bool:
    """Whether a verb of this strength is an action where it stands."""
    if is_script and strength >= Strength.BESIDE_ID:
        return True
    before = segments[index - 1] if index else ""
    after_id = bool(before) and _ID.fullmatch(before) is not None and not _is_date(segments, index)
    if strength == Strength.ANYWHERE:
        return after_id or before not in _NAMING
    if is_last and _ends_an_action(segments, index, strength, after_id=after_id):
        return True
    if strength < Strength.BESIDE_ID:
        return before in ("topic", "thread", "post") and segments[index] in ("create", "new")
    if before in _NAMING:
        return False
    if is_last:
        return index == 0
    return _ID.fullmatch(segments[index + 1]) is not None and index + 1 == len(segments) - 1


def _ends_an_action(segments: list[str], index: int, strength: Strength, *, after_id: bool) -> bool:
    """Whether a verb that ends the path belongs to what stands before it.

    `slug-12/vote` is an action; `ubuntu-22/update` may be a page, so weaker words want a plain id.
    `/x/9fk2c/like`: what a reader does to one thing is told by a short identifier before it, too.
    """
    if strength < Strength.AFTER_ID:
        return False
    before = segments[index - 1] if index else ""
    if before in ("post", "posts", "comment", "reply"):
        return True
    found = verb(segments[index])
    reads = index >= 2 and found is not None and found[0] in _READERS and before not in _NAMING
    if reads and _SHORT_ID.fullmatch(before) and not _is_date(segments, index):
        return segments[index - 2] not in _LABELS
    return after_id and (strength >= Strength.BESIDE_ID or _PURE_ID.fullmatch(before) is not None)


def _is_date(segments: list[str], index: int) -> bool:
    """Whether the segment stands after a date (`/2024/05/report/` is an article)."""
    year = segments[index - 2] if index >= 2 else ""
    if len(segments[index - 1]) <= 2 and len(year) <= 2 and index >= 3:
        year = segments[index - 3]
    return len(segments[index - 1]) <= 2 and len(year) == 4 and year[:2] in ("19", "20") and year.isdigit()


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
    if len(segments) < 3 or segments[-2] in _NAMING or segments[-3] in _LABELS:
        return None
    if _is_date(segments, len(segments) - 1):
        return None
    last = verb(_PAGE_END.sub("", unquote(segments[-1])))
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
