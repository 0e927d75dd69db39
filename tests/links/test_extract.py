from __future__ import annotations

import gzip
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

from harvester.links import collect
from harvester.links.extract import extract_links, extract_text_links
from harvester.links.keys import canonical_key
from harvester.links.resolve import LinkMemo
from harvester.model.link import LinkKind, LinkSource, PageLinks, Row
from harvester.text.bombs import defused
from tests.links.vectors import ED2K, FILE, HASH, MAGNET, SHARED, b64, thunder, vectors

PAGE = "https://bbs.example.com/forum/thread-12-1-1.html"


def _urls(html: str, url: str = PAGE) -> list[str]:
    return [link.url for link in extract_links(html, url).links]


@pytest.mark.parametrize("vector", vectors("html", "text"), ids=lambda vector: vector["id"])
def test_a_shared_vector_gives_its_links(vector: dict[str, Any]) -> None:
    read = extract_text_links if vector["kind"] == "text" else lambda html: extract_links(html, PAGE)
    assert [link.url for link in read(vector["input"]).links] == vector["expect"]["links"]


def test_a_plain_link_has_its_anchor_place_and_relations() -> None:
    html = """<body><div id=wp class="wp cl"><table class=list><tr><th>x</th></tr>
      <tr class="row1"><td><a href="thread-7-1-1.html" rel="NoFollow Next" class="s xst">One
        <b>thread</b></a></td></tr>
      <tr class="row2"><td><a href="?page=2"><img src=a.gif alt="second  page"></a></td></tr></table></div>"""
    page = extract_links(html, PAGE)
    first, second = page.links
    assert first.url == "https://bbs.example.com/forum/thread-7-1-1.html"
    assert first.key == canonical_key(first.url)
    assert (first.kind, first.source, first.chain) == (LinkKind.PAGE, LinkSource.HREF, ())
    assert first.anchor == "One thread"
    assert first.rel == {"nofollow", "next"}
    assert (first.row, second.row) == (Row(0, 1), Row(0, 2))
    assert second.anchor == "second page"
    assert second.url == PAGE + "?page=2"
    assert page.next == first.url
    assert not page.truncated


def test_links_of_one_row_share_it_and_other_lists_are_apart() -> None:
    row = "<tr><td><a href=t{0}>a</a></td><td><a href=u{0}>b</a></td><td><a href=d{0}.torrent>c</a></td></tr>"
    navigation = "<ul>" + "".join(f"<li><a href=n{number}>n</a></li>" for number in range(4)) + "</ul>"
    page = extract_links(navigation + "<table>" + "".join(row.format(n) for n in range(5)) + "</table>", PAGE)
    rows = {link.url.rpartition("/")[2]: link.row for link in page.links}
    assert rows["t2"] == rows["u2"] == rows["d2.torrent"] == Row(1, 2)
    assert rows["n0"] == Row(0, 0)
    assert {link.kind for link in page.links if "torrent" in link.url} == {LinkKind.DOWNLOAD}


@pytest.mark.parametrize(
    ("base", "resolved"),
    [
        ("/other/", "https://bbs.example.com/other/a"),
        ("sub/", "https://bbs.example.com/forum/sub/a"),
        ("//cdn.example.com/x/y", "https://cdn.example.com/x/a"),
        ("javascript:1", "https://bbs.example.com/forum/a"),
    ],
)
def test_links_are_resolved_against_the_base_even_a_relative_one(base: str, resolved: str) -> None:
    assert _urls(f"<head><base target=_top><base href='{base}'></head><a href=a>x</a>") == [resolved]


@pytest.mark.parametrize(
    ("content", "target", "delay"),
    [
        ("3; url=next.html", "next.html", 3.0),
        ("0;URL='next.html'", "next.html", 0.0),
        ('0.5 ; url = "next.html"', "next.html", 0.5),
        (";url=next.html", "next.html", 0.0),
        ("5, next.html", "next.html", 5.0),
    ],
)
def test_a_meta_refresh_is_read_whichever_attribute_comes_first(
    content: str, target: str, delay: float
) -> None:
    page = extract_links(f"<meta content='{content}' HTTP-EQUIV=Refresh>".replace("'\"", "'"), PAGE)
    if "'" in content:
        page = extract_links(f'<meta content="{content}" http-equiv=refresh>', PAGE)
    assert page.refresh == "https://bbs.example.com/forum/" + target
    assert page.refresh_delay == delay


@pytest.mark.parametrize("content", ["5", "", "url", "5;url=javascript:x", "5;url="])
def test_a_refresh_of_the_page_itself_is_no_link(content: str) -> None:
    assert extract_links(f'<meta http-equiv=refresh content="{content}">', PAGE).refresh is None


def test_the_relations_of_a_page_are_told_apart() -> None:
    page = extract_links(
        """<link rel=canonical href=/c><link rel="alternate" type="application/rss+xml" href=/feed>
        <link rel=NEXT href="?p=2"><link rel=stylesheet href=/x.css>
        <link rel=alternate hreflang=de href=/de>""",
        PAGE,
    )
    assert page.canonical == "https://bbs.example.com/c"
    assert page.feeds == ("https://bbs.example.com/feed",)
    assert page.next == PAGE + "?p=2"
    assert [link.url for link in page.links] == [PAGE + "?p=2"]


def test_forms_and_frames_are_recorded_as_such() -> None:
    page = extract_links(
        "<form action=/login.php><a href=a>x</a></form><form action='#'></form>"
        "<iframe src=/f.html></iframe><map><area href=/m.html></map>",
        PAGE,
    )
    assert [(form.url, form.source) for form in page.forms] == [
        ("https://bbs.example.com/login.php", LinkSource.FORM)
    ]
    assert [(link.url[23:], link.source) for link in page.links] == [
        ("/forum/a", LinkSource.HREF), ("/f.html", LinkSource.FRAME), ("/m.html", LinkSource.HREF)
    ]  # fmt: skip


def test_what_is_no_address_or_no_page_is_left_out() -> None:
    html = """<a href="#top">a</a><a href="">b</a><a href="mailto:a@b.c">c</a><a href="javascript:;">d</a>
    <img src=/x.png><script src=/x.js></script><link rel=icon href=/i.ico><a href="data:text/html,x">f</a>"""
    assert _urls(html) == []


def test_an_image_that_is_linked_is_an_asset() -> None:
    (link,) = extract_links("<a href=/big.jpg?x=1>see</a>", PAGE).links
    assert link.kind is LinkKind.ASSET


def test_a_url_is_told_once_with_the_longest_anchor() -> None:
    (link,) = extract_links("<a href=a#x></a><a href=./a>a title</a><a href=a#y>later</a>", PAGE).links
    assert link.anchor == "a title"


@pytest.mark.parametrize(
    ("attributes", "method"),
    [
        ("data-method=delete", "DELETE"),
        ('data-turbo-method="post"', "POST"),
        ("hx-post=/like", "POST"),
        ("data-method=get", "GET"),
        ("onclick=\"this.closest('form').submit(); return false\"", "POST"),
        ("onclick=\"$.ajax({url: this.href, type: 'post'})\"", "POST"),
        ("onclick=\"return confirm('Download?')\"", "GET"),
        ("class=button", "GET"),
    ],
)
def test_a_link_that_a_script_sends_otherwise_says_how(attributes: str, method: str) -> None:
    (link,) = extract_links(f"<a href=/a/5 {attributes}>text</a>", PAGE).links
    assert link.method == method


def test_an_anchor_is_bounded() -> None:
    (link,) = extract_links(f"<a href=a>{'x' * 5000}</a>", PAGE).links
    assert link.anchor == "x" * 200


def test_queries_are_written_in_the_charset_of_the_page() -> None:
    (link,) = extract_links("<a href='s.php?q=电影'>x</a>", PAGE, encoding="gbk").links
    assert link.url.endswith("?q=%B5%E7%D3%B0")


@pytest.mark.parametrize(
    "html",
    [
        f"<a href='{thunder(FILE)}'>x</a>",
        f"<a href='#' aexuztdb='{thunder(FILE)}'>x</a>",
        f"<a href='#' thunderrestitle='{FILE}'>x</a>",
        f"<div data-clipboard-text='{thunder(FILE)}'></div>",
        f"<div data-x='{b64(FILE)}'></div>",
        f"<div title='迅雷：{thunder(FILE)}，复制'></div>",
        f"<input value='{FILE}'>",
        f"<div href='{thunder(FILE)}'></div>",
        f"<video src='{thunder(FILE)}'></video>",
        f"<span href='{FILE}'></span>",
        f"<object data='{FILE}'></object><embed src='{FILE}'>",
        f"<button onclick=\"copy('{thunder(FILE)}')\">x</button>",
        f"<a href=\"javascript:ThunderDown('{thunder(FILE)}')\">x</a>",
        f"<script>var a = ['{thunder(FILE)}'];</script>",
        f"<script>go('{FILE}')</script>",
        f"<script>var u = atob(\"{b64(FILE)}\")</script>",
        f"<script>document.write('<a href=\"{thunder(FILE)}\">')</script>",
        f"<script>var u = '{thunder(FILE)[:20]}' + '{thunder(FILE)[20:]}'</script>",
        f"<script>u = String.fromCharCode({','.join(str(ord(c)) for c in FILE)})</script>",
        f"<script>u = String.fromCharCode({','.join(hex(ord(c)) for c in FILE)})</script>",
        f"<script>u = '{''.join(f'%u{ord(c):04X}' for c in FILE)}'</script>",
        f"<p>下载：{FILE}。</p>",
        f"<p>{FILE}下载</p>",
        f"<p>链接<span>{thunder(FILE)[:30]}</span>{thunder(FILE)[30:]}（迅雷）</p>",
        f"<p>[url={thunder(FILE)}]download[/url]</p>",
        f"<td>「{thunder(FILE)}」</td>",
        f"<textarea>a\n{thunder(FILE)}\nb</textarea>",
        f"<p>{thunder(FILE)[:24]}&#8203;{thunder(FILE)[24:]}</p>",
        f"<p>{FILE[::-1]}</p><div data-u='{FILE[::-1]}'></div>",
        f"<div data-u='{FILE.encode().hex()}'></div>",
        f"<a href='/go.php?url={thunder(FILE).replace('=', '%3D')}'>x</a>",
    ],
)  # fmt: skip
def test_a_hidden_download_is_found(html: str) -> None:
    assert _urls(html) == [FILE]


def test_a_thunder_link_has_its_title_and_chain() -> None:
    (link,) = extract_links(
        f"<a href='javascript:;' thunderhref='{thunder(FILE)}' thunderrestitle='demo'>x</a>", PAGE
    ).links
    assert (link.chain, link.title, link.source) == (("thunder",), "demo", LinkSource.ATTRIBUTE)


def test_a_script_that_goes_somewhere_is_followed() -> None:
    html = """<script>if (x) location.href = "thread-9-1-1.html"; var y = "not-a-page.html";</script>
    <a href="javascript:window.open('/down.php?id=3')">x</a><b onclick="location='t.html'">y</b>"""
    assert sorted(_urls(html)) == [
        "https://bbs.example.com/down.php?id=3",
        "https://bbs.example.com/forum/t.html",
        "https://bbs.example.com/forum/thread-9-1-1.html",
    ]


def test_a_redirector_to_another_host_is_unwrapped_and_one_to_the_same_host_is_not() -> None:
    html = """<a href="/go?url=http%3A%2F%2Fdl.example.com%2Ffiles%2Fdemo.torrent">x</a>
    <a href="/login?redirect=https%3A%2F%2Fbbs.example.com%2Fforum%2F">y</a>"""
    page = extract_links(html, PAGE)
    assert page.links[0].url == FILE
    assert page.links[0].chain == ("redirect", "http")
    assert page.links[1].url.startswith("https://bbs.example.com/login?redirect=")


@pytest.mark.parametrize(
    "html",
    [
        f"<p>特征码：{HASH}</p>",
        f"<p>特徵碼 {HASH.upper()}</p>",
        f"<table><tr><td>Info hash:</td><td><kbd>{HASH}</kbd></td></tr></table>",
        f"<dl><dt>哈希值</dt><dd>{HASH}</dd></dl>",
        f"<p>info_hash (SHA1): {HASH}</p>",
        f"<p>Info Hash v1: {HASH}</p>",
        f"<p>BTIH: {HASH}</p>",
        f"<div data-infohash='{HASH}'></div>",
        f"<p>特征值</p><input value='{HASH}'>",
    ],
)
def test_a_labelled_infohash_is_a_link(html: str) -> None:
    (link,) = extract_links(html, PAGE).links
    assert (link.url, link.kind) == (MAGNET, LinkKind.INFOHASH)


@pytest.mark.parametrize(
    "html",
    [
        f"<p>commit {HASH}</p>",
        f"<p>特征码：{HASH}00</p>",
        f"<p>特征码：x{HASH}</p>",
        f"<p>特征码在下面的很长很长很长很长很长很长很长很长很长很长很长很长很长的文字之后 {HASH}</p>",
        f"<p>info hash: {'0' * 40}</p>",
        f"<div data-commit='{HASH}'></div>",
        f"<p>sha1 {HASH}</p>",
    ],
)
def test_an_unlabelled_or_longer_hash_is_none(html: str) -> None:
    assert _urls(html) == []


def test_an_infohash_beside_its_magnet_is_not_told_twice() -> None:
    html = f"<p>特征码：{HASH}</p><a href='{MAGNET}&dn=Demo'>magnet</a>"
    assert _urls(html) == [f"{MAGNET}&dn=Demo"]


def test_broken_downloads_are_told_with_their_reason() -> None:
    page = extract_links(f"<a href='{thunder(FILE)[:-8]}'>x</a><p>magnet:?dn=x</p>", PAGE)
    assert page.links == ()
    assert [refused.reason for refused in page.rejected] == ["bad_marker", "no_xt"]


def test_a_shortened_address_in_the_text_of_its_link_is_no_second_link() -> None:
    html = f"<a href='http://a.example/long/path.html'>http://a.example/lo ... th.html</a><p>{MAGNET}</p>"
    assert _urls(html) == ["http://a.example/long/path.html", MAGNET]


def test_links_are_in_document_order() -> None:
    html = f"""<a href=a>1</a><p>{MAGNET}</p><a href=b>2</a><div data-x="{thunder(FILE)}"></div>
    <script>x='ed2k://|file|a|5|{ED2K}|/'</script><a href=c>3</a>"""
    assert [url.rpartition("/")[2][:20] for url in _urls(html)] == [
        "a", MAGNET[:20], "b", "demo.torrent", "", "c"
    ]  # fmt: skip


def test_ed2k_names_with_blanks_are_read_from_text() -> None:
    page = extract_text_links(
        f"见 ed2k://|file|演示 影片 (2020).mkv|5|{ED2K}|h=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|/ 下载"
    )
    assert [(link.kind, link.title) for link in page.links] == [(LinkKind.ED2K, "演示 影片 (2020).mkv")]


def test_a_memo_gives_the_same_links() -> None:
    memo = LinkMemo(max_links=3)
    html = (
        "".join(f"<a href=t{n}>x</a><a href=/t{n}>x</a>" for n in range(9))
        + f"<a href='?p=1'>p</a><a href='{thunder('x')}'>y</a>"
    )
    for url in (PAGE, PAGE + "?x", "https://bbs.example.com/other/", PAGE, "https://a.example/b/c"):
        assert extract_links(html, url, memo=memo) == extract_links(html, url)


def test_a_parsed_tree_may_be_given() -> None:
    html, _ = defused(f"<a href=a>x</a><p>{MAGNET}</p>")
    assert extract_links(html, PAGE, tree=LexborHTMLParser(html)) == extract_links(html, PAGE)


def test_ignored_parameters_reach_the_keys() -> None:
    (link,) = extract_links("<a href='t?id=1&extra=2'>x</a>", PAGE, ignore=frozenset({"extra"})).links
    assert link.key.endswith("/t?id=1")
    assert link.url.endswith("/t?id=1&extra=2")


def test_too_many_links_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "MAX_LINKS", 20)
    page = extract_links("".join(f"<a href={n}>" for n in range(30)), PAGE)
    assert len(page.links) == 20
    assert page.truncated


HTML = st.lists(
    st.sampled_from(
        [
            "<a href='x'>",
            "</a>",
            "<p>",
            "<table><tr><td>",
            "<base href='",
            "<script>",
            "</script>",
            "'",
            '"',
            ">",
            MAGNET,
            thunder(FILE),
            "magnet:?xt=",
            "thunder://",
            "特征码：",
            HASH,
            "<wbr>",
            "http://",
            "：／／",
            "<iframe src=",
            "onclick=\"location='a'\"",
            "<meta http-equiv=refresh content=1;url=",
            "[",
            "]",
            "+",
            "String.fromCharCode(1,2)",
            "\\u00",
            "&#109;",
            "ed2k://|file|",
            "<svg>",
            "<template>",
            "\x00",
            "�",
        ]
    )
    | st.text(max_size=8),
    max_size=20,
).map("".join)


@settings(max_examples=400, deadline=None)
@given(
    HTML,
    st.sampled_from([PAGE, "", "x:y", "http://[", "http://a.example"]),
    st.sampled_from(["utf-8", "gbk", "?"]),
)
def test_extraction_never_raises_and_gives_clean_links(html: str, url: str, encoding: str) -> None:
    page: PageLinks = extract_links(html, url, encoding=encoding)
    assert len({link.url for link in page.links}) == len(page.links)
    for link in page.links:
        assert link.url.isascii()
        assert link.url.startswith(("http://", "https://", "ftp://", "magnet:?", "ed2k://"))
        assert not any(character <= " " for character in link.url)
    extract_text_links(html)


@pytest.mark.parametrize("site", ["discuz35", "phpbb", "mybb", "machina"])
def test_every_open_torrent_of_a_recorded_site_is_found(site: str) -> None:
    folder = SHARED / "sites" / site
    keys: set[str] = set()
    with gzip.open(folder / "focus_anon.warc.gz") as archive:
        for record in ArchiveIterator(io.BytesIO(archive.read())):
            if record.rec_type == "response" and "html" in (
                record.http_headers.get_header("content-type") or ""
            ):
                html = record.content_stream().read().decode("utf-8", "replace")
                url = record.rec_headers.get_header("WARC-Target-URI")
                keys |= {link.key for link in extract_links(html, url).links}
    missed = []
    lines = (folder / "truth.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for infohash, url, wall, _, form, _ in (line.split("\t") for line in lines):
        wanted = (
            canonical_key(url) if form in ("attachment", "thunder") else f"magnet:?xt=urn:btih:{infohash}"
        )
        if wall == "none" and wanted not in keys:
            missed.append((form, url))
    assert missed == []


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a href=\"javascript:openWin('/popup/5.html')\">p</a>", ["/popup/5.html"]),
        ("<a href='javascript:goTo(\"view.php?id=3\")'>p</a>", ["/view.php?id=3"]),
        ("<a href=\"javascript:showTab('second')\">p</a>", []),
        ("<a href=\"javascript:vote('/vote/5')\">p</a>", []),
        (
            "<select onchange='location=this.value'><option>Go<option value='/b/2'>two</select>",
            ["/b/2"],
        ),
        ("<select name=c><option value='/b/2'>two</select>", []),
        ("<div data-next-url='/b?p=2'></div>", ["/b?p=2"]),
        ("<div hx-get=/part/2 hx-trigger=revealed></div>", ["/part/2"]),
        ("<div data-delete-url=/b/2></div><div hx-post=/b/3></div>", []),
    ],
)
def test_scripts_and_menus_that_go_somewhere_are_links(html: str, found: list[str]) -> None:
    links = extract_links(html, "https://t.example.com/").links
    assert [link.url.removeprefix("https://t.example.com") for link in links] == found


@pytest.mark.parametrize(
    ("form", "found"),
    [
        ("<input type=hidden name=id value='7 8'><button>Download torrent</button>", ["/get?id=7+8"]),
        ("<input type=hidden name=id value=7><input type=image alt=x>", []),
        ("<input type=hidden name=id value=7><input name=q><button>Download torrent</button>", []),
        ("<button>Download torrent</button>", []),
    ],
)
def test_a_form_that_only_a_button_sends_is_a_link_to_a_torrent_where_it_says_so(
    form: str, found: list[str]
) -> None:
    for method, expected in (("get", found), ("post", [])):
        html = f"<form action=/get method={method}>{form}</form>"
        links = extract_links(html, "https://t.example.com/").links
        assert [link.url.removeprefix("https://t.example.com") for link in links] == expected
