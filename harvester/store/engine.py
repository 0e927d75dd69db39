"""Opening the store."""

from __future__ import annotations

from harvester.ports.store import Store


def open_store(url: str, blobs_url: str, *, create: bool = True) -> Store:
    """Open the database at `url` and the blob store at `blobs_url`, migrated to this version's schema.

    `url` is an SQLAlchemy URL (`sqlite:////data/harvest.db`, `postgresql+psycopg://…`), `blobs_url` a
    folder or any fsspec URL (`s3://…`). `create` false: `NotFound` when there is no database yet.
    Raises the errors of `harvester.ports.store`; `StoreDamaged` for a database that a newer version wrote.
    """
    raise NotImplementedError
