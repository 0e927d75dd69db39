from __future__ import annotations

from collections.abc import Mapping

from benchmarks.oracle import PageNode, SiteGraph, explore, lower_bound, trajectory
from benchmarks.simulators import build


def graph(pages: Mapping[str, tuple[str, str]], costs: Mapping[str, int] | None = None) -> SiteGraph:
    """`{"page": ("links", "torrents")}` with names of one letter; the first page is the start."""
    costs = costs or {}
    nodes = {
        name: PageNode(costs.get(name, 1), tuple(links), dict.fromkeys(torrents, 1))
        for name, (links, torrents) in pages.items()
    }
    return SiteGraph(next(iter(nodes)), nodes)


def test_a_site_of_one_page_costs_the_page_and_its_torrents():
    assert lower_bound(graph({"s": ("", "12")}), 1.0) == 3


def test_a_share_needs_only_so_many_torrents():
    assert lower_bound(graph({"s": ("", "0123456789")}), 0.9) == 1 + 9


def test_a_page_may_be_fetched_only_by_way_of_fetched_pages():
    assert lower_bound(graph({"s": ("a", ""), "a": ("b", ""), "b": ("", "1")}), 1.0) == 3 + 1


def test_pages_that_lead_nowhere_are_not_paid_for():
    assert lower_bound(graph({"s": ("abc", ""), "a": ("", "1"), "b": ("", ""), "c": ("b", "")}), 1.0) == 2 + 1


def test_a_torrent_in_two_places_is_fetched_once():
    assert lower_bound(graph({"s": ("ab", "1"), "a": ("", "1"), "b": ("", "12")}), 1.0) == 2 + 2


def test_the_shorter_way_is_taken():
    site = graph({"s": ("ab", ""), "a": ("t", ""), "b": ("c", ""), "c": ("t", ""), "t": ("", "1")})
    assert lower_bound(site, 1.0) == 3 + 1


def test_a_redirect_is_paid_for():
    assert lower_bound(graph({"s": ("a", ""), "a": ("", "1")}, {"a": 2}), 1.0) == 1 + 2 + 1


def test_one_list_of_everything_is_worth_more_than_single_pages():
    site = graph({"s": ("abcl", ""), "a": ("", "1"), "b": ("", "2"), "c": ("", "3"), "l": ("", "123")})
    assert lower_bound(site, 1.0) == 2 + 3


def test_for_a_share_the_dear_corner_is_left_out():
    """Nine torrents behind one list, the tenth at the end of a chain."""
    site = graph({"s": ("lx", ""), "l": ("", "123456789"), "x": ("y", ""), "y": ("z", ""), "z": ("", "0")})
    assert lower_bound(site, 0.9) == 2 + 9
    assert lower_bound(site, 1.0) == 5 + 10


def test_a_list_is_opened_for_the_pages_behind_it():
    """Three details behind `l` against one behind each of `m` and `n`: a share of three needs only `l`."""
    site = graph(
        {
            "s": ("mnl", ""),
            "m": ("p", ""),
            "n": ("q", ""),
            "l": ("abc", ""),
            "a": ("", "1"),
            "b": ("", "2"),
            "c": ("", "3"),
            "p": ("", "4"),
            "q": ("", "5"),
        }
    )
    assert lower_bound(site, 0.6) == 1 + 1 + 3 + 3


def test_the_way_to_all_torrents_never_loses_one():
    steps = trajectory(graph({"s": ("ab", "1"), "a": ("c", "2"), "b": ("", "3"), "c": ("", "45")}))
    assert [torrents for _, torrents in steps] == sorted(torrents for _, torrents in steps)
    assert steps[-1] == (4 + 5, 5)


def test_exploring_finds_what_a_guest_can_reach_and_no_more():
    site = build("discuz", 3, size=0.05)
    explored = explore(site)
    hidden = {
        attachment.torrent.infohash
        for attachment in site.attachments.values()  # type: ignore[attr-defined]  # a forum family
        if site.open_attachment(attachment.number) is None  # type: ignore[attr-defined]  # as above
    }
    open_ = {
        attachment.torrent.infohash
        for attachment in site.attachments.values()  # type: ignore[attr-defined]  # as above
        if site.open_attachment(attachment.number) is not None  # type: ignore[attr-defined]  # as above
    }
    assert explored.graph.torrents == open_
    assert hidden


def test_exploring_changes_nothing_on_the_site():
    site = build("nexusphp", 1, size=0.05)
    explore(site)
    assert site.state_changes == []
