"""What a demo site really holds, in the columns of the recorded sites' `truth.tsv`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Wall = Literal["none", "login", "reply", "login+reply", "pay", "readperm"]
Form = Literal["attachment", "download", "magnet", "thunder", "plainhash"]


@dataclass(frozen=True, slots=True)
class TruthRow:
    """One torrent in one place.

    `infohash` is the v1 infohash, or the v2 one of a torrent that has no v1; lower-case hex. `url` is
    where its file (or the magnet's, the hash's page) is; for an attachment the token in it is one of
    many, and "" where nobody fetched it. `wall` names what stands before it. `fetched_in` says who gets
    it: `anon`, `login`, `reply`, `not-fetched`, or `-` for what is no file.
    """

    infohash: str
    url: str
    wall: Wall
    page_url: str
    form: Form
    fetched_in: str
