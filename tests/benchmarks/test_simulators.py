from __future__ import annotations

from collections import Counter, deque
from urllib.parse import urljoin

import pytest

from benchmarks.simulators import FAMILIES, Simulator, build
from benchmarks.simulators.base import CONTENT
from harvester.links import canonical_key, extract_links
from harvester.model.site import Role
from harvester.torrents import parse_torrent

SMALL = 0.04
_FETCHED = {*CONTENT, Role.DATA}


def walk(site: Simulator, most: int = 150) -> list[tuple[str, bytes]]:
    """The first `most` answers of a walk over content pages and downloads, redirects followed."""
    answers, seen, queue = [], {site.start}, deque([site.start])
    while queue and len(answers) < most:
        url = queue.popleft()
        answer = site.fetch(url, site.cookies)
        answers.append((url, answer.body))
        links = [answer.location] if answer.location else []
        if answer.status == 200 and b"<html" in answer.body[:200].lower():
            links = [link.url for link in extract_links(answer.body.decode(), url).links]
        for link in links:
            link = urljoin(url, link).partition("#")[0]
            target = site.truth(link)
            key = canonical_key(link)
            if target is not None and key not in seen and target.role in {*_FETCHED, Role.DOWNLOAD}:
                seen.add(key)
                queue.append(link)
    return answers


def linked(site: Simulator, pages: int = 60) -> dict[str, Role | None]:
    """The truth about every URL that a walk sees links to, by identity."""
    found: dict[str, Role | None] = {}
    for url, body in walk(site, pages):
        if b"<html" in body[:200].lower():
            for link in extract_links(body.decode(), url).links:
                if link.url.startswith(site.origin):
                    target = site.truth(link.url)
                    found[canonical_key(link.url)] = target.role if target else None
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_bytes(family: str):
    assert walk(build(family, 7, size=SMALL), 40) == walk(build(family, 7, size=SMALL), 40)


@pytest.mark.parametrize("family", FAMILIES)
def test_another_seed_gives_another_site(family: str):
    assert set(build(family, 1, size=SMALL).torrents) != set(build(family, 2, size=SMALL).torrents)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_walk_over_content_changes_nothing_and_finds_torrents(family: str):
    site = build(family, 5, size=SMALL)
    files = {torrent.content for torrent in site.torrents.values()}
    bodies = [body for _, body in walk(site, 220)]
    assert sum(body in files for body in bodies) >= 3
    assert site.state_changes == []


@pytest.mark.parametrize("family", FAMILIES)
def test_few_links_of_a_site_lead_to_nothing(family: str):
    roles = Counter(linked(build(family, 5, size=SMALL)).values())
    assert roles[None] <= 0.02 * roles.total()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_torrents_are_valid_and_are_what_they_are_called(family: str):
    site = build(family, 1, size=SMALL)
    torrent = next(iter(site.torrents.values()))
    assert parse_torrent(torrent.content).infohash_v1 == torrent.infohash


@pytest.mark.parametrize("family", [name for name, kind in FAMILIES.items() if kind.is_forum])
def test_about_half_of_the_links_of_a_forum_are_noise(family: str):
    """Measured on saved pages: content is about half of the links, actions at most 21 %."""
    shares = Counter(linked(build(family, 2, size=0.1), 60).values())
    content = sum(shares[role] for role in CONTENT) + shares[Role.DOWNLOAD]
    assert 0.02 <= content / shares.total() <= 0.6
    assert shares[Role.ACTION] > 0


@pytest.mark.parametrize("family", [name for name, kind in FAMILIES.items() if kind.can_move])
@pytest.mark.parametrize("forgets", [False, True])
def test_a_moved_site_answers_old_urls_with_a_redirect_or_not_at_all(family: str, forgets: bool):
    site = build(family, 1, size=SMALL)
    old = next(url for url, role in linked(site).items() if role is Role.DETAIL)
    moved = build(family, 1, size=SMALL, moves_after=0, forgets=forgets)
    answer = moved.fetch(old)
    if forgets:
        assert answer.status == 404
    else:
        assert answer.status == 301
        there, was = moved.truth(answer.location), site.truth(old)
        assert there is not None
        assert was is not None
        assert there.identity == was.identity
        assert moved.fetch(answer.location).status == 200


def test_a_state_changing_request_is_remembered():
    site = build("discuz", 1, size=SMALL)
    url = f"{site.origin}/forum.php?mod=misc&action=recommend&do=add&tid=1&hash=abc"
    site.fetch(url)
    assert site.state_changes == [url]


def test_the_index_with_a_page_cap_ends_at_it():
    site = build("nyaa", 1)
    assert site.fetch(f"{site.origin}/?p=25").status == 200
    assert site.fetch(f"{site.origin}/?p=26").status == 404
    assert len(site.torrents) > 25 * 40


def test_a_phpbb_session_goes_on_when_its_sid_comes_back():
    site = build("phpbb-sid", 1, size=SMALL)
    first = site.fetch(site.start).body.decode().partition("sid=")[2][:32]
    again = site.fetch(f"{site.origin}/index.php?sid={first}").body.decode()
    other = site.fetch(site.start).body.decode().partition("sid=")[2][:32]
    assert {piece[:32] for piece in again.split("sid=")[1:]} == {first}
    assert other != first


def test_a_discuz_attachment_link_differs_on_every_view_and_has_one_identity():
    site = build("discuz", 1, size=0.2)
    thread = next(t for t in site.threads.values() if t.posts[0].attachments and not t.posts[0].wall)  # type: ignore[attr-defined]  # a forum family
    url = f"{site.origin}/forum.php?mod=viewthread&tid={thread.number}"

    def attachment() -> str:
        links = extract_links(site.fetch(url).body.decode(), url).links
        return next(link.url for link in links if "mod=attachment" in link.url)

    one, two = attachment(), attachment()
    assert one != two
    first, second = site.truth(one), site.truth(two)
    assert first is not None
    assert first == second


def test_the_details_of_the_tracker_are_reached_by_a_redirect_alone():
    site = build("tracker-details", 1, size=SMALL)
    body = site.fetch(f"{site.origin}/torrents.php").body.decode()
    details = [
        link.url
        for link in extract_links(body, f"{site.origin}/torrents.php").links
        if "/details.php" in link.url
    ]
    assert details
    assert all("hit=1" in url for url in details)
    assert "download.php" not in body
    answer = site.fetch(details[0])
    assert answer.status == 302
    assert "hit=" not in answer.location
