from __future__ import annotations

import time

import pytest

from harvester.links.extract import extract_links
from harvester.text.bombs import MAX_HTML, MAX_TAGS, defused

HOSTILE = {
    "nested": "<div>" * 400_000,
    "nested and closed": "<div>" * 200_000 + "</div>" * 200_000,
    "formatting": "".join(f"<font id={n}>" for n in range(2_000)) + "<p>x" * 100_000,
    "attributes": "<a " + " ".join(f"a{n}=1" for n in range(200_000)) + ">",
    "attributes behind a quoted bracket": '<a x=">" ' + " ".join(f"<a{n}" for n in range(200_000)) + ">",
    "links in each other": "<a href=x><object>" * 50_000 + "t" * 100_000,
    "brackets": "magnet: http://x/" + ")" * 1_000_000,
    "quotes": "<script>magnet" + '"\\"' * 300_000,
    "names": "ed2k://|file|" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_costs_no_more_than_its_size(name: str) -> None:
    before = time.process_time()
    extract_links(HOSTILE[name], "http://a.example/")
    # 1-2 s each on a slow machine; the square would be minutes
    assert time.process_time() - before < 10


def test_links_below_too_many_elements_are_still_read() -> None:
    page = extract_links("<div>" * 50_000 + "<a href=deep>x</a>", "http://a.example/")
    assert [link.url for link in page.links] == ["http://a.example/deep"]


def test_an_ordinary_page_is_not_touched() -> None:
    html = "<table>" + "<tr><td><b>x</b><a href=a>y</a><br><img src=z></td></tr>" * 300 + "</table>"
    assert defused(html) == (html, False)


def test_a_page_beyond_the_bounds_is_cut_and_said() -> None:
    html, cut = defused("x" * (MAX_HTML + 1))
    assert (len(html), cut) == (MAX_HTML, True)
    html, cut = defused("<p>" * (MAX_TAGS + 5))
    assert (html.count("<"), cut) == (MAX_TAGS, True)
