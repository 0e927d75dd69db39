"""The test forum is django-machina itself, and lets guests and members do what it should."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.machina.site import MachinaSite, seed_folder
from tests.walker import walk

_NOISE = re.compile(
    r"/static/|/mark/|/moderation/|/logout|\?post=|/create/|/update/|/search|/feeds/|/profile/"
)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return seed_folder(tmp_path_factory.mktemp("seeded"))


@pytest.fixture(scope="module")
def site(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MachinaSite]:
    with MachinaSite(seeded, tmp_path_factory.mktemp("forum")) as running:
        yield running


def _follow(site: MachinaSite) -> Callable[[str], bool]:
    return lambda url: url.startswith(site.origin) and not _NOISE.search(url)


def test_a_guest_gets_the_open_files_and_meets_login_at_the_others(site: MachinaSite) -> None:
    with httpx.Client() as client:
        met = walk(client, site.url, follow=_follow(site))
    assert met.files == site.for_guests
    assert met.statuses[302] == 5  # four attachments and the members' board
    assert any("/accounts/login/?next=/attachment/" in url for url in met.pages)


def test_a_member_gets_every_file(site: MachinaSite) -> None:
    with httpx.Client() as client:
        page = client.get(f"{site.origin}/accounts/login/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token
        name, password = site.account
        fields = {"username": name, "password": password, "csrfmiddlewaretoken": token[1], "next": "/"}
        answer = client.post(f"{site.origin}/accounts/login/", data=fields)
        assert (answer.status_code, answer.headers["location"]) == (302, "/")
        met = walk(client, site.url, follow=_follow(site))
    assert met.files == site.for_members


def test_boards_and_a_topic_have_several_pages(site: MachinaSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        for board in ("open-torrents-2", "look-do-not-touch-3", "small-talk-6"):
            assert client.get(f"/forum/{board}/?page=2").status_code == 200
        long = next(row for row in site.truth if "-3/" in row.page_url and "/topic/" in row.page_url)
        assert client.get(f"{long.page_url}?page=3").status_code == 200


def test_truth_pages_show_magnets_and_hashes(site: MachinaSite) -> None:
    with httpx.Client() as client:
        for row in site.truth:
            if row.wall == "none" and row.form in ("magnet", "plainhash"):
                assert row.infohash in client.get(row.page_url).text


def test_the_process_ends_with_its_owner(seeded: Path, tmp_path: Path) -> None:
    running = MachinaSite(seeded, tmp_path)
    address = running.url
    running.close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)
