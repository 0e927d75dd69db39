"""Held out: a mirror's directory listing of software releases, torrents beside the images they are for.

Every folder sorts by four columns in two orders; folders nest; old releases link to each other by symbolic
names (`latest/`), which shows the same content under another path.
"""

from __future__ import annotations

from typing import ClassVar

from benchmarks.simulators import words
from benchmarks.simulators.base import (
    Asked,
    SimResponse,
    SimTorrent,
    Simulator,
    Target,
    not_found,
    page,
    torrent_file,
)
from harvester.model.site import Role

_EDITIONS = ("desktop", "server", "minimal", "live")
_MACHINES = ("amd64", "arm64", "i386", "riscv64")
_EXTRA = ("SHA256SUMS", "SHA256SUMS.gpg", "MANIFEST", "FOOTER.txt")


class DirectoryListing(Simulator):
    """See the module."""

    family: ClassVar[str] = "directory-listing"

    def build(self) -> None:
        """Projects, releases, machines; packages without torrents beside them."""
        rng = self.random
        self._folders: dict[str, list[str]] = {"/": []}
        self._files: dict[str, SimTorrent | None] = {}
        self._links: dict[str, str] = {}
        for project in words.user_names(rng, self.scaled(24, 3)):
            self._folder(f"/{project}/")
            releases = [
                f"{rng.randint(8, 24)}.{rng.choice(('04', '10', '1', '2'))}-{n}"
                for n in range(rng.randint(2, 6))
            ]
            for release in releases:
                for machine in rng.sample(_MACHINES, rng.randint(1, 3)):
                    self._release(
                        f"/{project}/releases/{release}/{machine}/", f"{project}-{release}", machine
                    )
            self._links[f"/{project}/latest/"] = f"/{project}/releases/{releases[-1]}/"
            self._folders[f"/{project}/"].append("latest/")
            for letter in rng.sample("abcdefghklmnprstvw", 9):
                for _ in range(rng.randint(3, 9)):
                    package = f"/{project}/pool/{letter}/{letter}{rng.choice(words.user_names(rng, 3))}/"
                    self._folder(package)
                    for version in range(rng.randint(1, 4)):
                        self._file(f"{package}{package.split('/')[-2]}_{version}.deb", None)

    def _release(self, folder: str, name: str, machine: str) -> None:
        self._folder(folder)
        for edition in _EDITIONS[: self.random.randint(1, 4)]:
            image = f"{name}-{edition}-{machine}.iso"
            self._file(folder + image, None)
            if self.random.random() < 0.9:
                self._file(f"{folder}{image}.torrent", self.add_torrent(image))
        for extra in _EXTRA:
            self._file(folder + extra, None)

    def _folder(self, path: str) -> None:
        if path in self._folders:
            return
        parent, _, name = path.rstrip("/").rpartition("/")
        self._folder(parent + "/")
        self._folders[path] = []
        self._folders[parent + "/"].append(name + "/")

    def _file(self, path: str, torrent: SimTorrent | None) -> None:
        if path not in self._files:
            folder, _, name = path.rpartition("/")
            self._folders[folder + "/"].append(name)
            self._files[path] = torrent

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Folders, their sort orders, files."""
        real = path
        for link, there in self._links.items():
            if path.startswith(link):
                real = there + path.removeprefix(link)
        if real in self._folders:
            if query:
                return Target(Role.IGNORE, f"folder:{real}:{sorted(query.items())}", "folder", (path, real))
            role = Role.START if path == "/" else Role.LIST
            return Target(role, f"folder:{real}", "folder", (path, real))
        if self._files.get(real) is not None:
            return Target(Role.DOWNLOAD, f"file:{real}", "file", (real,))
        return Target(Role.IGNORE, f"file:{real}", "file", (real,)) if real in self._files else None

    def page_folder(self, asked: Asked, path: str, real: str) -> SimResponse:
        """A listing as Apache makes it."""
        names = sorted(self._folders[real])
        heads = "".join(
            f'<th><a href="?C={column};O={order}">{text}</a></th>'
            for column, order, text in (
                ("N", "D", "Name"),
                ("M", "A", "Last modified"),
                ("S", "A", "Size"),
                ("D", "A", "Description"),
            )
        )
        parent = (
            f'<tr><td><a href="{path.rstrip("/").rpartition("/")[0]}/">Parent Directory</a></td></tr>'
            if path != "/"
            else ""
        )
        rows = "".join(
            f'<tr><td valign="top"><img src="/icons/unknown.gif"></td><td><a href="{name}">{name}</a></td><td>2023-04-20</td><td>-</td></tr>'
            for name in names
        )
        return page(
            f"<html><head><title>Index of {path}</title></head><body><h1>Index of {path}</h1><table><tr>{heads}</tr>{parent}{rows}</table></body></html>"
        )

    def page_file(self, asked: Asked, path: str) -> SimResponse:
        """A torrent, or some bytes of another file."""
        torrent = self._files[path]
        if torrent is not None:
            return torrent_file(torrent)
        if path.endswith((".iso", ".deb")):
            return SimResponse(200, (("Content-Type", "application/octet-stream"),), b"\x7fimage" * 40)
        return (
            SimResponse(200, (("Content-Type", "text/plain"),), b"d41d8cd98f00b204e9800998ecf8427e  file\n")
            if path
            else not_found()
        )
