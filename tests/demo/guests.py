"""What a guest of the demo forum may know of its walls."""

from __future__ import annotations

import re
from collections.abc import Hashable

from harvester.demo.forum_threads import compose
from harvester.demo.truth import TruthRow
from tests.replay.recording import loose_key

_MEMBERS = frozenset(thread.tid for thread in compose() if thread.board.members)


def guest_walls(row: TruthRow) -> frozenset[str]:
    """The walls that a guest's crawl may record for a row of the forum's truth.

    Threads of the members' board are linked from nowhere that a guest sees: nothing is asked for them (the
    board itself, `forum-50-1.html`, is a login wall).
    """
    tid = int(row.page_url.rpartition("/thread-")[2].partition("-")[0])
    return frozenset() if tid in _MEMBERS else frozenset({row.wall})


def place(url: str) -> Hashable:
    """Equal for both spellings of a thread's address: `thread-12-1-1.html`, `?mod=viewthread&tid=12`."""
    found = re.search(r"/thread-(\d+)-\d+-\d+\.html|mod=viewthread.*?[?&]tid=(\d+)", url)
    return ("thread", found[1] or found[2]) if found else loose_key(url)
