"""Every table, defined once for SQLite and PostgreSQL.

Times are UTC seconds since the epoch (REAL). Hashes of keys are signed 64-bit integers. Text has passed
`values.clean` (no NUL, no lone surrogate). Columns named `…_json` hold JSON as text, `…_zst` zstd-compressed
JSON. On SQLite, tables whose key is all that is looked up have no rowid: one b-tree instead of two.

There are no foreign keys: every write goes through one module a table, deletes are rare, and the
checks cost a look-up each on the hot tables; `doctor` looks for what they would have guarded.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Sequence,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# A BIGINT key would not be SQLite's rowid, and cost a second b-tree.
Id = BigInteger().with_variant(Integer, "sqlite")
Time = Float(53)
# Of rows that are many: PostgreSQL takes eight bytes for a number otherwise, SQLite as few as it needs.
SmallId = BigInteger().with_variant(Integer(), "postgresql")

# --- sites and crawls ---------------------------------------------------------------------------

site = Table(
    "site",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("state", String(16), nullable=False),
    Column("start", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("added_at", Time, nullable=False),
    Column("changed_at", Time, nullable=False),
)

crawl = Table(
    "crawl",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site_id", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("started_at", Time, nullable=False),
    Column("updated_at", Time, nullable=False),
    Column("ended_at", Time),
    Column("reason", Text, nullable=False),
    Index(None, "site_id", "kind"),
)

figure = Table(
    "figure",
    metadata,
    Column("crawl_id", BigInteger, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("n", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

left = Table(
    "left",
    metadata,
    Column("crawl_id", BigInteger, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("times", BigInteger, nullable=False),
    Column("example", Text, nullable=False),
    Column("last_at", Time, nullable=False),
    sqlite_with_rowid=False,
)

# --- the frontier -------------------------------------------------------------------------------

# Key hashes mixed with the crawl's seed: one set for all unfinished crawls.
seen = Table("seen", metadata, Column("hash", Id, primary_key=True, autoincrement=False))

host = Table(
    "host",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("next_at", Time, nullable=False, server_default=text("0")),
    Column("delay", Time, nullable=False, server_default=text("0")),
    Column("failures", Integer, nullable=False, server_default=text("0")),
    Column("open_until", Time, nullable=False, server_default=text("0")),
    Column("hour_start", Time, nullable=False, server_default=text("0")),
    Column("hour_count", Integer, nullable=False, server_default=text("0")),
    Column("day_start", Time, nullable=False, server_default=text("0")),
    Column("day_count", Integer, nullable=False, server_default=text("0")),
)

robots = Table(
    "robots",
    metadata,
    Column("host", Text, primary_key=True),
    Column("status", Integer, nullable=False),
    Column("fetched_at", Time, nullable=False),
    Column("text_zst", LargeBinary, nullable=False),
)

# The back queue of one host in one crawl. `ready_at` is a lower bound of when a claim may find something
# (NULL: empty); `turn` grows with every claim, so the smallest was served longest ago.
queue = Table(
    "queue",
    metadata,
    Column("id", Id, primary_key=True),
    Column("crawl_id", BigInteger, nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("turn", BigInteger, nullable=False, server_default=text("0")),
    Column("ready_at", Time),
    UniqueConstraint("crawl_id", "host_id"),
)
Index(
    "ix_queue_turn",
    queue.c.crawl_id,
    queue.c.turn,
    sqlite_where=queue.c.ready_at.is_not(None),
)

# Places in the frontier on PostgreSQL (SQLite, with its one writer, uses the counter `place`).
frontier_place = Sequence("frontier_place", metadata=metadata)

# `due`: not to be claimed before; a claim sets it to the end of the lease, and `owner`.
frontier = Table(
    "frontier",
    metadata,
    Column("queue_id", BigInteger, primary_key=True),
    Column("priority", Time, primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
    Column("due", Time, nullable=False),
    Column("owner", Text),
    Column("attempt", SmallInteger, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("tunnel", SmallInteger, nullable=False),
    Column("key_hash", BigInteger, nullable=False),
    Column("page_hash", BigInteger),
    Column("url", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("hint", Text, nullable=False),
    sqlite_with_rowid=False,
)
Index(
    "ix_frontier_owner",
    frontier.c.owner,
    sqlite_where=frontier.c.owner.is_not(None),
)

# --- history ------------------------------------------------------------------------------------

url = Table(
    "url",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site_id", BigInteger, nullable=False),
    Column("key_hash", BigInteger, nullable=False),
    Column("url", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("first_visit", Time, nullable=False),
    Column("last_visit", Time, nullable=False),
    Column("visits", Integer, nullable=False),
    Column("changes", Integer, nullable=False),
    Column("last_change", Time, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("digest", LargeBinary, nullable=False),
    Column("fingerprint", BigInteger),
    Column("next_due", Time),
    UniqueConstraint("site_id", "key_hash"),
)
Index(
    "ix_url_next_due",
    url.c.site_id,
    url.c.next_due,
    sqlite_where=url.c.next_due.is_not(None),
)

visit = Table(
    "visit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("crawl_id", BigInteger, nullable=False),
    Column("key_hash", BigInteger, nullable=False),
    Column("at", Time, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("status", SmallInteger),
    Column("size", BigInteger, nullable=False),
    Column("seconds", Time, nullable=False),
    Column("changed", Boolean, nullable=False),
)

parked = Table(
    "parked",
    metadata,
    Column("site_id", BigInteger, primary_key=True),
    Column("key_hash", BigInteger, primary_key=True),
    Column("url", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("since", Time, nullable=False),
    Column("opens", Text, nullable=False),
    Column("page_url", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("depth", Integer, nullable=False),
    sqlite_with_rowid=False,
)

page = Table(
    "page",
    metadata,
    Column("id", Id, primary_key=True),
    Column("reversed_host", Text, nullable=False),
    Column("site_id", BigInteger, nullable=False),
    Column("key_hash", BigInteger, nullable=False),
    Column("at", Time, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("heading", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("fingerprint", BigInteger),
    Column("body_zst", LargeBinary, nullable=False),
    UniqueConstraint("site_id", "key_hash", "at"),
    Index(None, "reversed_host", "key_hash", "at"),
)

# The texts by which links lead to a URL.
anchor = Table(
    "anchor",
    metadata,
    Column("site_id", BigInteger, primary_key=True),
    Column("key_hash", BigInteger, primary_key=True),
    Column("text", Text, primary_key=True),
    Column("first_seen", Time, nullable=False),
    sqlite_with_rowid=False,
)

# --- torrents -----------------------------------------------------------------------------------

# Ids of torrents and variants and the change sequence are drawn from the row `change`: whoever holds it is
# the only one changing torrents, so sequences become visible in order on PostgreSQL too.
counter = Table(
    "counter",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

torrent = Table(
    "torrent",
    metadata,
    # Numbers of eight bytes first: PostgreSQL pads what stands before one.
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, nullable=False, unique=True),
    Column("first_seen", Time, nullable=False),
    Column("last_seen", Time, nullable=False),
    Column("created", Time),
    Column("size", BigInteger),
    Column("n_files", Integer, nullable=False),
    Column("has_file", Boolean, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("infohash_v1", LargeBinary, unique=True),
    Column("infohash_v2", LargeBinary),
    Column("name", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("metadata_json", Text, nullable=False),
    # Packed with the name in front of every path left out: see `file_lists.py`.
    Column("files_zst", LargeBinary),
)
# Few torrents have one: those without take no place in it.
Index(
    "uq_torrent_infohash_v2",
    torrent.c.infohash_v2,
    unique=True,
    sqlite_where=torrent.c.infohash_v2.is_not(None),
)

# Ids that are no more: a reader of the change feed drops them.
torrent_gone = Table(
    "torrent_gone",
    metadata,
    Column("sequence", Id, primary_key=True, autoincrement=False),
    Column("torrent_id", BigInteger, nullable=False),
)

variant = Table(
    "variant",
    metadata,
    # The files of a torrent are always asked for together; an id is that of one file all the same.
    Column("torrent_id", BigInteger, primary_key=True),
    Column("id", BigInteger, primary_key=True),
    # The two halves of its MD5, big-endian: an index of numbers takes half of one of bytes.
    Column("md5_head", BigInteger, nullable=False),
    Column("md5_tail", BigInteger, nullable=False),
    Column("first_seen", Time, nullable=False),
    Column("trackers_hash", BigInteger),
    Column("size", SmallId, nullable=False),
    # What a file is: MD5 alone is not unique, two files can be made to collide, and both are kept. Files
    # are looked up by their MD5 only and then compared, which saves an index of 45 bytes a file.
    Column("sha256", LargeBinary, nullable=False),
    Column("flags_json", Text, nullable=False),
    Index(None, "md5_head"),
    sqlite_with_rowid=False,
)

# Trackers of files, each list once: the files of a site name the same ones. The key is of BLAKE2b.
tracker_list = Table(
    "tracker_list",
    metadata,
    Column("hash", Id, primary_key=True, autoincrement=False),
    Column("trackers_json", Text, nullable=False),
)

# Which site has which torrent, the last crawl that met it there, and the last that took its file there.
torrent_site = Table(
    "torrent_site",
    metadata,
    Column("torrent_id", BigInteger, primary_key=True),
    Column("site_id", SmallId, primary_key=True),
    Column("crawl_id", SmallId, nullable=False),
    Column("file_crawl_id", SmallId, nullable=False),
    sqlite_with_rowid=False,
)

# The pages of sightings, once each: fifty magnets of one page share a row.
source_page = Table(
    "source_page",
    metadata,
    Column("hash", Id, primary_key=True, autoincrement=False),
    # When its title was replaced by another one; NULL: never.
    Column("titled", Time),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
)

sighting = Table(
    "sighting",
    metadata,
    Column("torrent_id", BigInteger, primary_key=True),
    Column("page_hash", BigInteger, primary_key=True),
    Column("download_hash", BigInteger, primary_key=True),
    Column("variant_id", BigInteger),
    Column("first_seen", Time, nullable=False),
    Column("last_seen", Time, nullable=False),
    Column("site_id", SmallId, nullable=False),
    Column("crawl_id", SmallId, nullable=False),
    Column("times", Integer, nullable=False),
    # One of the page's own host without scheme and host, beginning with its slash.
    Column("download_url", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("wall", Text, nullable=False),
    sqlite_with_rowid=False,
)

link_found = Table(
    "link_found",
    metadata,
    Column("site_id", BigInteger, primary_key=True),
    Column("link_hash", BigInteger, primary_key=True),
    Column("scheme", Text, nullable=False),
    Column("link", Text, nullable=False),
    Column("page_url", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("first_seen", Time, nullable=False),
    Column("last_seen", Time, nullable=False),
    Column("times", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# Pages that showed a download before its file was fetched: sightings to be, until the crawl ends.
shown = Table(
    "shown",
    metadata,
    Column("crawl_id", BigInteger, primary_key=True),
    Column("download_hash", BigInteger, primary_key=True),
    Column("page_hash", BigInteger, primary_key=True),
    Column("page_url", Text, nullable=False),
    Column("download_url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("rule", Text, nullable=False),
    sqlite_with_rowid=False,
)

# --- notes --------------------------------------------------------------------------------------

event = Table(
    "event",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Time, nullable=False),
    Column("kind", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("crawl_id", BigInteger),
    Column("detail_json", Text, nullable=False),
)

query_count = Table(
    "query_count",
    metadata,
    Column("query", Text, primary_key=True),
    Column("asked", BigInteger, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("last_at", Time, nullable=False),
)

block = Table(
    "block",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("value", Text, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("since", Time, nullable=False),
)


def make_indexes_partial_on_postgresql() -> None:
    """Give PostgreSQL's indexes the conditions of SQLite's.

    To name them beside each index would import that dialect, a twelfth of a crawl's start, in every process.
    """
    for table in metadata.tables.values():
        for index in table.indexes:
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
