"""What leads nowhere is left after a bounded number of pages, and nothing else is."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from harvester.policy.trapwatch import (
    BARREN,
    COPIES,
    GROWING,
    MAX_WATCHED,
    PAGES_THAT_REPEAT,
    TrapWatch,
    kind_of,
    series_of,
)

HOST = "https://x.example"


def pages_until_left(watch: TrapWatch, urls: list[str], fingerprints: list[int], **flags: bool) -> int:
    flags.setdefault("useful", False)
    for count, (url, fingerprint) in enumerate(zip(urls, fingerprints, strict=True), 1):
        if watch.observe(HOST + url, fingerprint, **flags):  # type: ignore[arg-type]  # bools by name
            return count
    return 0


def different(count: int) -> list[int]:
    randomness = random.Random(5)
    return [randomness.getrandbits(64) for _ in range(count)]


def test_a_list_whose_last_page_repeats_is_left_and_its_neighbour_is_not() -> None:
    watch = TrapWatch()
    urls = [f"/viewforum.php?f=2&page={n}" for n in range(1, 20)]
    last = 0xABCDEF
    assert pages_until_left(watch, urls, [1 << 40, *([last] * 18)]) == 1 + 1 + PAGES_THAT_REPEAT
    assert watch.refusal(f"{HOST}/viewforum.php?f=2&page=99") == "pagination_repeats"
    assert watch.refusal(f"{HOST}/viewforum.php?f=3&page=99") is None
    assert watch.left == {"/viewforum.php?f=2&page=#": "pagination_repeats"}


def test_a_page_that_differs_by_a_clock_still_repeats() -> None:
    watch = TrapWatch()
    urls = [f"/list/page/{n}" for n in range(10)]
    assert pages_until_left(watch, urls, [0xFFFF0000 ^ (1 << n % 3) for n in range(10)]) > 0


def test_a_long_list_of_different_pages_is_not_left() -> None:
    watch = TrapWatch()
    urls = [f"/viewforum.php?f=2&start={n * 25}" for n in range(500)]
    assert pages_until_left(watch, urls, different(500)) == 0


def test_pages_alike_that_give_torrents_are_never_left() -> None:
    watch = TrapWatch()
    urls = [f"/view/{n}" for n in range(500)] + [f"/?p={n}" for n in range(500)]
    assert pages_until_left(watch, urls, [7] * 1000, useful=True) == 0


def test_copies_under_ever_new_names_are_left() -> None:
    watch = TrapWatch()
    urls = [f"/x.php?tid={n}&ref={'abcdefgh'[n % 8]}{n}" for n in range(100)]
    assert 0 < pages_until_left(watch, urls, [7] * 100) <= COPIES + 1
    assert watch.refusal(f"{HOST}/x.php?tid=9999&ref=q1") == "copies"


def test_folders_that_look_alike_are_not_left_while_they_lead_to_torrents() -> None:
    watch = TrapWatch()
    watch.observe(f"{HOST}/a1/releases/7/amd64/", 5, useful=True)
    for number in range(3 * COPIES):
        folder = f"{HOST}/a{number}/releases/{number}/"
        assert watch.observe(folder, 77, useful=False, leads_to=[f"{folder}amd64/"]) is None
    for number in range(3 * COPIES):
        folder = f"{HOST}/a{number}/empty/{number}/"
        if watch.observe(folder, 77, useful=False, leads_to=[f"{folder}void/"]):
            return
    raise AssertionError("copies that lead nowhere were not left")


def test_a_few_missing_pages_do_not_cost_the_others() -> None:
    watch = TrapWatch()
    urls = [f"/view/{n}" for n in range(300)]
    missing = [7 if n % 3 else fingerprint for n, fingerprint in enumerate(different(300))]
    assert pages_until_left(watch, urls, missing) == 0


def test_a_calendar_without_end_is_left() -> None:
    watch = TrapWatch()
    urls = [f"/cal.php?mode=month&n={n}" for n in range(200)]
    assert pages_until_left(watch, urls, different(200), feeds_itself=True) == GROWING


def test_a_maze_is_left_and_the_forum_beside_it_is_not() -> None:
    watch = TrapWatch()
    randomness = random.Random(1)
    urls = [f"/maze/{randomness.getrandbits(60):x}" for _ in range(200)]
    assert pages_until_left(watch, urls, different(200), feeds_itself=True) == BARREN
    assert watch.refusal(f"{HOST}/maze/0123456789abcdef") == "barren"
    assert watch.refusal(f"{HOST}/view/5") is None


def test_threads_without_torrents_are_no_trap() -> None:
    watch = TrapWatch()
    urls = [f"/forum.php?mod=viewthread&tid={n}" for n in range(1000)]
    assert pages_until_left(watch, urls, different(1000)) == 0


def test_memory_stays_bounded() -> None:
    watch = TrapWatch()
    for n in range(MAX_WATCHED + 500):
        watch.observe(
            f"{HOST}/{'abcdefghij'[n % 10] * (n // 10)}", n * 0x9E3779B97F4A7C15 % 2**64, useful=False
        )
    assert len(watch._tracks) <= MAX_WATCHED


def test_kind_and_series_say_what_is_open() -> None:
    assert kind_of(f"{HOST}/forum.php?tid=5&mod=viewthread") == "/forum.php?mod=viewthread&tid=#"
    assert kind_of(f"{HOST}/view/0a1b2c3d") == "/view/#"
    assert kind_of(f"{HOST}/about") == "/about"
    assert series_of(f"{HOST}/f.php?f=2&page=3") == [
        ("/f.php?f=#&page=3", 2, False),
        ("/f.php?f=2&page=#", 3, True),
    ]


@given(st.text(max_size=300), st.integers(0, 2**64 - 1))
def test_no_url_breaks_the_watch(url: str, fingerprint: int) -> None:
    watch = TrapWatch()
    for _ in range(3):
        watch.observe(url, fingerprint, useful=False, feeds_itself=True)
    watch.refusal(url)


def test_a_kind_that_was_of_use_before_a_restart_is_not_given_up_sooner_for_it() -> None:
    fresh, recalled = TrapWatch(), TrapWatch()
    recalled.recall_useful(["http://a.example/topic-7"])
    for number in range(BARREN + 1):
        for watch in (fresh, recalled):
            fingerprint = number * 0x9E3779B97F4A7C15 % 2**63
            watch.observe(f"http://a.example/topic-{number}", fingerprint, useful=False, feeds_itself=True)
    assert fresh.refusal("http://a.example/topic-999") is not None
    assert recalled.refusal("http://a.example/topic-999") is None


def test_a_kind_that_gave_many_torrents_is_given_twice_as_many_pages_to_give_another() -> None:
    watch = TrapWatch()
    for number, fingerprint in enumerate(different(400)):
        watch.observe(f"{HOST}/topic-{number}", fingerprint, useful=True)
    urls = [f"/topic-{number}" for number in range(400, 1400)]
    assert pages_until_left(watch, urls, different(1000), feeds_itself=True) == 800
