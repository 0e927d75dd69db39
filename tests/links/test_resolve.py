from __future__ import annotations

import pytest

from harvester.links.resolve import LinkMemo, Resolver, kind_of, looks_encoded
from harvester.model.link import LinkKind, RejectedLink
from tests.links.vectors import ED2K, FILE, MAGNET, b64, thunder

PAGE = "http://bbs.example.com/forum/t.php?id=1"


def _resolver(memo: LinkMemo | None = None) -> Resolver:
    return Resolver(PAGE, "utf-8", frozenset(), memo or LinkMemo())


def test_an_outcome_is_a_link_a_refusal_or_nothing() -> None:
    resolver = _resolver()
    assert resolver.outcome("a?x=1&b=2") == (
        "http://bbs.example.com/forum/a?x=1&b=2",
        "http://bbs.example.com/forum/a?b=2&x=1",
        LinkKind.PAGE,
        (),
        "",
    )
    assert resolver.outcome(thunder(FILE)) == (FILE, FILE, LinkKind.DOWNLOAD, ("thunder",), "")
    assert resolver.outcome("magnet:?dn=x") == RejectedLink("magnet:?dn=x", "no_xt")
    assert resolver.outcome("javascript:;") is None


def test_line_breaks_in_a_href_are_dropped() -> None:
    outcome = _resolver().outcome(f" {MAGNET[:30]}\n\t{MAGNET[30:]} ")
    assert isinstance(outcome, tuple)
    assert outcome[0] == MAGNET


def test_a_memo_is_shared_by_the_pages_of_a_folder_only() -> None:
    memo = LinkMemo()
    _resolver(memo).outcome("a")
    assert "a" in memo.place("http://bbs.example.com/forum/", "utf-8")
    assert "a" not in memo.place("http://bbs.example.com/", "utf-8")
    assert "a" not in memo.place("http://bbs.example.com/forum/", "gbk")


def test_what_begins_at_the_root_is_shared_by_all_folders_of_an_origin() -> None:
    memo = LinkMemo()
    _resolver(memo).outcome("/a")
    _resolver(memo).outcome("http://other.example/")
    assert set(memo.place("http://bbs.example.com", "utf-8")) == {"/a"}
    assert set(memo.place("", "utf-8")) == {"http://other.example/"}


@pytest.mark.parametrize(
    "base", ["", "http://a.example", "http://a.example?x=/y/", "https://a.example/b/c?d"]
)
def test_any_base_gives_the_same_with_a_used_memo(base: str) -> None:
    memo = LinkMemo()
    hrefs = ("/x", "x", "//x.example/y", "http://x.example/", "https:x", "http:x")
    for other in ("http://a.example/", "https://a.example/b/", base):
        resolver = Resolver(other, "utf-8", frozenset(), memo)
        outcomes = [resolver.outcome(href) for href in hrefs]
    fresh = Resolver(base, "utf-8", frozenset(), LinkMemo())
    assert outcomes == [fresh.outcome(href) for href in hrefs]


def test_a_query_alone_belongs_to_its_page() -> None:
    memo = LinkMemo()
    assert _resolver(memo).outcome("?p=2") is not None
    assert memo.place("http://bbs.example.com/forum/", "utf-8") == {}


def test_a_memo_is_bounded() -> None:
    memo = LinkMemo(max_links=5)
    for number in range(20):
        memo.put(memo.place(f"http://bbs.example.com/{number}/", "utf-8"), "x", None)
    kept = [memo.place(f"http://bbs.example.com/{number}/", "utf-8") for number in range(20)]
    assert sum(map(len, kept)) <= 5


def test_kinds_are_told_by_the_url() -> None:
    assert [kind_of(url) for url in (PAGE, FILE, "http://a.example/x.png", MAGNET, "ftp://a.example/")] == [
        LinkKind.PAGE,
        LinkKind.DOWNLOAD,
        LinkKind.ASSET,
        LinkKind.MAGNET,
        LinkKind.FTP,
    ]
    assert kind_of(f"ed2k://|file|a|5|{ED2K}|/") is LinkKind.ED2K


def test_only_tokens_are_worth_decoding() -> None:
    assert looks_encoded(b64(FILE))
    assert not looks_encoded("two words and more")
    assert not looks_encoded("short")
