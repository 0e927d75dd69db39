from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.codecs.http import finish, peel
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, MAGNET, b64, thunder


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("HTTP://Example.com/A%7e#x", "http://Example.com/A%7e"),
        ("http://example.com/a b\"<>'", "http://example.com/a%20b%22%3C%3E'"),
        ("http://bücher.example/é?é", "http://xn--bcher-kva.example/%C3%A9?%C3%A9"),
        ("http://example.com/%zz%", "http://example.com/%zz%"),
        ("http://example.com", "http://example.com"),
    ],
)
def test_a_url_is_escaped_only_where_it_must_be(link: str, url: str) -> None:
    assert finish(link, "utf-8").url == url


@pytest.mark.parametrize(
    "name", ["url", "u", "target", "to", "link", "goto", "go", "redirect", "r", "q", "dest", "URL"]
)
def test_a_redirector_gives_the_link_it_leads_to(name: str) -> None:
    outer = f"https://bbs.example.com/go.php?x=1&{name}="
    plain = decode_link(outer + "http%3A%2F%2Fdl.example.com%2Ffiles%2Fdemo.torrent&y=2")
    assert (plain.url, plain.chain) == (FILE, ("redirect", "http"))
    assert decode_link(outer + FILE).url == FILE
    encoded = decode_link(outer + b64(FILE).replace("=", "%3D"))
    assert (encoded.url, encoded.chain) == (FILE, ("redirect", "base64", "http"))
    wrapped = decode_link(outer + thunder(FILE).replace("=", "%3D"))
    assert (wrapped.url, wrapped.chain) == (FILE, ("redirect", "thunder"))


def test_redirectors_nest() -> None:
    inner = (
        "https://b.example.com/?url=magnet%3A%3Fxt%3Durn%3Abtih%3A76ed23d08647820d022e32de0b939ee40699552d"
    )
    outer = "https://a.example.com/?to=" + inner.replace("%", "%25").replace("?", "%3F").replace("&", "%26")
    decoded = decode_link(outer)
    assert (decoded.url, decoded.chain) == (MAGNET, ("redirect", "redirect", "magnet"))


@pytest.mark.parametrize(
    "query",
    ["u=12345", "url=javascript%3Aalert(1)", "url=%2Fforum.php", "url=", "other=http%3A%2F%2Fa.example%2F",
     "q=ubuntu+torrent+iso+download", "url=http%3A%2F%2F", "to=magnet%3A%3Fdn%3Dx", "url=data%3A%2C"],
)  # fmt: skip
def test_a_parameter_that_is_no_link_leaves_the_page_as_it_is(query: str) -> None:
    url = "https://bbs.example.com/go.php?" + query
    decoded = decode_link(url)
    assert (decoded.url, decoded.chain) == (url, ("http",))


def test_a_page_without_a_query_is_no_redirector() -> None:
    assert peel(FILE) is None


def test_secret_parameters_are_named() -> None:
    url = "https://t.example.com/download.php?id=1&passkey=0123456789abcdef&authkey=12345678&key=1"
    assert decode_link(url).secret_params == ("passkey", "authkey")


def test_a_link_without_two_slashes_is_none() -> None:
    with pytest.raises(LinkRejected):
        finish("http:/example.com/", "utf-8")
