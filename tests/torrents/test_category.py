"""The category follows the largest file, then the name, then the other files."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.torrents.category import category_of


@pytest.mark.parametrize(
    ("name", "main", "category"),
    [
        ("Big Buck Bunny", "Big Buck Bunny/bunny.mkv", "video"),
        ("Sintel", "Sintel/SINTEL.MP4", "video"),
        ("Kimiko Ishizaka - Open Goldberg Variations", "01 - Aria.flac", "audio"),
        ("ubuntu-24.04-desktop-amd64.iso", "ubuntu-24.04-desktop-amd64.iso", "software"),
        ("debian-12.5.0-netinst", "debian.iso", "software"),
        ("Some.Tool.v3", "Some.Tool.v3/setup.exe", "software"),
        ("Open Game GOG", "setup_open_game.exe", "games"),
        ("Homebrew", "homebrew.nsp", "games"),
        ("Open textbooks", "algebra.pdf", "books"),
        ("Photos of the moon", "moon/001.jpg", "images"),
        ("Some.Show.S01E02.1080p.WEB-DL", "", "video"),
        ("Some.Show.S01E02.1080p.WEB-DL", "show.rar", "video"),
        ("Band - Album (2004) [FLAC]", "", "audio"),
        ("甄嬛传 第8集 双语字幕", "", "video"),
        ("某专辑 无损", "cd.zip", "audio"),
        ("三体 电子书", "", "books"),
        ("unknown thing", "", "other"),
        ("unknown.epub", "", "books"),
        ("", "", "other"),
        ("x", ".mkv", "other"),
    ],
)
def test_a_torrent_is_what_its_largest_file_and_name_say(name: str, main: str, category: str) -> None:
    assert category_of(name, main) == category


def test_the_other_files_decide_when_nothing_else_does() -> None:
    assert category_of("collection", "all.zip", ["all.zip", "a.jpg", "b.jpg", "c.txt"]) == "images"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.lists(st.text(max_size=20), max_size=5))
def test_any_text_has_a_category(name: str, main: str, paths: list[str]) -> None:
    assert category_of(name, main, paths) in {
        "video", "audio", "software", "books", "games", "images", "other",
    }  # fmt: skip


def test_a_hostile_name_takes_no_time() -> None:
    start = time.perf_counter()
    for text in ("s1" * 100_000, "h 26 " * 50_000, "第1" * 100_000, "_" * 500_000):
        category_of(text, text, [text])
    assert time.perf_counter() - start < 0.5
