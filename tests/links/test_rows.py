from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from harvester.links.rows import Rows
from harvester.model.link import Row


def _rows(html: str) -> list[Row | None]:
    rows = Rows()
    return [rows.of(node) for node in LexborHTMLParser(html).tags("a")]


def test_the_list_with_the_most_rows_counts() -> None:
    row = "<tr><td><ul><li><a>edit</a></li><li><a>delete</a></li><li><a>x</a></li></ul></td></tr>"
    rows = _rows("<table>" + row * 5 + "</table>")
    assert rows == [Row(0, index) for index in range(5) for _ in range(3)]


def test_striped_rows_are_one_list() -> None:
    html = "".join(f"<div class='item row{n % 2}'><a>x</a></div>" for n in range(6))
    assert _rows(html) == [Row(0, n) for n in range(6)]
    html = "".join(f"<div class='row{n % 2}'><a>x</a></div>" for n in range(6))
    assert _rows(html) == [Row(0, n) for n in range(6)]


def test_bodies_of_one_row_each_are_rows() -> None:
    html = (
        "<table>"
        + "".join(f"<tbody id=t{n}><tr><td><a>x</a></td></tr></tbody>" for n in range(4))
        + "</table>"
    )
    assert _rows(html) == [Row(0, n) for n in range(4)]


def test_two_siblings_are_no_list() -> None:
    assert _rows("<ul><li><a>x</a></li><li><a>y</a></li></ul>") == [None, None]


def test_links_beside_each_other_are_a_list_of_their_own() -> None:
    assert _rows("<nav><a>1</a><a>2</a><a>3</a></nav>") == [Row(0, n) for n in range(3)]
