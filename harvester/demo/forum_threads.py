"""The Chinese demo forum's boards, threads and attachments, composed from the catalogue.

A plan string holds one letter a thread:

    a  one attachment            m  a magnet               A  an attachment that guests may not download
    3  three attachments         t  a thunder link         r  a [hide] block with an attachment
    e  attachment and ed2k link  h  a labelled infohash    R  a [hide] block with a magnet
    -  chat, no torrent

and on the board that only `compose(points=True)` has:

    s  an attachment for points   S  a thread for points   x  an attachment for many points
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from harvester.demo.catalogue import Entry, Topic, torrents_of
from harvester.demo.truth import Wall

Part = Literal["attachment", "magnet", "thunder", "plainhash", "ed2k"]


@dataclass(frozen=True, slots=True)
class Board:
    """One board; `members` means that guests meet the login wall."""

    fid: int
    name: str
    about: str
    members: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """One torrent in a post: how it is offered, behind which wall; `aid` is 0 for what is no attachment."""

    entry: Entry
    part: Part
    wall: Wall
    aid: int = 0
    hidden: bool = False


@dataclass(slots=True)
class Post:
    """One post; `uid` is its author's."""

    pid: int
    uid: int
    text: str
    offers: tuple[Offer, ...] = ()


@dataclass(slots=True)
class Thread:
    """One thread; the first post is the opening one."""

    tid: int
    board: Board
    title: str
    posts: list[Post] = field(default_factory=list)
    sold: Literal["", "attachment", "thread"] = ""
    price: int = 0

    @property
    def opening(self) -> Post:
        """The first post."""
        return self.posts[0]


BOARDS = (
    Board(2, "Linux 与自由软件", "发行版镜像与自由软件的种子"),
    Board(36, "公有领域影音", "已进入公有领域的电影，以及 Blender 开放电影"),
    Board(37, "开放图书与数据", "公版电子书、维基转储与开放数据集"),
    Board(40, "灌水闲聊", "谈天说地，不发资源"),
    Board(50, "会员资源区", "会员之间的分享与交流", members=True),
)

POINTS_BOARD = Board(60, "积分资源区", "用积分换资源", members=True)
_POINTS_PLAN = "sSxa"
_PRICES = {"s": 3, "S": 5, "x": 40}

USERS = {
    1: "admin", 2: "深蓝", 3: "企鹅爱好者", 4: "胶片修复师", 5: "藏书阁主", 6: "数据搬运工", 7: "demo",
    8: "路过的猫", 9: "晚风", 10: "老张",
}  # fmt: skip

_PLANS = {
    2: "aaa-aa3maataahaae-aarAa",
    36: "aatm-ahtrme3aRt-aamAhea",
    37: "amh-aRAtaahm-ar",
    50: "aamthrAa",
}
_TOPICS: dict[int, tuple[Topic, ...]] = {
    2: ("software",),
    36: ("film",),
    37: ("book", "data"),
    50: ("music", "film"),
    60: ("data",),
}

_CHAT = (
    "新人报到，请多关照", "大家都用什么桌面环境？", "周末看了一部默片", "求推荐适合入门的发行版",
    "论坛改版建议", "老硬盘还能救吗", "今天的晚霞真好看", "有人去开源年会吗",
    "版规说明（必读）", "键盘换轴体的心得",
    "做种率怎么算", "分享一张壁纸", "猫又把网线咬断了", "编译内核踩坑记", "读书会第三期招募",
)  # fmt: skip
_REPLIES = (
    "感谢楼主分享！", "收下了，正在下载。", "做种中，欢迎来连。",
    "好资源，顶一下。", "辛苦了，先收藏。", "学习了，谢谢。",
)  # fmt: skip

LONG_THREAD_POSTS = 26
CHAT_THREADS = 24


class _Composer:
    """Gives out ids and catalogue entries while threads are made."""

    def __init__(self) -> None:
        self.tid = self.pid = self.aid = 0
        self.threads: list[Thread] = []
        self._entries: dict[Topic, Iterator[Entry]] = {}

    def take(self, topic: Topic) -> Entry:
        if topic not in self._entries:
            self._entries[topic] = iter(torrents_of(topic))
        return next(self._entries[topic])

    def post(self, uid: int, text: str, offers: tuple[Offer, ...] = ()) -> Post:
        self.pid += 1
        return Post(self.pid, uid, text, offers)

    def offer(self, entry: Entry, part: Part, wall: Wall, *, hidden: bool = False) -> Offer:
        aid = 0
        if part == "attachment":
            self.aid += 1
            aid = self.aid
        return Offer(entry, part, wall, aid, hidden)

    def chat(self, board: Board, number: int, replies: int) -> None:
        self.tid += 1
        title = _CHAT[number % len(_CHAT)]
        if number >= len(_CHAT):
            title = f"{title}（续 {number // len(_CHAT)}）"
        posts = [self.post(8 + number % 3, f"{title}。大家怎么看？")]
        posts += [
            self.post(2 + (number + i) % 9, _REPLIES[(number + i) % len(_REPLIES)]) for i in range(replies)
        ]
        self.threads.append(Thread(self.tid, board, title, posts))

    def torrents(self, board: Board, letter: str, number: int) -> None:
        topics = _TOPICS[board.fid]
        topic = topics[number % len(topics)]
        entries = [self.take(topic) for _ in range(3 if letter == "3" else 1)]
        price = _PRICES.get(letter, 0)
        wall: Wall = "pay" if price else "login" if board.members or letter == "A" else "none"
        hidden = letter in "rR"
        if hidden:
            wall = "login+reply" if board.members else "reply"
        parts: dict[str, Part] = {"m": "magnet", "R": "magnet", "t": "thunder", "h": "plainhash"}
        part = parts.get(letter, "attachment")
        offers = [self.offer(entry, part, wall, hidden=hidden) for entry in entries]
        if letter == "e":
            offers.append(self.offer(entries[0], "ed2k", wall))
        title = entries[0].title if len(entries) == 1 else f"{entries[0].title} 等 {len(entries)} 个种子合集"
        text = "\n".join(
            f"【名称】{entry.title}\n【大小】{entry.seed.size / 2**20:.0f} MB" for entry in entries
        )
        self.tid += 1
        posts = [self.post(2 + number % 5, f"{text}\n内容可以自由传播，欢迎做种。", tuple(offers))]
        posts += [self.post(8 + (number + i) % 3, _REPLIES[(number + i) % 6]) for i in range(number % 4)]
        sold: Literal["", "attachment", "thread"] = ""
        if price:
            sold = "thread" if letter == "S" else "attachment"
        self.threads.append(Thread(self.tid, board, title, posts, sold, price))


def compose(*, points: bool = False) -> list[Thread]:
    """Every thread, the same at each call, in order of tid; with `points` also what is sold for some."""
    composer = _Composer()
    plans = [(board, _PLANS.get(board.fid, "-" * CHAT_THREADS)) for board in BOARDS]
    for board, plan in [*plans, (POINTS_BOARD, _POINTS_PLAN)] if points else plans:
        for number, letter in enumerate(plan):
            if letter == "-":
                long = board.fid == 40 and number == 5
                composer.chat(board, number, LONG_THREAD_POSTS if long else number % 5)
            else:
                composer.torrents(board, letter, number)
    return composer.threads
