"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table."""
    if op.get_bind().dialect.supports_sequences:
        op.execute(sa.schema.CreateSequence(sa.Sequence("frontier_place")))
    op.create_table(
        "block",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("kind", "value", name=op.f("pk_block")),
    )
    op.create_table(
        "counter",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counter")),
    )
    op.create_table(
        "crawl",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.Float(precision=53), nullable=False),
        sa.Column("updated_at", sa.Float(precision=53), nullable=False),
        sa.Column("ended_at", sa.Float(precision=53), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crawl")),
    )
    op.create_index(op.f("ix_crawl_site_id_kind"), "crawl", ["site_id", "kind"], unique=False)
    op.create_table(
        "event",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("crawl_id", sa.BigInteger(), nullable=True),
        sa.Column("detail_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_table(
        "figure",
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("crawl_id", "name", name=op.f("pk_figure")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "frontier",
        sa.Column("queue_id", sa.BigInteger(), nullable=False),
        sa.Column("priority", sa.Float(precision=53), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.Float(precision=53), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("attempt", sa.SmallInteger(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("tunnel", sa.SmallInteger(), nullable=False),
        sa.Column("key_hash", sa.BigInteger(), nullable=False),
        sa.Column("page_hash", sa.BigInteger(), nullable=True),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("hint", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("queue_id", "priority", "sequence", name=op.f("pk_frontier")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_frontier_owner",
        "frontier",
        ["owner"],
        unique=False,
        sqlite_where=sa.text("owner IS NOT NULL"),
        postgresql_where=sa.text("owner IS NOT NULL"),
    )
    op.create_table(
        "host",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("next_at", sa.Float(precision=53), server_default=sa.text("0"), nullable=False),
        sa.Column("delay", sa.Float(precision=53), server_default=sa.text("0"), nullable=False),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("open_until", sa.Float(precision=53), server_default=sa.text("0"), nullable=False),
        sa.Column("hour_start", sa.Float(precision=53), server_default=sa.text("0"), nullable=False),
        sa.Column("hour_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("day_start", sa.Float(precision=53), server_default=sa.text("0"), nullable=False),
        sa.Column("day_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host")),
        sa.UniqueConstraint("name", name=op.f("uq_host_name")),
    )
    op.create_table(
        "left",
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("times", sa.BigInteger(), nullable=False),
        sa.Column("example", sa.Text(), nullable=False),
        sa.Column("last_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("crawl_id", "reason", name=op.f("pk_left")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "link_found",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("link_hash", sa.BigInteger(), nullable=False),
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("page_url", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("first_seen", sa.Float(precision=53), nullable=False),
        sa.Column("last_seen", sa.Float(precision=53), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("site_id", "link_hash", name=op.f("pk_link_found")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "anchor",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("key_hash", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("first_seen", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("site_id", "key_hash", "text", name=op.f("pk_anchor")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "page",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reversed_host", sa.Text(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("key_hash", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("fingerprint", sa.BigInteger(), nullable=True),
        sa.Column("body_zst", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page")),
        sa.UniqueConstraint("site_id", "key_hash", "at", name=op.f("uq_page_site_id_key_hash_at")),
    )
    op.create_index(
        op.f("ix_page_reversed_host_key_hash_at"), "page", ["reversed_host", "key_hash", "at"], unique=False
    )
    op.create_table(
        "parked",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("key_hash", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(precision=53), nullable=False),
        sa.Column("opens", sa.Text(), nullable=False),
        sa.Column("page_url", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("site_id", "key_hash", name=op.f("pk_parked")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "query_count",
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("query", name=op.f("pk_query_count")),
    )
    op.create_table(
        "queue",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("ready_at", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_queue")),
        sa.UniqueConstraint("crawl_id", "host_id", name=op.f("uq_queue_crawl_id_host_id")),
    )
    op.create_index(
        "ix_queue_turn",
        "queue",
        ["crawl_id", "turn"],
        unique=False,
        sqlite_where=sa.text("ready_at IS NOT NULL"),
        postgresql_where=sa.text("ready_at IS NOT NULL"),
    )
    op.create_table(
        "robots",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("fetched_at", sa.Float(precision=53), nullable=False),
        sa.Column("text_zst", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_robots")),
    )
    op.create_table(
        "seen",
        sa.Column(
            "hash", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_seen")),
    )
    op.create_table(
        "shown",
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("download_hash", sa.BigInteger(), nullable=False),
        sa.Column("page_hash", sa.BigInteger(), nullable=False),
        sa.Column("page_url", sa.Text(), nullable=False),
        sa.Column("download_url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("crawl_id", "download_hash", "page_hash", name=op.f("pk_shown")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sighting",
        sa.Column("torrent_id", sa.BigInteger(), nullable=False),
        sa.Column("page_hash", sa.BigInteger(), nullable=False),
        sa.Column("download_hash", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), nullable=True),
        sa.Column("first_seen", sa.Float(precision=53), nullable=False),
        sa.Column("last_seen", sa.Float(precision=53), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("download_url", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("wall", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("torrent_id", "page_hash", "download_hash", name=op.f("pk_sighting")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "site",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("start", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("added_at", sa.Float(precision=53), nullable=False),
        sa.Column("changed_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site")),
        sa.UniqueConstraint("name", name=op.f("uq_site_name")),
    )
    op.create_table(
        "source_page",
        sa.Column(
            "hash", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_source_page")),
    )
    op.create_table(
        "torrent",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("infohash_v1", sa.LargeBinary(), nullable=True),
        sa.Column("infohash_v2", sa.LargeBinary(), nullable=True),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("has_file", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("first_seen", sa.Float(precision=53), nullable=False),
        sa.Column("last_seen", sa.Float(precision=53), nullable=False),
        sa.Column("created", sa.Float(precision=53), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("n_files", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("metadata_json", sa.Text(), nullable=False),
        sa.Column("files_zst", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_torrent")),
        sa.UniqueConstraint("infohash_v1", name=op.f("uq_torrent_infohash_v1")),
        sa.UniqueConstraint("infohash_v2", name=op.f("uq_torrent_infohash_v2")),
        sa.UniqueConstraint("sequence", name=op.f("uq_torrent_sequence")),
    )
    op.create_table(
        "torrent_gone",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("torrent_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_torrent_gone")),
    )
    op.create_table(
        "torrent_site",
        sa.Column("torrent_id", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("file_crawl_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("torrent_id", "site_id", name=op.f("pk_torrent_site")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "url",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("key_hash", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("first_visit", sa.Float(precision=53), nullable=False),
        sa.Column("last_visit", sa.Float(precision=53), nullable=False),
        sa.Column("visits", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("last_change", sa.Float(precision=53), nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("fingerprint", sa.BigInteger(), nullable=True),
        sa.Column("next_due", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_url")),
        sa.UniqueConstraint("site_id", "key_hash", name=op.f("uq_url_site_id_key_hash")),
    )
    op.create_index(
        "ix_url_next_due",
        "url",
        ["site_id", "next_due"],
        unique=False,
        sqlite_where=sa.text("next_due IS NOT NULL"),
        postgresql_where=sa.text("next_due IS NOT NULL"),
    )
    op.create_table(
        "variant",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("torrent_id", sa.BigInteger(), nullable=False),
        sa.Column("md5", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("first_seen", sa.Float(precision=53), nullable=False),
        sa.Column("trackers_json", sa.Text(), nullable=False),
        sa.Column("flags_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_variant")),
        sa.UniqueConstraint("sha256", name=op.f("uq_variant_sha256")),
    )
    op.create_index(op.f("ix_variant_md5"), "variant", ["md5"], unique=False)
    op.create_index(op.f("ix_variant_torrent_id"), "variant", ["torrent_id"], unique=False)
    op.create_table(
        "visit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("crawl_id", sa.BigInteger(), nullable=False),
        sa.Column("key_hash", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Float(precision=53), nullable=False),
        sa.Column("changed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_visit")),
    )
