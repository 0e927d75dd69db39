"""Trackers, web seeds and nodes in all the ways programs write them."""

from __future__ import annotations

from typing import Any

import pytest

from harvester.torrents.trackers import read_outlets


def read(root: dict[bytes, Any]) -> tuple[Any, set[str]]:
    flags: set[str] = set()
    return read_outlets(root, flags), flags


A, B, C = b"http://a.example/announce", b"udp://b.example:80", b"wss://c.example/"
a, b, c = A.decode(), B.decode(), C.decode()


@pytest.mark.parametrize(
    ("root", "trackers", "flags"),
    [
        ({}, (), set()),
        ({b"announce": A}, ((a,),), set()),
        ({b"announce": b""}, (), set()),
        ({b"announce": b"  " + A + b"\r\n"}, ((a,),), set()),
        ({b"announce": [A, B]}, ((a, b),), {"odd_announce"}),
        ({b"announce": 7}, (), {"odd_announce", "bad_tracker"}),
        ({b"announce": b"dht://x"}, (), {"bad_tracker"}),
        ({b"announce": A, b"announce-list": [[A, B], [C]]}, ((a, b), (c,)), set()),
        ({b"announce": C, b"announce-list": [[A], [B]]}, ((a,), (b,), (c,)), {"announce_not_in_list"}),
        ({b"announce": A, b"announce-list": []}, ((a,),), set()),
        ({b"announce": A, b"announce-list": [[], [b""], [A]]}, ((a,),), set()),
        ({b"announce-list": [A, B]}, ((a,), (b,)), {"odd_announce"}),
        ({b"announce-list": A}, ((a,),), {"odd_announce"}),
        ({b"announce-list": [[A, A], [A, B]]}, ((a,), (b,)), set()),
        ({b"announce-list": [[A, 7, []]]}, ((a,),), {"bad_tracker"}),
        ({b"announce": b"HTTP://A.example/x y"}, (("HTTP://A.example/x%20y",),), set()),
        (
            {b"announce": b"http://a.example/0123456789abcdef0123456789abcdef/announce"},
            (("http://a.example/0123456789abcdef0123456789abcdef/announce",),),
            {"passkey"},
        ),
    ],
)
def test_trackers_are_read_by_tier(root: dict[bytes, Any], trackers: Any, flags: set[str]) -> None:
    outlets, found = read(root)
    assert (outlets.trackers, found) == (trackers, flags)


@pytest.mark.parametrize(
    ("root", "webseeds", "flags"),
    [
        ({b"url-list": b""}, (), set()),
        ({b"url-list": b"http://s.example/x"}, ("http://s.example/x",), set()),
        ({b"url-list": [b"http://s.example/", b"", b"http://s.example/"]}, ("http://s.example/",), set()),
        (
            {b"url-list": [b"ftp://s.example/"], b"httpseeds": [b"http://h.example/"]},
            ("ftp://s.example/", "http://h.example/"),
            set(),
        ),
        ({b"url-list": [7, b"x"]}, (), {"odd_webseed"}),
        ({b"url-list": 7}, (), {"odd_webseed"}),
    ],
)
def test_web_seeds_are_read(root: dict[bytes, Any], webseeds: Any, flags: set[str]) -> None:
    outlets, found = read(root)
    assert (outlets.webseeds, found) == (webseeds, flags)


@pytest.mark.parametrize(
    ("value", "nodes", "flags"),
    [
        ([[b"n.example", 6881]], ("n.example:6881",), set()),
        ([[b"::1", 1], [b"[::2]", 2]], ("[::1]:1", "[::2]:2"), set()),
        (b"", (), set()),
        ([[b"n.example", b"6881"]], ("n.example:6881",), {"odd_nodes"}),
        ([[6881, b"n.example"]], ("n.example:6881",), {"odd_nodes"}),
        ([b"n.example:6881"], ("n.example:6881",), {"odd_nodes"}),
        (b"n.example:6881", ("n.example:6881",), {"odd_nodes"}),
        ([[b"n.example", 0]], (), {"odd_nodes"}),
        ([[b"n.example", 70_000]], (), {"odd_nodes"}),
        ([[b"", 1], 7, [b"a"], [1, 2], [b"a\x00b", 1]], (), {"odd_nodes"}),
    ],
)
def test_nodes_are_read(value: Any, nodes: Any, flags: set[str]) -> None:
    outlets, found = read({b"nodes": value})
    assert (outlets.nodes, found) == (nodes, flags)


def test_no_more_than_a_thousand_of_each_are_kept() -> None:
    urls = [b"http://%d.example/" % number for number in range(1_500)]
    outlets, flags = read(
        {
            b"announce-list": [[url] for url in urls],
            b"url-list": urls,
            b"nodes": [[b"n", number] for number in range(1, 1_500)],
        }
    )
    assert len(outlets.trackers) == len(outlets.webseeds) == len(outlets.nodes) == 1_000
    assert flags == {"too_many_urls"}


def test_a_url_keeps_no_control_characters() -> None:
    outlets, _ = read({b"announce": b"http://a.example/\x1b[31m\n/x"})
    assert outlets.trackers == (("http://a.example/[31m/x",),)
