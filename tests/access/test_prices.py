"""A price counts where it stands with the link to a file, and nowhere else."""

from __future__ import annotations

import pytest

from harvester.access.login_plan import Read
from harvester.access.prices import may_tell_a_price, prices_beside
from harvester.text.tree import parse_tree

PAGE = "https://forum.example.org/read?t=1"
ONE, TWO = "https://forum.example.org/get?n=1", "https://forum.example.org/get?n=2"


def priced(body: str, *, asks_first: bool = False) -> dict[str, float | None]:
    page = Read(PAGE, f"<html><body>{body}</body></html>", "utf-8", parse_tree(body), 200)
    return prices_beside(page, {ONE, TWO}, asks_first=asks_first)


@pytest.mark.parametrize(
    ("beside", "price"),
    [
        ("售价: 5 金钱", 5.0),
        ("售价(金钱)：<strong>12</strong>", 12.0),
        ("[Price: 30 points]", 30.0),
        ("costs 7 credits", 7.0),
        ("需要支付 3 积分", 3.0),
        ("стоимость: 15 баллов", 15.0),
    ],
)
def test_a_price_beside_a_link_is_read(beside: str, price: float) -> None:
    assert may_tell_a_price(beside)
    assert priced(f"<p><a href='/get?n=1'>a.torrent</a> (20 KB) {beside}</p>") == {ONE: price}


@pytest.mark.parametrize(
    "body",
    [
        "<p><a href='/get?n=1'>a.torrent</a> 下载次数: 7</p>",
        "<p><a href='/get?n=1'>a.torrent</a> 售价: 0 金钱</p>",
        "<p>积分: 120</p><p><a href='/get?n=1'>a.torrent</a></p>",
        "<p><a href='/get?n=1'>What it costs to win: 12 points of view.torrent</a></p>",
        "<p><a href='/get?n=1'>a.torrent</a> the book's price was 30 dollars</p>",
        "<div>price list: 5 points</div>" + "<p>text</p>" * 60 + "<p><a href='/get?n=1'>a.torrent</a></p>",
    ],
)
def test_what_is_no_price_of_the_file_is_left_alone(body: str) -> None:
    assert priced(body) == {}


def test_of_several_files_in_one_box_the_price_is_of_the_one_before_it() -> None:
    box = "<a href='/get?n=1'>a.torrent</a> 2 KB<br><a href='/get?n=2'>b.torrent</a> 售价: 5 金钱"
    assert priced(f"<div>{box}</div>") == {TWO: 5.0}


def test_a_script_that_asks_about_points_marks_the_link_whatever_the_software() -> None:
    link = "<a href='/get?n=1' onclick=\"return creditconfirm('getattach')\">a.torrent</a>"
    assert priced(f"<p>{link}</p>", asks_first=True) == {ONE: None}
    sure = "<a href='/get?n=1' onclick=\"return confirm('This takes points from you')\">a.torrent</a>"
    assert priced(f"<p>{sure}</p>") == {ONE: None}


def test_where_a_form_asks_first_a_price_beside_a_link_is_no_danger() -> None:
    assert priced("<p><a href='/get?n=1'>a</a> 售价: 5 金钱</p>", asks_first=True) == {}
