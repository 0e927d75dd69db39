"""Less space for each torrent: variants by torrent and half an MD5, lists of trackers once each.

And when the title of a page changed, so that a search index learns of it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from harvester.store.values import halves, tracker_key

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_AT_ONCE = 5_000


def upgrade() -> None:
    """Make `variant` anew, index v2 infohashes where there are any, and narrow numbers on PostgreSQL.

    File lists and addresses of sightings keep the form in which they are: both forms are read.
    """
    connection = op.get_bind()
    _put_variants_aside(connection)
    _create_tables()
    _copy_variants(connection)
    op.drop_table("variant_before")
    op.create_index(op.f("ix_variant_md5_head"), "variant", ["md5_head"], unique=False)
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
    op.add_column("source_page", sa.Column("titled", sa.Float(precision=53), nullable=True))
    if connection.dialect.name == "postgresql":
        for table, column in (
            ("torrent_site", "site_id"),
            ("torrent_site", "crawl_id"),
            ("torrent_site", "file_crawl_id"),
            ("sighting", "site_id"),
            ("sighting", "crawl_id"),
        ):
            op.alter_column(table, column, type_=sa.Integer())


def _put_variants_aside(connection: sa.Connection) -> None:
    op.drop_index("ix_variant_md5", "variant")
    op.drop_index("ix_variant_torrent_id", "variant")
    if connection.dialect.name == "postgresql":
        # Their names are wanted for the new table. The copy is read in the order of ids.
        op.drop_constraint("uq_variant_sha256", "variant")
        op.execute("ALTER TABLE variant RENAME CONSTRAINT pk_variant TO pk_variant_before")
    op.rename_table("variant", "variant_before")


def _create_tables() -> None:
    op.create_table(
        "tracker_list",
        sa.Column(
            "hash", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("trackers_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tracker_list")),
    )
    op.create_table(
        "variant",
        sa.Column("torrent_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("md5_head", sa.BigInteger(), nullable=False),
        sa.Column("md5_tail", sa.BigInteger(), nullable=False),
        sa.Column("first_seen", sa.Float(precision=53), nullable=False),
        sa.Column("trackers_hash", sa.BigInteger(), nullable=True),
        sa.Column("size", sa.BigInteger().with_variant(sa.Integer(), "postgresql"), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("flags_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("torrent_id", "id", name=op.f("pk_variant")),
        sqlite_with_rowid=False,
    )


def _copy_variants(connection: sa.Connection) -> None:
    page = sa.text("SELECT * FROM variant_before WHERE id > :after ORDER BY id LIMIT :n")
    put_list = sa.text(
        "INSERT INTO tracker_list (hash, trackers_json) VALUES (:key, :trackers) ON CONFLICT DO NOTHING"
    )
    put = sa.text(
        "INSERT INTO variant (torrent_id, id, md5_head, md5_tail, first_seen, trackers_hash, size, sha256,"
        " flags_json) VALUES (:torrent_id, :id, :head, :tail, :first_seen, :key, :size, :sha256, :flags)"
    )
    after = 0
    while rows := connection.execute(page, {"after": after, "n": _AT_ONCE}).all():
        lists = {}
        for row in rows:
            if row.trackers_json:
                lists[tracker_key(row.trackers_json)] = row.trackers_json
        if lists:
            connection.execute(put_list, [{"key": key, "trackers": value} for key, value in lists.items()])
        connection.execute(put, [_new(row) for row in rows])
        after = rows[-1].id


def _new(row: sa.Row[tuple[object, ...]]) -> dict[str, object]:
    head, tail = halves(bytes(row.md5))
    return {
        "torrent_id": row.torrent_id,
        "id": row.id,
        "head": head,
        "tail": tail,
        "first_seen": row.first_seen,
        "key": tracker_key(row.trackers_json),
        "size": row.size,
        "sha256": bytes(row.sha256),
        "flags": row.flags_json,
    }
