from __future__ import annotations

from harvester.links.decode import decode_link
from tests.links.vectors import thunder


def test_ftp_is_recorded_and_not_fetched() -> None:
    decoded = decode_link("ftp://user:pw@ftp.example.com:2121/电影.torrent")
    assert decoded.url == "ftp://user:pw@ftp.example.com:2121/%E7%94%B5%E5%BD%B1.torrent"
    assert decoded.chain == ("ftp",)
    assert not decoded.fetch_allowed
    assert decode_link(thunder("ftp://ftp.example.com/a")).chain == ("thunder",)
