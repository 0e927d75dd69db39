"""A crawl stays where its site file says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.model.site import Scope, SiteFile
from harvester.policy.scope import Verdict, decide, extension, is_torrent_name

SITE = SiteFile(
    "example",
    ("https://forum.example.org/bbs/",),
    ("forum.example.org", "files.example.org:8443"),
    Scope(include=("/bbs/", "/attachments"), exclude=("/bbs/private/",), depth=3),
)
IN = "https://forum.example.org/bbs/"


@pytest.mark.parametrize(
    ("url", "depth", "torrent", "verdict", "reason"),
    [
        (IN, 0, False, "fetch", ""),
        (IN + "a?b#c", 3, False, "fetch", ""),
        ("HTTPS://FORUM.example.org:443/bbs/", 0, False, "fetch", ""),
        ("http://forum.example.org/bbs/", 0, False, "fetch", ""),
        ("https://files.example.org:8443/attachments/5", 1, False, "fetch", ""),
        ("https://files.example.org/attachments/5", 1, False, "record", "off_site"),
        (IN + "a", 4, False, "record", "too_deep"),
        (IN + "private/x", 1, False, "record", "excluded_path"),
        ("https://forum.example.org/shop/", 1, False, "record", "outside_path"),
        ("https://forum.example.org/dl/5", 1, True, "fetch", ""),
        ("https://forum.example.org/dl/a.torrent", 1, False, "fetch", ""),
        ("https://other.example.org/", 1, False, "record", "off_site"),
        ("https://evilforum.example.org/bbs/", 1, False, "record", "off_site"),
        ("https://forum.example.org.evil.example/bbs/", 1, False, "record", "off_site"),
        ("https://forum.example.org@evil.example/bbs/", 1, False, "record", "off_site"),
        ("https://other.example.org/a.torrent", 1, False, "one_hop", "torrent_elsewhere"),
        ("https://other.example.org/get?f=a.torrent&x=1", 1, False, "one_hop", "torrent_elsewhere"),
        ("https://other.example.org/dl?id=5", 1, True, "one_hop", "torrent_elsewhere"),
        ("ftp://forum.example.org/bbs/a.torrent", 1, False, "record", "scheme"),
        ("magnet:?xt=urn:btih:0", 1, False, "record", "scheme"),
        ("javascript:void(0)", 1, False, "record", "scheme"),
        ("mailto:a@b.example", 1, False, "record", "scheme"),
        ("not a url", 1, False, "record", "not_a_url"),
        ("https://[::1/", 1, False, "record", "not_a_url"),
        (IN + "x" * 2048, 1, False, "record", "url_too_long"),
        (IN + "a.JPG", 1, False, "record", "file_type"),
        (IN + "a.zip?x=1", 1, False, "record", "file_type"),
        (IN + "film.mkv", 1, False, "record", "file_type"),
        (IN + "film.mkv.torrent", 1, False, "fetch", ""),
        (IN + "view.php?file=a.zip", 1, False, "fetch", ""),
        (IN + "thread-1-1-1.html", 1, False, "fetch", ""),
        (IN + "v1.2.3/", 1, False, "fetch", ""),
    ],
)
def test_a_link_gets_its_verdict(url: str, depth: int, torrent: bool, verdict: str, reason: str) -> None:
    decision = decide(SITE, url, depth, torrent=torrent)
    assert (decision.verdict, decision.reason) == (Verdict(verdict), reason)


def test_extensions_are_those_of_the_last_segment() -> None:
    assert extension("/a.zip/b") == ""
    assert extension("/a/b.TAR.GZ?x=.y") == "gz"
    assert extension("/.htaccess") == ""
    assert not is_torrent_name("/the.torrent.movie/")


@given(st.text(max_size=300), st.integers(0, 30), st.booleans())
def test_any_url_is_fetched_or_left_with_a_reason(url: str, depth: int, torrent: bool) -> None:
    for whole in (url, f"https://forum.example.org{url}"):
        decision = decide(SITE, whole, depth, torrent=torrent)
        assert (decision.verdict is Verdict.FETCH) == (not decision.reason)
        assert decision.verdict is not Verdict.FETCH or depth <= SITE.scope.depth


@given(st.text(alphabet="abcde.-:@[]/\\?#%", max_size=60))
def test_only_hosts_of_the_site_are_crawled(rest: str) -> None:
    import ada_url

    url = "https://" + rest
    if decide(SITE, url, 0).verdict is Verdict.FETCH:
        assert ada_url.URL(url).host in SITE.hosts
