"""Less space for each torrent: lists of trackers once each, two indexes that cost more than they save."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from harvester.store.values import tracker_key

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_AT_ONCE = 5_000


def upgrade() -> None:
    """Move trackers into a table of their own; index v2 infohashes where there are any, files by MD5 only.

    File lists and addresses of sightings keep the form in which they are: both forms are read.
    """
    op.create_table(
        "tracker_list",
        sa.Column(
            "hash", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("trackers_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tracker_list")),
    )
    op.add_column("variant", sa.Column("trackers_hash", sa.BigInteger(), nullable=True))
    _move_trackers(op.get_bind())
    with op.batch_alter_table("variant") as batch:
        batch.drop_constraint("uq_variant_sha256", type_="unique")
        batch.drop_column("trackers_json")
    with op.batch_alter_table("torrent") as batch:
        batch.drop_constraint("uq_torrent_infohash_v2", type_="unique")
    there = sa.text("infohash_v2 IS NOT NULL")
    op.create_index(
        "uq_torrent_infohash_v2",
        "torrent",
        ["infohash_v2"],
        unique=True,
        sqlite_where=there,
        postgresql_where=there,
    )


def _move_trackers(connection: sa.Connection) -> None:
    page = sa.text(
        "SELECT id, trackers_json FROM variant WHERE id > :after AND trackers_json <> '' ORDER BY id LIMIT :n"
    )
    put = sa.text(
        "INSERT INTO tracker_list (hash, trackers_json) VALUES (:hash, :trackers) ON CONFLICT DO NOTHING"
    )
    point = sa.text("UPDATE variant SET trackers_hash = :hash WHERE id = :id")
    after = 0
    while rows := connection.execute(page, {"after": after, "n": _AT_ONCE}).all():
        keyed = [{"id": row[0], "hash": tracker_key(row[1]), "trackers": row[1]} for row in rows]
        connection.execute(put, list({one["hash"]: one for one in keyed}.values()))
        connection.execute(point, keyed)
        after = rows[-1][0]
