"""What the links of a page say of its rows, its files, and whether it is a folder."""

from __future__ import annotations

import pytest

from harvester.model.order import Came, PageLink, PageSeen
from harvester.patterns.learner.structure import Commonplace, Structure, structure_of

ORIGIN = "http://h.example"


def link(path: str, text: str = "", row: tuple[int, int] | None = None, *, file: bool = False) -> PageLink:
    return PageLink(f"{ORIGIN}{path}", "h.example", hash(path), anchor=text, row=row, download=file)


def page(*links: PageLink, url: str = "/list", title: str = "") -> PageSeen:
    return PageSeen(f"{ORIGIN}{url}", "h.example", 1, Came.PAGE, links=links, title=title)


def read(seen: PageSeen, commonplace: Commonplace | None = None) -> Structure:
    return structure_of(seen, commonplace or Commonplace(), lambda link: link.download)


def test_the_longest_text_of_a_row_names_it() -> None:
    rows = [
        (
            link(f"/user/{n}", f"u{n}", (0, n)),
            link(f"/t/{n}", f"A long title, {'x' * n}", (0, n)),
            link(f"/f/{n}", f"name {n}.torrent, as long as any title", (0, n), file=True),
        )
        for n in range(5)
    ]
    found = read(page(*(one for row in rows for one in row)))
    assert [(named.url, beside) for named, beside in found.named] == [
        (f"{ORIGIN}/t/{n}", True) for n in range(5)
    ]
    assert len(found.files) == 5


def test_what_stands_in_every_row_and_dates_name_nothing() -> None:
    links = []
    for n in range(5):
        links += [
            link(f"/t/{n}/new", "Go to the first unread post", (0, n)),
            link(f"/t/{n}", f"title {'abcde'[n]}", (0, n)),
            link(f"/last/{n}", f"2024-05-17 12:3{n}:00 2024-05-17", (0, n)),
        ]
    assert [named.url for named, _ in read(page(*links)).named] == [f"{ORIGIN}/t/{n}" for n in range(5)]


def test_what_stands_on_half_of_the_pages_belongs_to_none() -> None:
    commonplace = Commonplace()
    menu = [link(f"/tag/{n}", f"a tag {n}", (0, n)) for n in range(6)]
    for number in range(6):
        found = page(*menu, link(f"/t/{number}", "a title of its own", (1, 0)))
        commonplace.add(found.links)
    assert [named.url for named, _ in read(found, commonplace).named] == [f"{ORIGIN}/t/5"]


def test_a_link_back_to_the_same_object_is_not_another() -> None:
    links = (link("/details/some-name_2"), link("/details/other"), link("/view?t=77"))
    found = read(page(*links, url="/embed/some-name_2"))
    assert [other.url for other in found.others] == [f"{ORIGIN}/details/other", f"{ORIGIN}/view?t=77"]


@pytest.mark.parametrize(
    ("url", "title", "is_folder"),
    [
        ("/pub/iso/", "Index of /pub/iso/", True),
        ("/pub/iso/", "Содержимое /pub/iso", True),
        ("/", "Index of /", True),
        ("/pub/iso.html", "Index of /pub/iso.html", False),
        ("/2024/05/", "A blog", False),
        ("/t/5/", "A title", False),
    ],
)
def test_a_folder_is_known_by_its_title(url: str, title: str, *, is_folder: bool) -> None:
    assert read(page(url=url, title=title)).is_folder is is_folder
