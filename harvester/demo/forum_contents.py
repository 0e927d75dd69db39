"""What the demo forum holds: its boards and threads, their attachments and files, and the truth of it."""

from __future__ import annotations

from collections.abc import Sequence

from harvester.demo.catalogue import torrents_of
from harvester.demo.forum_links import file_path, truth_of
from harvester.demo.forum_threads import BOARDS, POINTS_BOARD, Board, Offer, Post, Thread, compose
from harvester.demo.truth import TruthRow


class Contents:
    """Threads by number, boards by number, attachments by theirs; with `points` there are things for sale."""

    def __init__(self, *, points: bool) -> None:
        self.threads = {thread.tid: thread for thread in compose(points=points)}
        self.boards = {board.fid: board for board in (*BOARDS, *([POINTS_BOARD] if points else []))}
        offered = [(thread, offer) for thread in self.threads.values() for offer in thread.opening.offers]
        self.attachments = {offer.aid: (thread, offer) for thread, offer in offered if offer.aid}
        self.files = {
            file_path(offer): offer.entry.seed.data for _, offer in offered if offer.part == "thunder"
        }

    def threads_of(self, board: Board) -> list[Thread]:
        """The threads of a board, the newest first."""
        return [thread for thread in reversed(self.threads.values()) if thread.board is board]

    def truth(self, origin: str) -> Sequence[TruthRow]:
        """Every torrent, thread by thread."""
        return [
            truth_of(origin, thread, offer)
            for thread in self.threads.values()
            for offer in thread.opening.offers
            if offer.part != "ed2k"
        ]

    def next_post(self) -> int:
        """The number of the next post."""
        return max(post.pid for thread in self.threads.values() for post in thread.posts) + 1

    def post_torrent(self) -> str:
        """A new thread with an attachment appears on top of the first board; the torrent's infohash."""
        threads = self.threads.values()
        offered = {offer.entry.seed.infohash for thread in threads for offer in thread.opening.offers}
        entry = next(entry for entry in torrents_of("music") if entry.seed.infohash not in offered)
        tid, aid = max(self.threads) + 1, max(self.attachments) + 1
        opening = Post(self.next_post(), 2, entry.title, (Offer(entry, "attachment", "none", aid),))
        thread = Thread(tid, BOARDS[0], entry.title, [opening])
        self.attachments[aid] = (thread, opening.offers[0])
        self.threads = {**self.threads, tid: thread}
        return entry.seed.infohash
