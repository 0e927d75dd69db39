"""The shape of a wall marker: what must be met in a page for a wall to be named."""

from __future__ import annotations

import re

from msgspec import Struct

from harvester.model.wall import WallKind, WallScope

OPENS_BY = {
    WallKind.LOGIN: "logging in with an account of this site",
    WallKind.REPLY: "a reply in this thread",
    WallKind.PAY: "paying points, within the limit of the site file",
    WallKind.PERMISSION: "an account with more rights",
    WallKind.CAPTCHA: "a captcha answered by the operator",
    WallKind.SECOND_FACTOR: "the second factor of the account",
    WallKind.CHALLENGE: "the operator's own browser: log in there and import its cookies",
    WallKind.BAN: "nothing: the site has shut this visitor out",
    WallKind.MODERATION: "a moderator of the site, in time",
    WallKind.REFERER: "the address of the page that links here, sent as Referer",
    WallKind.ROBOTS: "the operator's recorded decision in the site file",
    WallKind.PASSWORD: "the password of this board or post",
}


class Marker(Struct, frozen=True):
    """One marker.

    `trigger`: RE2 pattern over the HTML source, ignoring case; without it nothing else is looked at, so it
    is short and rare on pages without the wall. `selector`: CSS; one of its nodes must satisfy `words` (a
    pattern over the node's text, white space collapsed) and `link` (a part of the href or action of the
    node or of one inside it). An empty selector asks nothing of the structure: only for strings that no
    visitor can write. `needed`: pattern with one group over the node's text. `member`: the kind instead,
    when the page shows a way to log out.
    """

    kind: WallKind
    scope: WallScope
    trigger: str
    selector: str = ""
    words: re.Pattern[str] | None = None
    link: str = ""
    needed: re.Pattern[str] | None = None
    member: WallKind | None = None
    opens_by: str = ""


def page(
    kind: WallKind,
    trigger: str,
    selector: str = "",
    words: str = "",
    *,
    link: str = "",
    needed: str = "",
    member: WallKind | None = None,
    opens_by: str = "",
) -> Marker:
    """A marker of a wall before the whole page."""
    return _marker(kind, WallScope.PAGE, trigger, selector, words, link, needed, member, opens_by)


def part(
    kind: WallKind,
    trigger: str,
    selector: str = "",
    words: str = "",
    *,
    link: str = "",
    needed: str = "",
    member: WallKind | None = None,
    opens_by: str = "",
) -> Marker:
    """A marker of a wall before a part of a readable page."""
    return _marker(kind, WallScope.PART, trigger, selector, words, link, needed, member, opens_by)


def _marker(
    kind: WallKind,
    scope: WallScope,
    trigger: str,
    selector: str,
    words: str,
    link: str,
    needed: str,
    member: WallKind | None,
    opens_by: str,
) -> Marker:
    return Marker(
        kind=kind,
        scope=scope,
        trigger=trigger,
        selector=selector,
        words=re.compile(words, re.IGNORECASE) if words else None,
        link=link,
        needed=re.compile(needed, re.IGNORECASE) if needed else None,
        member=member,
        opens_by=opens_by or OPENS_BY[kind],
    )
