from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from harvester.links.places import Places
from harvester.model.link import Row


def _places(html: str) -> list[tuple[str, Row | None]]:
    places = Places()
    return [places.of(node, node.attributes) for node in LexborHTMLParser(html).tags("a")]


def test_the_path_names_elements_with_their_first_class() -> None:
    ((path, row),) = _places(
        "<div class='post odd' id=p1><p class=''><em><a class='x y'>t</a></em></p></div>"
    )
    assert path == "html/body/div.post/p/a.x"
    assert row is None


def test_numbers_and_stripes_do_not_change_a_path() -> None:
    paths = {path for path, _ in _places("<i><p class=row1><a>1</a></p><p class=row27><a>2</a></p></i>")}
    assert paths == {"html/body/p.row#/a"}
    assert {p for p, _ in _places("<p class=odd><a>1</a></p><p class=even><a>1</a></p>")} == {"html/body/p/a"}


def test_a_path_has_at_most_twelve_elements() -> None:
    ((path, _),) = _places("<div>" * 40 + "<a>x</a>")
    assert path == "/".join(["div"] * 11 + ["a"])


def test_the_list_with_the_most_rows_counts() -> None:
    row = "<tr><td><ul><li><a>edit</a></li><li><a>delete</a></li><li><a>x</a></li></ul></td></tr>"
    rows = [row for _, row in _places("<table>" + row * 5 + "</table>")]
    assert rows == [Row(0, index) for index in range(5) for _ in range(3)]


def test_striped_rows_are_one_list() -> None:
    html = "".join(f"<div class='item row{n % 2}'><a>x</a></div>" for n in range(6))
    assert [row for _, row in _places(html)] == [Row(0, n) for n in range(6)]
    html = "".join(f"<div class='row{n % 2}'><a>x</a></div>" for n in range(6))
    assert [row for _, row in _places(html)] == [Row(0, n) for n in range(6)]


def test_bodies_of_one_row_each_are_rows() -> None:
    html = (
        "<table>"
        + "".join(f"<tbody id=t{n}><tr><td><a>x</a></td></tr></tbody>" for n in range(4))
        + "</table>"
    )
    assert [row for _, row in _places(html)] == [Row(0, n) for n in range(4)]


def test_two_siblings_are_no_list() -> None:
    assert [row for _, row in _places("<ul><li><a>x</a></li><li><a>y</a></li></ul>")] == [None, None]


def test_links_beside_each_other_are_a_list_of_their_own() -> None:
    assert [row for _, row in _places("<nav><a>1</a><a>2</a><a>3</a></nav>")] == [Row(0, n) for n in range(3)]
