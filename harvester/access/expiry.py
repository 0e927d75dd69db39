"""Whether a page says that our session has ended."""

from __future__ import annotations

from collections.abc import Sequence

from harvester.access.membership import Seen
from harvester.model.wall import Wall, WallKind, WallScope


def session_ended(walls: Sequence[Wall], seen: Seen, *, proved: bool) -> str:
    """Why an answer to a member's request looks like one to a guest, "" when it does not.

    `seen` is for whom the page was made, `proved` that pages of this site have shown it before (a site that
    never shows it cannot stop showing it). A member's page that is walled is walled for members too.
    """
    if seen is Seen.MEMBER:
        return ""
    for wall in walls:
        if wall.kind is WallKind.LOGIN:
            return f"login wall: {wall.evidence}"[:120]
    if any(wall.scope is WallScope.PAGE for wall in walls):
        return "a wall, and no sign of us" if seen is Seen.GUEST and proved else ""
    return "the page is a guest's" if seen is Seen.GUEST and proved else ""
