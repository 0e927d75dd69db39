"""Icons in rows."""

from __future__ import annotations

from harvester.links import extract_links
from harvester.links.marks import MAX_ICONS
from harvester.model.link import Row

URL = "http://a.example/"


def rows(*icons: str) -> str:
    return "".join(
        f"<tr><td>{icon}</td><td><a href='/t{n}'>title</a></td></tr>" for n, icon in enumerate(icons)
    )


def test_equal_icons_have_equal_numbers_whatever_their_folder_and_digits() -> None:
    clip, other = "<img src='/img/clip.png'>", "<img src='https://cdn.example/v2/clip.png?x=1'>"
    avatar, second = "<img src='/a/avatar_17.png'>", "<img src='/a/avatar_4.png'>"
    page = extract_links(f"<table>{rows(clip, other, avatar, second, '')}</table>", URL)
    assert page.marks is not None
    told = [page.marks.get(link.row, ()) for link in page.links if link.row is not None]
    assert told[0] == told[1] != told[2] == told[3]
    assert len(told[0]) == 1
    assert told[4] == ()


def test_an_icon_made_of_a_class_counts_beside_pictures() -> None:
    both = "<img src='folder.gif'><i class='icon fa-paperclip'></i>"
    page = extract_links(f"<table>{rows(both, both, '<img src=folder.gif>')}</table>", URL)
    assert page.marks is not None
    assert [len(page.marks[Row(0, n)]) for n in range(3)] == [2, 2, 1]
    assert set(page.marks[Row(0, 2)]) < set(page.marks[Row(0, 0)])


def test_nothing_is_said_of_a_page_full_of_pictures() -> None:
    page = extract_links(f"<table>{rows(*['<img src=x.png>'] * (MAX_ICONS + 1))}</table>", URL)
    assert page.marks is None
