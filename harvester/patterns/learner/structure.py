"""What the links of one page say about the kinds they lead to: lists by their rows, files, folders.

What stands on half of the site's pages (menus, tag clouds, boxes of the newest) belongs to none of them and
is left out. Of a row, the link with the longest text names what the row is about (Jiang et al., FoCUS, TKDE
2013: index pages link threads by their titles).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote

from harvester.model.order import PageLink, PageSeen

LEAST_TEXT = 3
"""Letters of a text that names something."""
_COMMON_SHARE = 0.5
_COMMON_PAGES = 3
_MOST_LINKS = 200_000
_INDEX = ("index of", "directory listing")


class Commonplace:
    """Counts on how many pages each link stands, in bounded memory."""

    def __init__(self) -> None:
        self._pages = 0
        self._counts: dict[int, int] = {}

    def add(self, links: Iterable[PageLink], counts_for: int = 1) -> None:
        """Take in the links of one page, which stands for as many pages as it `counts_for`."""
        self._pages += counts_for
        counts = self._counts
        if len(counts) > _MOST_LINKS:
            counts = self._counts = {key: count for key, count in counts.items() if count > 1}
            if len(counts) > _MOST_LINKS:
                counts.clear()
        for key in {link.key_hash for link in links}:
            counts[key] = counts.get(key, 0) + counts_for

    def __call__(self, link: PageLink) -> bool:
        """Whether a link stands on half of the pages."""
        count = self._counts.get(link.key_hash, 0)
        return count >= _COMMON_PAGES and count >= _COMMON_SHARE * self._pages


@dataclass(slots=True)
class Structure:
    """What a page shows. `named` are the links that name its rows, each with whether a file stands in its
    row; `files` the different links that look like downloads; `others` those to other objects, files
    among them; `is_folder` a web server's list of files."""

    named: list[tuple[PageLink, bool]] = field(default_factory=list)
    files: list[PageLink] = field(default_factory=list)
    others: list[PageLink] = field(default_factory=list)
    is_folder: bool = False


def structure_of(
    seen: PageSeen, is_common: Callable[[PageLink], bool], is_file: Callable[[PageLink], bool]
) -> Structure:
    """Read the rows and files of a page."""
    found = Structure(is_folder=_is_folder(seen))
    rows: defaultdict[tuple[int, int], list[PageLink]] = defaultdict(list)
    keys: set[int] = set()
    own = seen.url.partition("://")[2]
    for link in seen.links:
        if is_common(link):
            continue
        if link.row is not None:
            rows[link.row].append(link)
        if link.key_hash not in keys and is_file(link):
            keys.add(link.key_hash)
            found.files.append(link)
        if not _leads_back(link, own):
            found.others.append(link)
    texts = Counter((row[0], link.anchor) for row, links in rows.items() for link in links)
    named: set[int] = set()
    for row, links in rows.items():
        others = [link for link in links if link.key_hash not in keys]
        if not others:
            continue
        # "Go to the first unread post" stands in every row, a title in one.
        own_texts = [link for link in others if texts[row[0], link.anchor] == 1]
        name = max(own_texts or others, key=_length_of_text)
        if name.key_hash not in named and (_length_of_text(name) >= LEAST_TEXT or len(others) == 1):
            named.add(name.key_hash)
            found.named.append((name, len(others) < len(links)))
    return found


def _length_of_text(link: PageLink) -> int:
    """Letters of its text: dates and counts name nothing."""
    return sum(map(str.isalpha, link.anchor))


def _leads_back(link: PageLink, own: str) -> bool:
    """Whether the link names the object that the page's own address names (`/embed/ID` on `/details/ID`)."""
    path, _, query = link.url.partition("#")[0].partition("?")
    name = query.rpartition("=")[2] if query else path.rstrip("/").rpartition("/")[2]
    if not name or name not in own:
        return False
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(name)}(?![0-9A-Za-z])", own) is not None


def _is_folder(seen: PageSeen) -> bool:
    """Whether the page is a folder: its address ends like one, and its title says so or is its path."""
    path = seen.url.partition("://")[2].partition("/")[2].partition("?")[0]
    if path and not path.endswith("/"):
        return False
    title = seen.title.strip().lower()
    return title.startswith(_INDEX) or (
        len(path) > 2 and title.rstrip("/").endswith(unquote(path).lower().rstrip("/"))
    )
