"""One scan of a page finds the triggers of all markers, however large the page is."""

from __future__ import annotations

import random
import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from harvester.access.marker_table import Hits, load_markers, scan
from harvester.access.wall_markers import generic


def test_a_page_without_any_trigger_gives_no_reason_to_look() -> None:
    hits = scan("<p>Debian 13 is out</p><a href=/a.torrent>download</a>")
    assert hits == Hits()
    assert not hits


def test_a_trigger_at_the_end_of_five_random_megabytes_is_found() -> None:
    noise = random.Random(5).randbytes(3_700_000).decode("latin-1")
    assert scan(noise + "<div id='messagetext'>").markers


def test_markers_of_the_hinted_family_come_first() -> None:
    hits = scan("class=locked id=messagetext class=embedded error_nopermission")
    families = [family for _, family in hits.of_engine_first("mybb")]
    assert families[0] == "mybb"
    assert len(families) == len(hits.markers)
    assert next(iter(hits.of_engine_first("discuz35")))[1] == "discuz"


@pytest.mark.parametrize("family", sorted({family for _, family in load_markers()}))
def test_the_markers_of_a_family_can_be_met(family: str) -> None:
    tree = LexborHTMLParser("<p>x</p>")
    for marker, its_family in load_markers():
        if its_family == family:
            assert marker.selector
            tree.css(marker.selector)
            assert marker.words or marker.link or "[" in marker.selector or "#" in marker.selector
            # Descendant selectors take exponential time on nested markup.
            assert not re.search(r"[\w\])] +[^,\s]", marker.selector), marker.selector


def test_every_phrase_of_any_site_has_a_trigger() -> None:
    examples = [
        "You have been banned", "您的账号已被封禁", "Reply to see this hidden content", "回复后可见", "Two-factor authentication",
        "请输入验证码", "You must be logged in", "请先登录", "登录后才能查看", "Необходимо войти", "ログインが必要です", "Not enough points",
        "积分不足", "awaiting approval", "等待审核", "Hotlinking is not allowed", "禁止盗链", "You do not have permission", "权限不足",
        "Доступ запрещён", "您需要 <a href=x>登录</a> 才可以下载",
    ]  # fmt: skip
    assert [text for text in examples if not scan(text).phrases] == []
    assert {kind for kind, _ in generic.PHRASES} >= {"login", "reply", "pay", "permission", "ban"}
