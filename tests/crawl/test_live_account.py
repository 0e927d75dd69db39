"""A crawl of a real django-machina forum with the member's account."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.crawl.options import CrawlOptions, Progress
from harvester.model.site import Account, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import SECONDS, crawl, harvested, settings_in, store_in
from tests.machina.site import ACCOUNT, MachinaSite, seed_folder


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return seed_folder(tmp_path_factory.mktemp("machina-seed"))


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHINA_USER", ACCOUNT[0])
    monkeypatch.setenv("MACHINA_PASSWORD", ACCOUNT[1])


def members_site(url: str) -> SiteFile:
    return replace(site_from_url(url), account=Account("MACHINA_USER", "MACHINA_PASSWORD"))


def test_a_member_gets_every_file_that_members_are_shown(seeded: Path, tmp_path: Path) -> None:
    with MachinaSite(seeded, tmp_path / "forum") as site:
        report = crawl(tmp_path / "data", members_site(site.url))
        with store_in(tmp_path / "data") as store:
            got = harvested(store)
            logins = [event.detail["verdict"] for event in store.events(kind="login")]
        assert report.state == "finished"
        assert got.files == site.for_members
        assert logins == ["ok"]


def test_a_session_that_ends_in_the_middle_is_taken_up_again_and_nothing_is_lost(
    seeded: Path, tmp_path: Path
) -> None:
    ended: list[int] = []

    def end_sessions(progress: Progress) -> None:
        if not ended and progress.figures.pages >= 12:
            ended.append(progress.figures.pages)
            with (
                closing(sqlite3.connect(tmp_path / "forum" / "forum.sqlite3", timeout=20)) as database,
                database,
            ):
                database.execute("DELETE FROM django_session")

    with MachinaSite(seeded, tmp_path / "forum") as site, store_in(tmp_path / "data") as store:
        wiring.full_crawl(
            settings_in(tmp_path / "data"),
            store,
            members_site(site.url),
            CrawlOptions(max_seconds=SECONDS),
            end_sessions,
        )
        assert ended
        assert harvested(store).files == site.for_members
        logins = [event.detail["verdict"] for event in store.events(kind="login")]
        assert logins == ["ok", "ok"]
        assert len(store.events(kind="session_expired")) == 1


def test_the_session_is_kept_for_the_next_run_in_a_file_of_its_owner_only(
    seeded: Path, tmp_path: Path
) -> None:
    with MachinaSite(seeded, tmp_path / "forum") as site:
        first = members_site(site.url)
        crawl(tmp_path / "data", first)
        crawl(tmp_path / "data", first)
        with store_in(tmp_path / "data") as store:
            assert len(store.events(kind="login")) == 1
            assert harvested(store).files == site.for_members
        (kept,) = (tmp_path / "data" / "sessions").glob("*.json")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert ACCOUNT[1] not in kept.read_text()


def test_what_a_guests_crawl_parked_is_taken_once_there_is_an_account(seeded: Path, tmp_path: Path) -> None:
    with MachinaSite(seeded, tmp_path / "forum") as site:
        guest = site_from_url(site.url)
        crawl(tmp_path / "data", guest)
        with store_in(tmp_path / "data") as store:
            parked = [item for item in store.parked() if item.kind == "login"]
        assert parked
        crawl(tmp_path / "data", replace(members_site(site.url)), run=wiring.refresh)
        with store_in(tmp_path / "data") as store:
            assert harvested(store).files >= site.for_guests
            assert not [item for item in store.parked() if item.kind == "login"]
            taken = {sighting.download_url for one in store.iter_torrents() for sighting in one.sightings}
        assert {item.url for item in parked if item.role == "download"} <= taken


def test_a_refused_password_is_sent_once_and_not_again_until_it_changes(
    seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with MachinaSite(seeded, tmp_path / "forum") as site:
        monkeypatch.setenv("MACHINA_PASSWORD", "wrong-password")
        for _ in range(2):
            crawl(tmp_path / "data", members_site(site.url))
        with store_in(tmp_path / "data") as store:
            logins = [event.detail["verdict"] for event in store.events(kind="login")]
            assert harvested(store).files == site.for_guests
        assert logins == ["bad_credentials"]
        monkeypatch.setenv("MACHINA_PASSWORD", ACCOUNT[1])
        crawl(tmp_path / "data", members_site(site.url))
        with store_in(tmp_path / "data") as store:
            assert harvested(store).files == site.for_members
