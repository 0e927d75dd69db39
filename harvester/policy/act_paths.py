"""Paths that act: a verb as a whole segment, where it stands as one."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

from harvester.policy.verbs import Strength, verb, words

CACHE = 16384
_CLICKS = words("like unlike dislike love react endorse follow unfollow star unstar fav rate")
"""Words that nobody names a page by, with a number after them (`/watch/7` is one)."""
_MIXED = r"(?=[0-9a-z]{6,40}$)(?:(?:[a-z]+\d+){2,20}[a-z]*|(?:\d+[a-z]+){2,20}\d*)"
"""Letters and digits by turns, as in short identifiers (`7r8et993`)."""
_ID = re.compile(rf"(?:.*[.\-_~,])?\d{{1,20}}|[0-9a-f]{{8,64}}|{_MIXED}")
_PURE_ID = re.compile(r"(?:.*\.)?\d{1,20}|[0-9a-f]{8,64}")
_SHORT_ID = re.compile(r"(?=[a-z_-]*\d)[0-9a-z_-]{4,40}")
_READERS = frozenset({"thank", "vote", "rate", "report", "bookmark", "subscribe", "delete", "logout"})
"""What readers do to one thing with one click."""
_SCRIPT_END = re.compile(r"\.(?:php\d?|aspx?|jspx?|do|cgi|pl|cfm)$")
PAGE_END = re.compile(r"\.(?:html?|shtml)$")

NAMING = words(
    "tag tags label labels category categories cat wiki search s find keyword keywords topic topics title "
    "titles artist artists author authors series show shows movie movies name names word words q query "
    "file files download downloads torrent view details detail user users u member members people channel "
    "genre"
)
"""Path segments after which a bare word is a name."""
LABELS = words("tag tags label category categories cat wiki search keyword keywords genre docs")
"""Path segments after which a name stands whose parts are names, too."""
_PEOPLE = frozenset({"user", "users", "u", "member", "members", "people"})

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


@lru_cache(maxsize=CACHE)
def of_path(path: str) -> str | None:
    """Why a path (lower case) acts, None where it does not."""
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
    if not script and "." in word and PAGE_END.search(word):
        word = PAGE_END.sub("", word)
    if word in _ROOT_SCRIPTS and (script or (index == 0 and word != "posting")):
        return _ROOT_SCRIPTS[word]
    if ":" in word:
        return of_special_page(word)
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
    after_id = bool(before) and _ID.fullmatch(before) is not None and not is_date(segments, index)
    if strength == Strength.ANYWHERE:
        return after_id or before not in NAMING
    if index == 0 and len(segments) == 2 and _clicks_on_one(segments):
        return True
    if is_last and _ends_an_action(segments, index, strength, after_id=after_id):
        return True
    if strength < Strength.BESIDE_ID:
        return before in ("topic", "thread", "post") and segments[index] in ("create", "new")
    if before in NAMING:
        return False
    if is_last:
        return index == 0
    return _ID.fullmatch(segments[index + 1]) is not None and index + 1 == len(segments) - 1


def _clicks_on_one(segments: list[str]) -> bool:
    """`/like/7`: what a reader does to one thing; a year makes it a page."""
    number = segments[1]
    is_year = len(number) == 4 and number[:2] in ("19", "20")
    return segments[0] in _CLICKS and number.isdigit() and not is_year


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
    reads = index >= 2 and found is not None and found[0] in _READERS and before not in NAMING
    if reads and _SHORT_ID.fullmatch(before) and not is_date(segments, index):
        return segments[index - 2] not in LABELS
    return after_id and (strength >= Strength.BESIDE_ID or _PURE_ID.fullmatch(before) is not None)


def is_date(segments: list[str], index: int) -> bool:
    """Whether the segment stands after a date (`/2024/05/report/` is an article)."""
    year = segments[index - 2] if index >= 2 else ""
    if len(segments[index - 1]) <= 2 and len(year) <= 2 and index >= 3:
        year = segments[index - 3]
    return len(segments[index - 1]) <= 2 and len(year) == 4 and year[:2] in ("19", "20") and year.isdigit()


def of_special_page(value: str) -> str | None:
    """MediaWiki's `Special:UserLogout`, Discuz' `plugin.php?id=dsu_paulsign:sign`."""
    for word in value.split(":")[:4]:
        found = verb(word)
        if found is not None and (found[1] == Strength.ANYWHERE or word == "sign"):
            return found[0]
        if word.endswith(("paulsign", "_misign")):
            return "check_in"
    return None


def of_last_segment(path: str) -> str | None:
    """`/act/thank?id=1`: a verb that ends the path acts on what the query names."""
    found = verb(path.rstrip("/").rpartition("/")[2])
    return found[0] if found is not None and found[1] >= Strength.BESIDE_ID else None
