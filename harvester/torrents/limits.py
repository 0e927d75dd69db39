"""The limits every torrent file is read under, so that any input ends within 2 seconds and 200 MB."""

from __future__ import annotations

MAX_BYTES = 10_000_000
"""A torrent file, also after it is taken out of gzip."""

MAX_DEPTH = 100
"""Lists and dictionaries inside one another, the root included."""

MAX_ITEMS = 3_000_000
"""Values and keys; see the weights below."""

LIST_WEIGHT = 4
DICT_WEIGHT = 8
KEY_WEIGHT = 2
ODD_WEIGHT = 3
"""What an item counts: an integer or a string 1, and these, after the memory each takes in Python (about
32 bytes a unit) or, for negative and malformed integers, the time; so that the one count bounds all."""

MAX_FILES = 100_000
"""Files of one torrent, pad files included."""

MAX_COMPONENTS = 500_000
"""Folders and names in all paths of one torrent together."""
