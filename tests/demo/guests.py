"""What a guest of the demo forum may know of its walls."""

from __future__ import annotations

from harvester.demo.forum_threads import compose
from harvester.demo.truth import TruthRow

_MEMBERS = frozenset(thread.tid for thread in compose() if thread.board.members)


def guest_walls(row: TruthRow) -> frozenset[str]:
    """The walls that a guest's crawl may record for a row of the forum's truth.

    Threads of the members' board are linked from nowhere that a guest sees: nothing is asked for them (the
    board itself, `forum-50-1.html`, is a login wall).
    """
    tid = int(row.page_url.rpartition("/thread-")[2].partition("-")[0])
    return frozenset() if tid in _MEMBERS else frozenset({row.wall})
