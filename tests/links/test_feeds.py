from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.links import feeds
from harvester.links.feeds import extract_feed
from harvester.model.link import LinkKind, LinkSource, Row
from tests.links.vectors import FILE, HASH, MAGNET, thunder, vectors

URL = "https://t.example.com/rss.php"


def _rss(item: str, attributes: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="gbk"?><rss {attributes}><channel><item>{item}</item></channel></rss>'
    )


def _found(xml: str | bytes) -> list[tuple[str, str]]:
    return [(link.kind.value, link.url) for link in extract_feed(xml, URL).links]


@pytest.mark.parametrize("vector", vectors("xml"), ids=lambda vector: vector["id"])
def test_a_shared_vector_gives_its_downloads(vector: dict[str, Any]) -> None:
    links = extract_feed(vector["input"], URL).links
    assert [link.url for link in links if link.kind is not LinkKind.PAGE] == vector["expect"]["links"]


def test_an_item_is_one_row_with_its_title() -> None:
    page = extract_feed(
        "<rss><channel><link>https://t.example.com/</link><item><title> One\n two</title>"
        '<enclosure url="/a.torrent" type="application/x-bittorrent"/><link>/a</link></item>'
        "<item><title>Three</title><link>/b</link></item></channel></rss>",
        URL,
    )
    assert [(link.url[21:], link.kind, link.row, link.anchor) for link in page.links] == [
        ("/a.torrent", LinkKind.DOWNLOAD, Row(0, 0), "One two"),
        ("/a", LinkKind.PAGE, Row(0, 0), "One two"),
        ("/b", LinkKind.PAGE, Row(0, 1), "Three"),
    ]
    assert {link.source for link in page.links} == {LinkSource.FEED}


@pytest.mark.parametrize(
    "item",
    [
        f"<torrent:magnetURI><![CDATA[{MAGNET}]]></torrent:magnetURI>",
        f"<torrent><magnetURI>{MAGNET}</magnetURI><infoHash>{HASH.upper()}</infoHash></torrent>",
        f"<guid isPermaLink='false'>{MAGNET}</guid>",
        f"<enclosure url='{MAGNET}' type='application/x-bittorrent' length='0'/>",
        f"<link>{MAGNET}</link>",
        f"<newznab:attr name='magneturl' value='{MAGNET}'/><torznab:attr name='infohash' value='{HASH}'/>",
    ],
)
def test_a_magnet_is_found_wherever_feeds_put_it(item: str) -> None:
    namespaces = 'xmlns:torrent="urn:t" xmlns:newznab="urn:n" xmlns:torznab="urn:z"'
    assert _found(_rss(item, namespaces)) == [("magnet", MAGNET)]
    assert _found(_rss(item)) == [("magnet", MAGNET)]


def test_an_infohash_alone_is_a_magnet_made_of_it() -> None:
    assert _found(_rss(f"<torrent:infoHash>{HASH.upper()}</torrent:infoHash>")) == [("infohash", MAGNET)]


@pytest.mark.parametrize(
    ("kind", "url", "taken"),
    [
        ("application/x-bittorrent", "/dl/1", True),
        ("application/x-bittorrent; charset=utf-8", "/dl/1", True),
        ("application/octet-stream", "/1.torrent", True),
        ("", "/1.torrent", True),
        ("audio/mpeg", "/1.mp3", False),
        ("image/png", "/1.png", False),
        ("", "/1.mp3", False),
    ],
)
def test_the_type_of_an_enclosure_decides(kind: str, url: str, taken: bool) -> None:
    assert bool(_found(_rss(f'<enclosure url="{url}" type="{kind}"/>'))) is taken


def test_encoded_enclosures_are_decoded_and_broken_ones_told() -> None:
    page = extract_feed(_rss(f"<enclosure url='{thunder(FILE)}'/><link>magnet:?dn=x</link>"), URL)
    assert [(link.url, link.chain) for link in page.links] == [(FILE, ("thunder",))]
    assert [refused.reason for refused in page.rejected] == ["no_xt"]


def test_atom_and_rdf_are_read_and_paging_is_followed() -> None:
    atom = """<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="?p=2"/><entry><title>T</title>
    <link href="/1"/><link rel="enclosure" type="application/x-bittorrent" href="/1.torrent"/>
    </entry></feed>"""
    page = extract_feed(atom, URL)
    assert [link.url[21:] for link in page.links] == ["/1.torrent", "/1"]
    assert page.next == URL + "?p=2"
    rdf = """<rdf:RDF xmlns:rdf="urn:r"><channel/><item rdf:about="x"><link>/2</link></item></rdf:RDF>"""
    assert _found(rdf) == [("page", "https://t.example.com/2")]


def test_entities_are_never_expanded() -> None:
    bomb = '<!DOCTYPE r [<!ENTITY a "' + "x" * 1000 + '"><!ENTITY b "' + "&a;" * 1000 + '">'
    bomb += '<!ENTITY c SYSTEM "file:///etc/passwd">]>'
    page = extract_feed(bomb + "<rss><item><title>&b;&c;t</title><link>/a&c;</link></item></rss>", URL)
    assert all(len(link.title) < 100 and "root" not in link.url for link in page.links)


def test_bytes_are_read_in_their_declared_charset() -> None:
    data = '<?xml version="1.0" encoding="gb2312"?><rss><item><title>电影</title><link>/a</link></item></rss>'
    assert extract_feed(data.encode("gb2312"), URL).links[0].title == "电影"
    assert extract_feed(data, URL).links[0].title == "电影"


@pytest.mark.parametrize(
    "xml", ["", "<", "not xml", "<rss><item><link>/a", "<html><body>x</body></html>", b"\xff\xfe"]
)
def test_broken_xml_gives_what_can_be_read(xml: str | bytes) -> None:
    assert len(extract_feed(xml, URL).links) <= 1


def test_too_many_items_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MAX_ITEMS", 3)
    page = extract_feed(
        "<rss>" + "".join(f"<item><link>/{n}</link></item>" for n in range(9)) + "</rss>", URL
    )
    assert len(page.links) == 3
    assert page.truncated


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<rss>",
                "<item>",
                "</item>",
                "<link>",
                "<title>",
                "<enclosure url='",
                "'/>",
                "<!DOCTYPE",
                "]]>",
                "<![CDATA[",
                "&x;",
                "&#0;",
                MAGNET,
                "<entry>",
                "<link rel=enclosure href=",
                "\x00",
                "\ud800",
            ]
        )
        | st.text(max_size=5)
    ).map("".join)
)
def test_reading_a_feed_never_raises(xml: str) -> None:
    for link in extract_feed(xml, URL).links:
        assert link.url.isascii()


def test_the_pages_of_a_sitemap_are_links_in_no_row() -> None:
    page = extract_feed(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="urn:i">'
        "<url><loc>\n https://t.example.com/v/1?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod>"
        "<image:image><image:loc>https://t.example.com/1.jpg</image:loc></image:image></url>"
        "<url><loc>/v/2.torrent</loc></url><url><loc></loc></url></urlset>",
        URL,
    )
    assert [(link.url[21:], link.row, link.source) for link in page.links] == [
        ("/v/1?a=1&b=2", None, LinkSource.FEED),
        ("/v/2.torrent", None, LinkSource.FEED),
    ]


def test_an_index_of_sitemaps_names_feeds_and_no_pages() -> None:
    page = extract_feed(
        "<sitemapindex><sitemap><loc>https://t.example.com/1.xml.gz</loc></sitemap>"
        "<sitemap><loc>/2.xml</loc></sitemap></sitemapindex>",
        URL,
    )
    assert page.links == ()
    assert page.feeds == ("https://t.example.com/1.xml.gz", "https://t.example.com/2.xml")


def test_a_sitemap_is_read_to_the_limit_of_its_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MAX_LOCATIONS", 3)
    page = extract_feed(
        "<urlset>" + "".join(f"<url><loc>/{n}</loc></url>" for n in range(5)) + "</urlset>", URL
    )
    assert [link.url[21:] for link in page.links] == ["/0", "/1", "/2"]
    assert page.truncated


def test_xml_of_an_unknown_format_gives_its_addresses() -> None:
    page = extract_feed(
        "<list xmlns='http://schema.example/list'><torrent href='/d/2.torrent'><name>a/b</name></torrent>"
        f"<torrent><url>https://t.example.com/d/1.torrent</url><m>{MAGNET}</m></torrent></list>",
        URL,
    )
    assert [(link.url.removeprefix("https://t.example.com"), link.kind) for link in page.links] == [
        ("/d/2.torrent", LinkKind.DOWNLOAD),
        ("/d/1.torrent", LinkKind.DOWNLOAD),
        (MAGNET, LinkKind.MAGNET),
    ]
