"""What the demo forum sells for points, as Discuz does: a form shows the price, a POST of it pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harvester.demo.forum_threads import Thread

UNIT = "金钱"
PURSE = 100


@dataclass(slots=True)
class Purse:
    """The member's points, and what was bought; `asked` are the items whose form was shown."""

    points: int = PURSE
    bought: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def owns(self, thread: Thread) -> bool:
        """Whether the member paid for what a thread sells."""
        return item_of(thread) in self.bought

    def pay(self, thread: Thread) -> str:
        """Take the price; what the forum says of it."""
        item = item_of(thread)
        if item in self.bought:
            return "您已购买过，请不要重复购买"
        if self.points < thread.price:
            return f"抱歉，您的{UNIT}不足，无法购买"
        self.points -= thread.price
        self.bought.append(item)
        return "购买成功，现在将转入主题页"


def item_of(thread: Thread) -> str:
    """The identity of what a thread sells."""
    aid = thread.opening.offers[0].aid
    return f"thread:{thread.tid}" if thread.sold == "thread" else f"attachment:{aid}"


def sold_by(threads: Mapping[int, Thread], params: Mapping[str, str]) -> Thread | None:
    """The thread whose attachment, or which itself, a request wants to pay for."""
    wanted = "thread" if params.get("action") == "pay" else "attachment"
    tid, aid = params.get("tid", ""), params.get("aid", "")
    for thread in threads.values():
        if thread.sold != wanted:
            continue
        if tid == str(thread.tid) if wanted == "thread" else aid == str(thread.opening.offers[0].aid):
            return thread
    return None
