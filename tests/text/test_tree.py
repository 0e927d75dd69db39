"""Pages are parsed within bounds, and real ones whole."""

from __future__ import annotations

import time

import pytest

from harvester.text.tree import parse_tree


def test_a_large_ordinary_page_is_parsed_whole() -> None:
    row = "<tr><td><p>one<br><a href=/t/{}><b>two</b></a><img src=x></td></tr>"
    html = "<table>" + "".join(row.format(n) for n in range(5_000)) + "</table><span id=end></span>"
    tree = parse_tree(html)
    assert len(tree.css("a")) == 5_000
    assert tree.css_first("#end") is not None


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<dl><dd><strong>",
        "<p><b id={}></p>",
        "<div></z>",
        "<x-y>",
        "<a href=1>",
        "<font size={}>",
        "<table><td>",
    ],
)
def test_five_megabytes_that_only_open_elements_take_bounded_time(piece: str) -> None:
    html = "".join(piece.replace("{}", str(n)) for n in range(5_000_000 // len(piece)))
    start = time.process_time()
    parse_tree(html)
    assert time.process_time() - start < 3
