"""A wall: what stands between a visitor and what a page or download would show."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class WallKind(StrEnum):
    """The walls that Harvest tells apart; the values are stable words for counting and storing."""

    LOGIN = "login"
    REPLY = "reply"
    PAY = "pay"
    PERMISSION = "permission"
    CAPTCHA = "captcha"
    SECOND_FACTOR = "second_factor"
    CHALLENGE = "challenge"
    BAN = "ban"
    MODERATION = "moderation"
    REFERER = "referer"
    ROBOTS = "robots"
    PASSWORD = "password"  # noqa: S105 - a board's own password as the name of a wall, no secret


class WallScope(StrEnum):
    """`page`: nothing of what was asked for is shown; `part`: the page is readable, a part of it is not."""

    PAGE = "page"
    PART = "part"


class Wall(Struct, frozen=True):
    """One wall found in one answer.

    `evidence` is the marker that was met (a text, a selector or a header), `engine` the family whose
    marker it is (`generic` for none), `opens_by` says in plain words what would open it. `needed` is what
    the wall asks for where it says so (`100` points, a read level), else empty.
    """

    kind: WallKind
    scope: WallScope
    evidence: str
    engine: str
    opens_by: str
    needed: str = ""
