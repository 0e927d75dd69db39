"""Roles of kinds by what their pages show of each other, on a site written as a table."""

from __future__ import annotations

import pytest

from harvester.model.order import Came, PageLink, PageSeen
from harvester.model.site import Role, RuleState
from harvester.patterns.learner import Learner
from harvester.patterns.learner.roles import Roles
from harvester.patterns.rules import RuleSet

H = "http://h.example"
WORDS = ("alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma", "theta")


def title(number: int) -> str:
    return f"{WORDS[number % 8]} {WORDS[number // 8 % 8]} {WORDS[number // 64 % 8]}"


def link(path: str, text: str = "", row: tuple[int, int] | None = None, *, file: bool = False) -> PageLink:
    return PageLink(H + path, "h.example", hash(path), anchor=text, row=row, download=file)


def page(path: str, *links: PageLink, name: str = "", content: str = "") -> PageSeen:
    key = (content or path).encode()
    return PageSeen(H + path, "h.example", hash(path), Came.PAGE, links=links, title=name, page_key=key)


def torrent(path: str) -> PageSeen:
    return PageSeen(H + path, "h.example", hash(path), Came.TORRENT, torrents=1)


def forum(share: int) -> Learner:
    """Boards of 20 threads; each `share`th thread shows a file, all of them posters and posts."""
    learner = Learner(["h.example"])
    learner.observe(page("/", *(link(f"/board/{n}", f"board {title(n)}", (0, n)) for n in range(12))))
    for board in range(12):
        threads = range(board * 20, board * 20 + 20)
        rows = [
            one
            for n in threads
            for one in (
                link(f"/thread/{n}", f"a title of {title(n)}", (0, n)),
                link(f"/member/{n % 90}", f"u{n % 90}", (0, n)),
            )
        ]
        learner.observe(page(f"/board/{board}", *rows))
    for n in range(240):
        posts = [link(f"/post/{n * 10 + k}", f"Re: {title(n + k)} {'x' * k}", (0, k)) for k in range(6)]
        people = [link(f"/member/{(n + k) % 90}", f"poster {title(k)}", (1, k)) for k in range(6)]
        file = [link(f"/file/{n}", "x.torrent", file=True)] if n % share == 0 else []
        learner.observe(page(f"/thread/{n}", *posts, *people, *file))
        if file:
            learner.observe(torrent(f"/file/{n}"))
    for n in range(40):  # a post is its thread once more
        learner.observe(page(f"/post/{n * 10 + 3}", content=f"/thread/{n}"))
    for n in range(30):
        learner.observe(page(f"/member/{n}", link(f"/avatar/{n}", "a picture", (0, 0))))
    return learner


@pytest.mark.parametrize("share", [1, 2, 12, 40])
def test_threads_and_boards_are_told_apart_however_few_threads_show_a_file(share: int) -> None:
    learner = forum(share)
    roles = Roles(learner.tree)

    def role(path: str) -> Role | None:
        verdict = roles.of(learner.kind(H + path))
        return verdict.role if verdict is not None else None

    assert role("/thread/5") is Role.DETAIL
    assert role("/board/5") is Role.LIST
    assert role("/file/0") is Role.DOWNLOAD
    assert role("/member/5") is Role.IGNORE


def test_links_that_look_like_files_and_are_none_make_no_page_about_one_thing() -> None:
    learner = Learner(["h.example"])
    for n in range(20):
        learner.observe(page(f"/item/{n}", link(f"/download/{n}", "Download", file=True)))
        learner.observe(page(f"/download/{n}"))
    verdict = Roles(learner.tree).of(learner.kind(f"{H}/item/1"))
    assert verdict is not None
    assert verdict.role is Role.IGNORE


def test_a_page_that_names_the_row_of_a_file_is_known_without_a_visit() -> None:
    learner = Learner(["h.example"])
    for n in range(10):
        rows = [
            one
            for k in range(n * 10, n * 10 + 10)
            for one in (
                link(f"/view/{k}", f"a title of {title(k)}", (0, k)),
                link(f"/get/{k}.torrent", "", (0, k), file=True),
            )
        ]
        learner.observe(page(f"/?p={n}", *rows))
    for n in range(9):
        learner.observe(torrent(f"/get/{n}.torrent"))
    match = RuleSet(rule for rule in learner.rules() if rule.state is RuleState.ACTIVE).match(f"{H}/view/99")
    assert match is not None
    assert match.role is Role.DETAIL
    assert match.rule.evidence is not None
    assert match.rule.evidence.support == 0


def test_folders_are_lists_however_few_files_they_hold() -> None:
    learner = Learner(["h.example"])
    for n in range(12):
        path = f"/pub/r{n}/"
        learner.observe(
            page(path, link(f"{path}x{n}.torrent", "x", (0, 0), file=True), name=f"Index of {path}")
        )
        learner.observe(torrent(f"{path}x{n}.torrent"))
    verdict = Roles(learner.tree).of(learner.kind(f"{H}/pub/r3/"))
    assert verdict is not None
    assert verdict.role is Role.LIST


def test_all_boards_of_a_small_forum_are_enough() -> None:
    """Five boards are all there are: eight visits are never reached."""
    learner = Learner(["h.example"])
    for board in range(5):
        rows = [
            link(f"/thread/{n}", f"a title of {title(n)}", (0, n)) for n in range(board * 9, board * 9 + 9)
        ]
        learner.observe(page(f"/board/{board}", *rows))
    for n in range(45):
        learner.observe(page(f"/thread/{n}", link(f"/file/{n}", "x.torrent", file=True)))
        learner.observe(torrent(f"/file/{n}"))
    match = RuleSet(rule for rule in learner.rules() if rule.state is RuleState.ACTIVE).match(f"{H}/board/2")
    assert match is not None
    assert match.role is Role.LIST
