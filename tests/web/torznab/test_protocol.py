"""Torznab's XML is well formed whatever a torrent is called, and says what clients look for."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.web.torznab.protocol import CATEGORIES, Item, caps, error, feed, moment

ATOM, TORZNAB = "{http://www.w3.org/2005/Atom}", "{http://torznab.com/schemas/2015/feed}"


@given(st.text(max_size=60), st.text(max_size=20))
@settings(max_examples=60)
def test_no_name_breaks_the_document(name: str, value: str) -> None:
    item = Item(name, name, name, name, 5, 1.8e9, (2000,), (("x", value),))
    document = feed(name, name, [item]).encode("utf-8", "surrogatepass")
    (found,) = ElementTree.fromstring(document).iter("item")
    assert found.find("enclosure") is not None


def test_what_clients_want_of_an_item_is_there() -> None:
    item = Item("A & B", "urn:1", "http://x/1", "http://x/1", 7, 1136214245.0, (5000, 2000), (("size", "7"),))
    text = feed("t", "http://x/", [item], built=1136214245.0)
    found = ElementTree.fromstring(text.encode()).find("channel/item")
    assert found is not None
    assert found.findtext("title") == "A & B"
    assert found.findtext("pubDate") == "Mon, 02 Jan 2006 15:04:05 +0000"
    enclosure = found.find("enclosure")
    assert enclosure is not None
    assert enclosure.attrib == {"url": "http://x/1", "length": "7", "type": "application/x-bittorrent"}
    attributes = [(one.get("name"), one.get("value")) for one in found.iter(f"{TORZNAB}attr")]
    assert attributes == [("category", "5000"), ("category", "2000"), ("size", "7")]
    assert "<lastBuildDate>Mon, 02 Jan 2006 15:04:05 +0000<" in text


def test_caps_name_limits_and_every_search_with_its_parameters() -> None:
    root = ElementTree.fromstring(caps("<H>").encode())
    limits = root.find("limits")
    assert limits is not None
    assert limits.attrib == {"default": "100", "max": "100"}
    searches = {one.tag: one.get("supportedParams") for one in root.find("searching") or ()}
    assert searches["tv-search"] == "q,season,ep"
    assert {"music-search", "audio-search", "movie-search", "search"} <= set(searches)
    assert all(searches.values())
    assert {int(one.get("id", "")) for one in root.iter("category")} == set(CATEGORIES)


def test_an_error_is_one_element() -> None:
    assert error(201, '<"&>').endswith('<error code="201" description="&lt;&quot;&amp;&gt;"/>')
    assert moment(1e300).endswith("+0000")
