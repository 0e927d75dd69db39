"""A session that ended is noticed, and a wall that stands for members too is not taken for it."""

from __future__ import annotations

import pytest

from harvester.access.expiry import session_ended
from harvester.access.membership import Seen
from harvester.model.wall import Wall, WallKind, WallScope


def wall(kind: WallKind, scope: WallScope = WallScope.PAGE) -> list[Wall]:
    return [Wall(kind, scope, "evidence", "generic", "")]


@pytest.mark.parametrize(
    ("walls", "seen", "proved", "ended"),
    [
        (wall(WallKind.LOGIN), Seen.GUEST, True, True),
        (wall(WallKind.LOGIN), Seen.UNKNOWN, False, True),
        (wall(WallKind.LOGIN, WallScope.PART), Seen.UNKNOWN, True, True),
        (wall(WallKind.LOGIN), Seen.MEMBER, True, False),
        (wall(WallKind.PERMISSION), Seen.MEMBER, True, False),
        (wall(WallKind.PERMISSION), Seen.GUEST, True, True),
        (wall(WallKind.PERMISSION), Seen.UNKNOWN, True, False),
        ([], Seen.GUEST, True, True),
        ([], Seen.GUEST, False, False),
        ([], Seen.UNKNOWN, True, False),
    ],
)
def test_when_a_session_has_ended(walls: list[Wall], seen: Seen, proved: bool, ended: bool) -> None:
    assert bool(session_ended(walls, seen, proved=proved)) is ended
