"""The search page without a script."""

from __future__ import annotations

import pytest
from parsel import Selector

from tests.web.collection import HOSTILE, Served, hex_of


def page(web: Served, path: str = "/", scope: str = "", **given: object) -> Selector:
    """A page, which has to be there."""
    answer = web.get(path, scope, **given)
    assert answer.status_code == 200
    return Selector(answer.text)


def names(shown: Selector) -> list[str]:
    return ["".join(one.css("::text").getall()) for one in shown.css(".rows .name")]


def test_rows_say_what_people_look_for(web: Served) -> None:
    row = page(web, q="server").css(".row")
    assert "".join(row.css(".name ::text").getall()) == "Ubuntu 24.04 server"
    assert row.css(".name mark::text").getall() == ["server"]
    facts = " ".join(row.css(".facts ::text").getall())
    assert "2.4 GiB" in facts
    assert "2 files" in facts
    assert "2027-01-15" in facts
    assert "forum" in facts
    assert row.css(".take a::attr(href)").getall() == [
        f"magnet:?xt=urn:btih:{hex_of('Ubuntu 24.04 server')}&dn=Ubuntu%2024.04%20server",
        f"/torrents/{hex_of('Ubuntu 24.04 server')}.torrent",
    ]


def test_a_row_says_why_it_is_there_when_its_name_does_not(web: Served) -> None:
    assert page(web, q="电视剧").css(".reason mark::text").getall() == ["電視劇"]


@pytest.mark.parametrize("query", ["", HOSTILE[:40], "script", '"><script>alert(1)</script>'])
def test_names_and_queries_are_escaped_everywhere(web: Served, query: str) -> None:
    for path in ("/", "/results"):
        text = web.get(path, q=query).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "onerror=alert" not in Selector(text).xpath("//@*").getall()


def test_values_of_facets_lead_to_searches_with_them_and_back(web: Served) -> None:
    shown = page(web)
    chinese = shown.css(".facets a[href*='lang=zh']::attr(href)").get("")
    filtered = page(web, chinese)
    assert names(filtered) == ["红楼梦 全集"]
    assert filtered.css(".facets a[aria-current] .value::text").getall() == ["Chinese"]
    assert filtered.css("form.ask input[name=lang]::attr(value)").get() == "zh"
    assert len(names(page(web, filtered.css(".chip::attr(href)").get("")))) == 6


def test_a_wrong_query_is_shown_where_it_is_wrong(web: Served) -> None:
    shown = page(web, q="ubuntu (server")
    assert "not closed" in " ".join(shown.css(".fault ::text").getall())
    assert shown.css(".fault mark::text").get() == "(server"


@pytest.mark.parametrize("path", ["/", "/results"])
@pytest.mark.parametrize(
    "query",
    [
        "offset=-1", "offset=99999999999", "offset=x", "after=date.1",
        "sort=date&after=date.99999999999999999999",
        "sort=nonsense", "sort=size&after=size.-5", "site=" + "x" * 500, "q=" + "x" * 1000, "private=maybe",
        "q=%00", "q=%ff%fe", "lang=&lang=&ext=..", "q=%F0%9F%98%80",
    ],
)  # fmt: skip
def test_odd_addresses_are_answered(web: Served, path: str, query: str) -> None:
    assert web.client.get(f"{path}?{query}").status_code == 200


def test_more_leads_to_the_rest(web: Served) -> None:
    shown = page(web, offset="3")
    assert len(names(shown)) == 3
    assert shown.css(".pages a::attr(href)").get() == "/"


def test_private_torrents_are_marked_and_for_the_operator_only(web: Served) -> None:
    assert "Secret holiday" not in names(page(web))
    shown = page(web, "/", "operate", q="holiday")
    assert names(shown) == ["Secret holiday"]
    assert shown.css(".badge.private")


def test_no_page_needs_anything_from_elsewhere_or_inline(web: Served) -> None:
    for path in ("/", "/sites", "/sites/forum", "/login", f"/torrents/{hex_of(HOSTILE)}"):
        shown = page(web, path)
        assert not shown.css("style, script:not([src])")
        assert not shown.xpath("//@style | //@*[starts-with(name(), 'on')]")
        linked = shown.css("link:not([rel=alternate])::attr(href)").getall()
        assets = shown.css("script::attr(src), img::attr(src)").getall() + linked
        assert assets
        assert all(one.startswith("/static/") and web.get(one).status_code == 200 for one in assets)


def test_asking_is_counted_and_typing_is_not(own: Served) -> None:
    own.get("/results", q="ubu")
    assert own.get("/asked", q="debian").status_code == 204
    own.get("/", q="ubuntu")
    own.get(f"/torrents/{hex_of('Ubuntu 24.04 server')}", q="ubuntu")
    own.client.app.state.services.queries.flush(5.0)  # type: ignore[attr-defined]  # the client keeps its app
    assert [(one.query, one.asked, one.opened) for one in own.store.query_counts()] == [
        ("debian", 1, 0),
        ("ubuntu", 1, 1),
    ]


@pytest.mark.parametrize(
    ("accepted", "language"), [("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("de,en;q=0.5", "en"), ("", "en")]
)
def test_the_page_speaks_what_the_browser_asks_for(web: Served, accepted: str, language: str) -> None:
    answer = web.client.get("/", headers={"Accept-Language": accepted})
    assert Selector(answer.text).css("html::attr(lang)").get() == language


def test_a_chosen_language_wins_and_leads_back(own: Served) -> None:
    answer = own.client.get("/language/zh?back=/%3Fq%3Dubuntu", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?q=ubuntu")
    assert Selector(own.get("/").text).css("html::attr(lang)").get() == "zh"


@pytest.mark.parametrize(
    "back",
    ["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)",
     "/a\r\nSet-Cookie: x=y", "/\t/evil.example", "evil.example", "", "/é"],
)  # fmt: skip
def test_nothing_redirects_elsewhere(web: Served, back: str) -> None:
    answer = web.client.get("/language/en", params={"back": back}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
