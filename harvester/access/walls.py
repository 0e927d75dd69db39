"""Recognise and name the walls in an answer.

Three passes, each dearer than the one before and run only when that one asks for it: status, redirect and
headers; one RE2 scan of the source for the triggers of all markers; the tree, for the markers whose trigger
was met. Markers are data, one module per software family in `wall_markers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.access import challenges, wall_urls
from harvester.access.ajax import unwrapped
from harvester.access.hidden_parts import hidden_parts
from harvester.access.login_forms import login_form
from harvester.access.marker_table import PHRASES_BY_KIND, Hits, phrase_kinds, scan
from harvester.access.wall_markers.generic import BOXES
from harvester.access.wall_markers.marker import OPENS_BY, Marker
from harvester.access.wall_page import WallPage
from harvester.model.wall import Wall, WallKind, WallScope

_MAX_HTML = 5_000_000

_SPACE = re.compile(r"\s+")
_NOTICE = 600
"""Characters that a notice has at most."""
# "You must log in to reply": said below threads that everybody may read.
_TO_WRITE = re.compile(
    r".{0,16}?(?:\breply|\bpost\b|\bcomment|\bvote|\brate\b|participate|回[帖贴复復]|发[帖贴表言]|發[帖表言]|评论|留言|参与|投票"
    r"|ответ|коммент|написать|голосов|返信|投稿|コメント)",
    re.IGNORECASE,
)
_HEADINGS = frozenset({"title", "h1", "h2", "h3", "legend"})
_REFUSALS = frozenset({401, 402, 403})
_TARGETS = (
    (WallKind.SECOND_FACTOR, wall_urls.is_second_factor),
    (WallKind.LOGIN, wall_urls.is_login),
    (WallKind.BAN, wall_urls.is_banned),
)
_ORDER = {
    kind: place
    for place, kind in enumerate(
        (
            WallKind.CHALLENGE,
            WallKind.BAN,
            WallKind.SECOND_FACTOR,
            WallKind.PASSWORD,
            WallKind.LOGIN,
            WallKind.REPLY,
            WallKind.PAY,
            WallKind.PERMISSION,
            WallKind.REFERER,
            WallKind.CAPTCHA,
            WallKind.MODERATION,
            WallKind.ROBOTS,
        )
    )
}


def recognise_wall(
    url: str,
    status: int,
    headers: Mapping[str, str],
    html: str,
    *,
    engine: str = "",
    final_url: str = "",
    tree: LexborHTMLParser | None = None,
) -> list[Wall]:
    """The walls that an answer shows, the most decisive first; an empty list when there is none.

    `url` is what was asked for, `final_url` where redirects led (empty: nowhere else), `headers` have
    lower-case names, `html` is the decoded body (empty for a redirect or a binary body), `engine` a hint
    (`discuz`, `phpbb`, …) that puts that family's markers first. `tree` is the parsed body where the caller
    has one; it is only read. Never raises; time is bounded by the size of the body.

    A page that was asked for as a login page is no wall, nor is one that carries a quick login form in its
    header. What is recognised is what a page says to its visitor: the same markers for a guest and a member.
    """
    if blocked := challenges.by_headers(status, headers):
        return [blocked]
    if 300 <= status < 400 or not html or html.isspace():
        return _without_body(url, status, headers, final_url, engine)
    html = unwrapped(html[:_MAX_HTML])
    hits = scan(html)
    found: list[Wall] = []
    if hits or status in _REFUSALS:
        found = _by_page(url, status, headers, WallPage(html, tree), hits, engine)
    if not found and status == 404:
        found = _by_status(url, status, headers, False, engine)
    if final_url and not any(wall.scope is WallScope.PAGE for wall in found):
        found.extend(_by_target(url, final_url, "redirected to"))
    return _in_order(found)


def _by_page(
    url: str, status: int, headers: Mapping[str, str], page: WallPage, hits: Hits, engine: str
) -> list[Wall]:
    found: list[Wall] = []
    if hits.challenge and (widget := challenges.by_page(url, status, page.tree, short=page.is_short)):
        found.append(widget)
    # A login page that was asked for shows what was asked for.
    asked_for_login = wall_urls.is_account_page(url)
    found.extend(
        wall
        for wall in _by_markers(page, hits.of_engine_first(engine))
        if not (asked_for_login and wall.kind is WallKind.LOGIN)
    )
    if any(wall.scope is WallScope.PAGE for wall in found):
        return found
    # Where the software itself is understood, phrases of any site could only repeat or blur it.
    if hits.phrases and not found and not asked_for_login:
        found.extend(_by_phrases(page))
    if hits.notices and not asked_for_login:
        found.extend(hidden_parts(page, {wall.kind for wall in found}))
    if hits.password and not asked_for_login and (evidence := login_form(page, refused=status in (401, 403))):
        found.append(_wall(WallKind.LOGIN, evidence))
    if status in _REFUSALS and not any(wall.scope is WallScope.PAGE for wall in found):
        found.extend(_by_status(url, status, headers, page.offers_login() and not page.member, engine))
    return found


def _wall(kind: WallKind, evidence: str, scope: WallScope = WallScope.PAGE, engine: str = "generic") -> Wall:
    return Wall(kind, scope, evidence[:200], engine, OPENS_BY[kind])


def _without_body(
    url: str, status: int, headers: Mapping[str, str], final_url: str, engine: str
) -> list[Wall]:
    found: list[Wall] = []
    if 300 <= status < 400 and (location := headers.get("location", "")):
        found.extend(_by_target(url, location, f"status {status}, Location"))
    elif final_url:
        found.extend(_by_target(url, final_url, "redirected to"))
    if not found and status in _REFUSALS | {404}:
        found.extend(_by_status(url, status, headers, False, engine))
    if not found and status == 200 and headers.get("content-length") == "0" and wall_urls.is_download(url):
        found.append(_wall(WallKind.REFERER, "empty body"))
    return found


def _by_target(url: str, target: str, how: str) -> list[Wall]:
    """What it means to be sent to `target` when `url` was asked for."""
    for kind, is_such in _TARGETS:
        if is_such(target):
            return [] if is_such(url) else [_wall(kind, f"{how}: {target}")]
    if wall_urls.is_rules_page(target) and not wall_urls.is_rules_page(url):
        opens_by = "the operator reading and accepting the site's download rules"
        return [Wall(WallKind.PERMISSION, WallScope.PAGE, f"{how}: {target}"[:200], "nexusphp", opens_by)]
    return []


def _by_status(url: str, status: int, headers: Mapping[str, str], guest: bool, engine: str) -> list[Wall]:
    if status == 401:
        return [_wall(WallKind.LOGIN, f"status 401 {headers.get('www-authenticate', '')}".strip())]
    if status == 402:
        return [_wall(WallKind.PAY, "status 402")]
    if status == 403:
        if guest:
            return [_wall(WallKind.LOGIN, "status 403 and a login link")]
        return [_wall(WallKind.PERMISSION, "status 403")]
    if status == 404 and "action=dlattach" in url and (engine.startswith("smf") or ";" in url):
        # SMF answers 404 to whoever may not see an attachment.
        return [_wall(WallKind.LOGIN, "status 404 for an attachment", engine="smf")]
    return []


def _by_markers(page: WallPage, markers: Iterable[tuple[Marker, str]]) -> list[Wall]:
    found: list[Wall] = []
    texts: dict[str, list[tuple[LexborNode, str]]] = {}
    for marker, engine in markers:
        if marker.selector not in texts:
            texts[marker.selector] = page.nodes(marker.selector)
        for node, text in texts[marker.selector]:
            match = marker.words.search(text) if marker.words else None
            if (marker.words and not match) or (marker.link and not _has_link(node, marker.link)):
                continue
            kind = marker.member if marker.member and page.member else marker.kind
            needed = marker.needed.search(text) if marker.needed else None
            said = match.group() if match and len(match.group()) > 1 else text[:80]
            found.append(
                Wall(
                    kind=kind,
                    scope=marker.scope,
                    evidence=f"{marker.selector.split(',')[0]}: {said}"[:200],
                    engine=engine,
                    opens_by=marker.opens_by if kind is marker.kind else OPENS_BY[kind],
                    needed=next((group for group in needed.groups() if group), "").strip() if needed else "",
                )
            )
            break
    return found


def _has_link(node: LexborNode, link: str) -> bool:
    for element in [node, *node.css("a, form, img")[:50]]:
        attributes = element.attributes
        for name in ("href", "action", "src"):
            if link in (attributes.get(name) or "").replace("&amp;", "&"):
                return True
    return False


def _by_phrases(page: WallPage) -> list[Wall]:
    """Phrases of any site: in a heading or message box, or anywhere when the page says nothing else."""
    boxes = [(node.tag, text) for node, text in page.nodes(BOXES) if 0 < len(text) <= _NOTICE]
    if len(page.text) <= _NOTICE:
        boxes.append(("body", page.text))
    joined = "\n".join(text for _, text in boxes)
    # A thread's title often says that a reply opens it, also where we have replied long ago.
    notices = "\n".join(text for tag, text in boxes if tag not in _HEADINGS)
    scope = WallScope.PAGE if page.is_short else WallScope.PART
    found = []
    for kind in phrase_kinds(joined):
        if kind is WallKind.LOGIN and page.member:
            continue
        said = notices if kind is WallKind.REPLY else joined
        for match in PHRASES_BY_KIND[kind].finditer(said):
            if not _TO_WRITE.match(said, match.end()):
                found.append(_wall(kind, f"text: {match.group()}", scope))
                break
    return found


def _in_order(found: list[Wall]) -> list[Wall]:
    """One wall of each kind and scope, whole pages before parts; a whole-page wall stands for its parts."""
    first: dict[tuple[WallKind, WallScope], Wall] = {}
    for wall in found:
        first.setdefault((wall.kind, wall.scope), wall)
    for kind in WallKind:
        if (kind, WallScope.PAGE) in first:
            first.pop((kind, WallScope.PART), None)
    return sorted(first.values(), key=lambda wall: (wall.scope is WallScope.PART, _ORDER[wall.kind]))
