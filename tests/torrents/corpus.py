"""The torrent files of public test suites, with what libtorrent says of each."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "torrents"


@dataclass(frozen=True, slots=True)
class Sample:
    """One file: its name, its bytes, and libtorrent's word on it.

    `infohash_v1` is empty when there is none; `sha1` is that of `info` as found, empty without one.
    """

    name: str
    body: bytes
    accepted: bool
    refusal: str
    sha1: str
    infohash_v2: str

    @property
    def infohash_v1(self) -> str:
        """libtorrent's v1 infohash: the list gives the SHA-1 of `info` also for version 2 alone."""
        return "" if self.infohash_v2 and not self._has_v1() else self.sha1

    def _has_v1(self) -> bool:
        import libtorrent

        return bool(libtorrent.torrent_info(self.body).info_hashes().has_v1())


@cache
def samples() -> tuple[Sample, ...]:
    """All 282 files, in the order of the list."""
    with (FOLDER / "expected.tsv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Sample(
                name=row["file"],
                body=(FOLDER / row["file"]).read_bytes(),
                accepted=row["libtorrent_2_1_1"] == "accepts",
                refusal=row["libtorrent_2_1_1"].removeprefix("rejects: "),
                sha1=row["v1"],
                infohash_v2=row["v2"],
            )
            for row in csv.DictReader(file, delimiter="\t")
        )


def accepted() -> list[Sample]:
    """Those that libtorrent accepts."""
    return [sample for sample in samples() if sample.accepted]
