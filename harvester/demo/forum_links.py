"""The demo forum's download links: attachment tokens, GBK file names, thunder links."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from harvester.demo.forum_session import Visitor, short_digest
from harvester.demo.forum_threads import Offer, Thread
from harvester.demo.truth import TruthRow

CHARSET = "gbk"
TOKENS_FROM = 1_796_063_592
"""Seconds UTC that the times in tokens count from."""


def make_token(aid: int, tid: int, uid: int, moment: int) -> str:
    """Discuz's `aid|key|time|uid|tid`, in base64; `moment` makes every view's token another one."""
    when = TOKENS_FROM + moment
    key = short_digest(f"{aid}:{when}:{uid}:{tid}", 8)
    return base64.b64encode(f"{aid}|{key}|{when}|{uid}|{tid}".encode()).decode()


def read_token(token: str) -> tuple[int, int]:
    """The (aid, uid) of a token of ours.

    Raises ValueError for any other text.
    """
    aid, _, when, uid, tid = base64.b64decode(token, validate=True).decode("ascii").split("|")
    if token != make_token(int(aid), int(tid), int(uid), int(when) - TOKENS_FROM):
        raise ValueError(token)
    return int(aid), int(uid)


def file_path(offer: Offer) -> bytes:
    """The path of a file that a thunder link leads to, as raw GBK bytes."""
    return f"/down/{offer.entry.file_name}".encode(CHARSET, "xmlcharrefreplace")


def file_target(offer: Offer) -> str:
    """The same path, percent-encoded."""
    return quote(file_path(offer), safe="/")


def thunder_link(origin: str, offer: Offer) -> str:
    """`thunder://` over the file's URL with raw GBK bytes in its path, as site software writes it."""
    return "thunder://" + base64.b64encode(b"AA" + origin.encode() + file_path(offer) + b"ZZ").decode()


def disposition(offer: Offer) -> bytes:
    """A Content-Disposition with raw GBK bytes; two of five also carry `filename*`, as newer versions do."""
    name = offer.entry.file_name
    raw = b'attachment; filename="' + name.encode(CHARSET, "replace").replace(b'"', b"") + b'"'
    if offer.aid % 5 < 2:
        raw += f"; filename*=utf-8''{quote(name, safe='')}".encode("ascii")
    return raw


@dataclass(frozen=True, slots=True)
class Shown:
    """An offer as one visitor sees it: `locked` and `refused` show a box, the others the link."""

    part: str
    state: Literal["plain", "locked", "opened", "refused", "sold"]
    link: str = ""
    label: str = ""
    note: str = ""
    aid: int = 0
    price: int = 0


def shown_offer(
    origin: str, thread: Thread, offer: Offer, visitor: Visitor, opened: bool, moment: int, paid: bool = True
) -> Shown:
    """How a visitor sees an offer; `opened`: they replied in the thread, `paid`: what it sells is theirs."""
    if thread.sold and not paid:
        note = f"{len(offer.entry.seed.data) / 1024:.1f} KB"
        return Shown(thread.sold, "sold", "", offer.entry.file_name, note, offer.aid, thread.price)
    if offer.hidden and not opened:
        return Shown(offer.part, "locked")
    state: Literal["plain", "opened"] = "opened" if offer.hidden else "plain"
    seed = offer.entry.seed
    if offer.part == "magnet":
        return Shown("magnet", state, seed.magnet(), note="磁力链接")
    if offer.part == "plainhash":
        return Shown("plainhash", state, label=seed.infohash.upper())
    if offer.part == "ed2k":
        digest = hashlib.md5(seed.data, usedforsecurity=False).hexdigest().upper()
        name = quote(offer.entry.title.replace("|", " "))
        return Shown("ed2k", state, f"ed2k://|file|{name}|{seed.size}|{digest}|/", note="电驴")
    if offer.part == "thunder":
        return Shown("thunder", state, thunder_link(origin, offer), seed.name)
    if offer.wall == "login" and not visitor.uid and offer.aid % 2:
        return Shown("attachment", "refused")
    token = quote(make_token(offer.aid, thread.tid, visitor.uid, moment), safe="")
    note = f"{len(seed.data) / 1024:.1f} KB, 下载次数: {offer.aid * 7 % 90}"
    return Shown("attachment", state, token, offer.entry.file_name, note, offer.aid)


def truth_of(origin: str, thread: Thread, offer: Offer) -> TruthRow:
    """What an offer really is, and who gets it."""
    assert offer.part != "ed2k"
    page_url = f"{origin}/thread-{thread.tid}-1-1.html"
    url, fetched = page_url, "-"
    if offer.part == "attachment":
        token = quote(make_token(offer.aid, thread.tid, 0, 0), safe="")
        url = f"{origin}/forum.php?mod=attachment&aid={token}"
        fetched = {"none": "anon", "login": "login", "pay": "not-fetched"}.get(offer.wall, "reply")
    elif offer.part == "thunder":
        url = origin + file_target(offer)
    return TruthRow(offer.entry.seed.infohash, url, offer.wall, page_url, offer.part, fetched)
