"""Starting and ending the test forum.

    with MachinaSite(template_folder) as site:
        …site.url, site.truth, site.account…

`seed_folder` makes the database once (a second or so); every site works on a copy of its own. As a pytest
fixture for the whole session:

    @pytest.fixture(scope="session")
    def machina_seed(tmp_path_factory):
        return seed_folder(tmp_path_factory.mktemp("machina"))
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from harvester.demo.truth import TruthRow

REPOSITORY = Path(__file__).resolve().parents[2]
ACCOUNT = ("member", "member-password")

# Django and machina warn on newer Pythons about themselves; only their own process is told to be quiet.
_COMMAND = (sys.executable, "-W", "ignore", "-m", "tests.machina.serve")


def seed_folder(folder: Path) -> Path:
    """Migrate and seed a database in an empty folder; return the folder."""
    subprocess.run([*_COMMAND, "seed", str(folder)], cwd=REPOSITORY, check=True, timeout=120)
    return folder


class MachinaSite:
    """A running forum on loopback, made from a seeded folder; `folder` takes its own copy.

    `url` is its start page, `account` its member's name and password.
    """

    def __init__(self, seeded: Path, folder: Path) -> None:
        shutil.copytree(seeded, folder, dirs_exist_ok=True)
        self._process = subprocess.Popen(
            [*_COMMAND, "serve", str(folder)],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.origin = self._process.stdout.readline().strip()
        if not self.origin:
            self.close()
            raise RuntimeError("the test forum did not start; its error is above")
        self.url = f"{self.origin}/"
        self.account = ACCOUNT
        rows = json.loads((folder / "truth.json").read_text())
        self._rows = [TruthRow(**row) for row in rows]

    @property
    def truth(self) -> tuple[TruthRow, ...]:
        """Every torrent, with full URLs; wall `none` is what a guest gets, `login` what a member gets too."""
        return tuple(
            replace(row, url=self._full(row.url), page_url=self._full(row.page_url)) for row in self._rows
        )

    def _full(self, url: str) -> str:
        return self.origin + url if url.startswith("/") else url

    @property
    def for_guests(self) -> frozenset[str]:
        """The infohashes of the files that a guest may download."""
        return frozenset(
            row.infohash for row in self._rows if row.form == "attachment" and row.wall == "none"
        )

    @property
    def for_members(self) -> frozenset[str]:
        """The infohashes of the files that the member may download: all of them."""
        return frozenset(row.infohash for row in self._rows if row.form == "attachment")

    def close(self) -> None:
        """End the process and wait for it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> MachinaSite:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
