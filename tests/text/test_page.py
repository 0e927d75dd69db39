"""Title, heading and main text are what a reader would say they are."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from harvester.text.fingerprint import NearDuplicates
from harvester.text.page import analyse
from tests.access.recordings import Answer, answers

ARTICLE = """<html lang="en"><head><title> Debian 13 &amp;
released </title><style>p{}</style></head><body>
<nav><a href=/>Home</a><a href=/a>About us and our mirrors</a></nav><ul><li><a href=/1>News</a><li><a href=/2>FAQ</a></ul>
<div id=c><h1>Debian 13 is out</h1><p>The project is proud to present this release, which <a href=/w>took two years</a>
and was made by many hands.</p><p>It can be downloaded from all the mirrors, and by torrent.</p></div>
<script>var main = "The text of a script is no text for a reader at all, however long it may be, is it?";</script>
<footer><p>All rights reserved, powered by nothing at all, and this line is longer than it ought to be.</p></footer>
</body></html>"""


def test_an_article_is_read_without_its_menus_scripts_and_footer() -> None:
    page = analyse(ARTICLE)
    assert page.title == "Debian 13 & released"
    assert page.heading == "Debian 13 is out"
    assert page.main_text.startswith("Debian 13 is out\nThe project is proud")
    assert page.main_text.endswith("and by torrent.")
    assert "took two years" in page.main_text
    assert page.language == "en"
    assert page.around == ""


def test_a_tree_of_the_caller_gives_the_same_and_is_only_read() -> None:
    tree = LexborHTMLParser(ARTICLE)
    before = tree.html
    assert analyse(ARTICLE, tree=tree) == analyse(ARTICLE)
    assert tree.html == before


def test_a_page_without_a_title_is_called_by_its_heading_or_its_address() -> None:
    assert analyse("<h2>Mirrors</h2>").title == "Mirrors"
    assert analyse("<p>x", url="https://example.org/files/%E7%94%B5%E5%BD%B1.html?x=1").title == "电影.html"
    assert analyse("").title == ""


def test_a_list_of_links_has_no_main_text_but_tells_what_is_around() -> None:
    page = analyse(
        "<ul>" + "".join(f"<li><a href=/t/{n}>topic about things {n}</a>" for n in range(30)) + "</ul>"
    )
    assert page.main_text == ""
    assert "topic about things 7" in page.around
    assert page.fingerprint.whole_page


def test_the_text_of_a_chinese_post_is_found() -> None:
    answer = next(a for a in answers("discuz35", "focus_anon") if a.topic == "28" and a.is_topic_page)
    page = analyse(answer.html)
    assert page.heading == "[剧集][2002]山海情 第28集 双语字幕 BT种子"
    assert "剧情简介：这是一个测试帖子" in page.main_text
    assert "扫一扫" not in page.main_text
    assert page.language == "zh-Hans"


@pytest.mark.parametrize(
    ("site", "text"),
    [("phpbb", "Release notes for"), ("mybb", "Release notes for"), ("machina", "Release notes for")],
)
def test_the_text_of_every_recorded_topic_is_found(site: str, text: str) -> None:
    topics = [a for a in answers(site, "focus_anon") if a.is_topic_page and text in a.html]
    assert len(topics) > 40
    assert [a.url for a in topics if text not in analyse(a.html).main_text] == []


def test_the_name_of_the_site_is_not_the_heading_of_a_topic() -> None:
    answer = next(a for a in answers("phpbb", "focus_anon") if a.topic == "37")
    assert analyse(answer.html).heading == "[BT] Big Buck Bunny S02E13 1080p"


def near_duplicates(site: str) -> list[tuple[str, str]]:
    """Pairs of recorded pages of different topics that are taken for the same, titles with digits aside."""
    seen = NearDuplicates()
    titles: dict[str, str] = {}
    pairs = []
    for answer in answers(site, "focus_anon"):
        if (
            not answer.is_topic_page
            or "page=" in answer.url.partition("extra=page")[2][4:]
            or "start=" in answer.url
        ):
            continue
        page = analyse(answer.html)
        titles[answer.url] = "".join(c for c in page.title if c.isalpha())
        first = seen.first_like(answer.url, page.fingerprint)
        if (
            first is not None
            and titles[first] != titles[answer.url]
            and topic_of(first) != topic_of(answer.url)
        ):
            pairs.append((first, answer.url))
    assert len(titles) > 40
    return pairs


def topic_of(url: str) -> str:
    return Answer(url, 200, {}, "").topic


@pytest.mark.parametrize("site", ["discuz35", "phpbb", "mybb", "machina"])
def test_topics_whose_titles_differ_in_words_are_no_near_duplicates(site: str) -> None:
    assert near_duplicates(site) == []


def test_the_same_topic_seen_again_with_other_counters_is_a_near_duplicate() -> None:
    anonymous = {
        a.topic: a for a in answers("discuz35", "anon") if "viewthread&tid=" in a.url and "page=" not in a.url
    }
    seen = NearDuplicates()
    again = 0
    for answer in answers("discuz35", "focus_anon"):
        if answer.is_topic_page and answer.topic in anonymous and "&page=" not in answer.url:
            seen.first_like(answer.url, analyse(answer.html).fingerprint)
            again += seen.first_like("again", analyse(anonymous[answer.topic].html).fingerprint) is not None
    assert again >= 1


PIECES = st.sampled_from(
    [
        "<div>",
        "</div>",
        "<p>",
        "<a href=x>",
        "</a>",
        "<h1>",
        "<title>",
        "<script>",
        "<td>",
        "text ",
        "电影",
        "\ud800",
        "<nav>",
        "<br>",
        "<",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES | st.text(max_size=8), max_size=60).map("".join), st.text(max_size=30))
def test_no_markup_makes_it_raise(html: str, url: str) -> None:
    page = analyse(html, url=url)
    assert len(page.title) <= 500
    assert "\n" not in page.title


@pytest.mark.parametrize(
    "piece", ["<a>x", "<nav>x", "<h1>", "<p>word ", "<div></z>", "<br>", "x ", "<a href=1>y</a>", "<td><a>z"]
)
def test_five_megabytes_take_bounded_time(piece: str) -> None:
    html = piece * (5_000_000 // len(piece))
    start = time.process_time()
    analyse(html)
    assert time.process_time() - start < 6
