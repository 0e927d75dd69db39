"""The content of a general forum that has a corner for torrents, apart from the software that shows it.

Most boards are for talk. Torrents are attachments of opening posts in a few boards, now and then of a later
post or in a board where nobody would look; some are posted twice, some are hidden until one replies, some
boards are for members.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar, Literal, TypeVar

from benchmarks.simulators import words
from benchmarks.simulators.base import SimTorrent, Simulator

Wall = Literal["", "reply", "login"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A torrent attached to a post, under a number of its own."""

    number: int
    torrent: SimTorrent
    thread: int


@dataclass(slots=True)
class Post:
    """One post; `text` is what it says, `wall` what hides its attachments."""

    number: int
    author: int
    text: str
    attachments: list[Attachment] = field(default_factory=list)
    wall: Wall = ""


@dataclass(slots=True)
class Thread:
    """A thread of one board, its posts in order."""

    number: int
    board: int
    title: str
    posts: list[Post]

    @property
    def author(self) -> int:
        """Who began it."""
        return self.posts[0].author


@dataclass(slots=True)
class Board:
    """A board; `share` of its threads carry torrents. Its threads, the latest first."""

    number: int
    name: str
    share: float
    members_only: bool = False
    parent: int = 0
    threads: list[Thread] = field(default_factory=list)


_BOARDS: tuple[tuple[str, int, float, bool, int], ...] = (
    # name, weight in threads, share with torrents, members only, index of its parent board + 1
    ("Announcements", 2, 0.0, False, 0),
    ("Welcome", 12, 0.0, False, 0),
    ("General talk", 34, 0.004, False, 0),
    ("Shared recordings", 9, 0.78, False, 0),
    ("Concerts", 4, 0.85, False, 4),
    ("Hardware", 14, 0.0, False, 0),
    ("Photography", 8, 0.02, False, 0),
    ("Requests and finds", 7, 0.2, False, 0),
    ("Members' lounge", 5, 0.3, True, 0),
    ("Off topic", 25, 0.002, False, 0),
)


class ForumSimulator(Simulator):
    """Content and paging that the forum families share; a family adds URLs and pages."""

    is_forum: ClassVar[bool] = True
    posts_per_page: ClassVar[int] = 10
    threads_per_page: ClassVar[int] = 20

    @property
    def talkativeness(self) -> float:
        """Posts of a thread on average."""
        return 7.0

    def build(self) -> None:
        """Users, boards, threads, posts, attachments, all numbered as a database would."""
        rng = self.random
        self.users = words.user_names(rng, self.scaled(450, 12))
        self.boards: dict[int, Board] = {}
        self.threads: dict[int, Thread] = {}
        self.posts: dict[int, Thread] = {}
        self.attachments: dict[int, Attachment] = {}
        self._sentences = [words.sentence(rng, 6, 30) for _ in range(300)]
        self._post_numbers, self._attachment_numbers = (
            count(rng.randint(100, 900)),
            count(rng.randint(40, 90)),
        )
        number = 2
        for name, _, share, members_only, parent in _BOARDS:
            over = list(self.boards)[parent - 1] if parent else 0
            self.boards[number] = Board(number, name, share, members_only, over)
            number += rng.choice((1, 1, 2, 5))
        weights = [weight for _, weight, *_ in _BOARDS]
        thread_number = rng.randint(50, 400)
        for board in rng.choices(list(self.boards.values()), weights=weights, k=self.scaled(1500, 40)):
            thread_number += rng.choice((1, 1, 1, 2, 3))
            thread = self._new_thread(thread_number, board)
            board.threads.append(thread)
            self.threads[thread_number] = thread
            self.posts.update((post.number, thread) for post in thread.posts)
        for board in self.boards.values():
            board.threads.sort(key=lambda thread: -thread.posts[-1].number)
        self.finish()

    def _new_thread(self, number: int, board: Board) -> Thread:
        rng = self.random
        carries = rng.random() < board.share
        length = 1 + min(int(rng.expovariate(1 / (self.talkativeness - 1))), 90)
        posts = [
            Post(next(self._post_numbers), self._author(rng), rng.choice(self._sentences))
            for _ in range(length)
        ]
        thread = Thread(number, board.number, words.title(rng), posts)
        if carries:
            self._attach(thread, posts[0])
            if rng.random() < 0.08:
                self._attach(thread, posts[0])
            if length > 2 and rng.random() < 0.07:
                self._attach(thread, posts[rng.randrange(1, length)])
            if rng.random() < 0.08:
                posts[0].wall = "reply"
            elif board.name == "Requests and finds" and rng.random() < 0.25:
                posts[0].wall = "login"
        return thread

    def _attach(self, thread: Thread, post: Post) -> None:
        torrent = (
            self.random.choice(list(self.torrents.values()))
            if self.torrents and self.random.random() < 0.04
            else self.add_torrent(f"{words.title(self.random)} {len(self.torrents)}")
        )
        attachment = Attachment(next(self._attachment_numbers), torrent, thread.number)
        self.attachments[attachment.number] = attachment
        post.attachments.append(attachment)

    def _author(self, rng: random.Random) -> int:
        """The number of a user (from 1); few write most."""
        return 1 + min(int(rng.expovariate(6 / len(self.users))), len(self.users) - 1)

    def finish(self) -> None:
        """What a family adds to the content."""

    # What pages need -------------------------------------------------------------------------------

    @abstractmethod
    def robots(self) -> str:
        """Forums ship one or none."""

    def user(self, number: int) -> str:
        """The name of a user."""
        return self.users[number - 1]

    def board_pages(self, board: Board) -> int:
        """How many pages the board's list has."""
        return max(1, -(-len(board.threads) // self.threads_per_page))

    def thread_pages(self, thread: Thread) -> int:
        """How many pages the thread has."""
        return -(-len(thread.posts) // self.posts_per_page)

    def page_of_post(self, number: int) -> int:
        """On which page of its thread a post stands."""
        numbers = [post.number for post in self.posts[number].posts]
        return 1 + numbers.index(number) // self.posts_per_page

    def top_boards(self) -> list[Board]:
        """Boards that the index shows; what is for members is not shown to guests by every software."""
        return [board for board in self.boards.values() if not board.parent]

    def sub_boards(self, board: Board) -> list[Board]:
        """Boards inside a board."""
        return [other for other in self.boards.values() if other.parent == board.number]

    def open_attachment(self, number: int) -> Attachment | None:
        """The attachment if a guest may have it."""
        attachment = self.attachments[number]
        thread = self.threads[attachment.thread]
        post = next(post for post in thread.posts if attachment in post.attachments)
        return None if post.wall or self.boards[thread.board].members_only else attachment


def slice_of(items: Sequence[T], number: int, size: int) -> Sequence[T]:
    """Page `number` (from 1) of `items`."""
    return items[(number - 1) * size : number * size]


def near(number: int, last: int, reach: int = 3) -> list[int]:
    """The page numbers that a pager shows around `number`: a window, the first and the last."""
    window = range(number - reach, number + reach + 1)
    return sorted({1, last, *window} & set(range(1, last + 1)))
