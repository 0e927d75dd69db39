"""The database and the blob folder: SQLite (WAL) or PostgreSQL, torrent files over fsspec."""

from __future__ import annotations

from harvester.store.opening import open_store

__all__ = ["open_store"]
