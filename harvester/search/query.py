"""The query language.

ubuntu server               both words, anywhere in names, titles, comments and file paths
"big buck"                  these words next to each other
ubuntu -server              without this word; NOT server says the same
debian OR fedora            one of them; OR binds looser than words side by side
ubuntu (iso OR img)         brackets group
ubun*                       words that begin so
size:>1GB size:1GB..4GiB    bytes; B, kB/KB, MB, GB, TB are decimal, KiB, MiB, GiB, TiB binary
date:>2024-01-31 date:2024  first seen; a day, month or year, or 7d: that long ago
created:<2020               the date in the torrent itself
files:>10
site: ext: lang: type: private:yes wall: publisher:
hash:…                      infohash (hex, base32, v1, v2) or MD5; a bare hash or magnet link is seen too
"""

from __future__ import annotations

from harvester.model.query import Node

MAX_QUERY = 1000
"""Characters."""
MAX_TERMS = 64
MAX_DEPTH = 16


def parse_query(text: str, *, now: float) -> Node:
    """The tree of a query; `Everything` for an empty one. `now` (UTC seconds) is what `7d` counts from.

    Raises `QueryError` with the position (characters from 0) and what is wrong there.
    """
    raise NotImplementedError
