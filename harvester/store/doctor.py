"""What can go wrong with database and blobs, named and mended.

A crash between blob and row leaves a blob with no row (`orphan_blob`) or an unfinished file; a power cut
or a hand in the folder may leave a row with no blob. While a crawl is writing, blobs without a row are
normal and not reported.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from harvester.errors import StoreDamaged
from harvester.model.stored import Finding
from harvester.store.blobs import PART, Blobs, address_in, name_of
from harvester.store.engine import Database
from harvester.store.frontier import Frontier
from harvester.store.migrations import HEAD, known_revisions, revision_of, upgrade
from harvester.store.tables import (
    counter,
    crawl,
    figure,
    frontier,
    queue,
    sighting,
    torrent,
    torrent_gone,
    url,
    variant,
)

# A running crawl that wrote nothing for so long (seconds) is taken for dead.
ALIVE = 600.0
CHUNK = 500


class Doctor:
    """`check` looks, `mend` changes; both go through everything page by page."""

    def __init__(self, database: Database, blobs: Blobs, frontier: Frontier) -> None:
        self._database = database
        self._blobs = blobs
        self._frontier = frontier

    def check(self, *, now: float, deep: bool = False) -> list[Finding]:
        """See `harvester.ports.store.StoreDoctor`."""
        with self._database.read() as connection:
            broken = self._database.dialect.integrity(connection, deep=deep)
            revision = revision_of(connection)
        findings = [
            Finding(
                "integrity",
                self._database.where,
                line,
                "restore a backup, or export what can be read into a new data folder",
                mendable=False,
            )
            for line in broken
        ]
        if revision != HEAD:
            pending = [name for name in known_revisions() if name > (revision or "")]
            what = f"the database is at revision {revision}, {len(pending)} migrations are pending"
            # Nothing below is sure to fit an older schema.
            return [*findings, Finding("migration", revision or "", what, "migrate it (keep a copy first)")]
        findings += self._check_leases(now)
        findings += self._check_counters()
        findings += self._check_variants()
        findings += self._check_rows(deep)
        if not self._crawl_alive(now):
            findings += self._check_files()
        return findings

    def size(self) -> int:
        """See `harvester.ports.store.StoreDoctor`."""
        with self._database.read() as connection:
            files = connection.execute(select(func.coalesce(func.sum(variant.c.size), 0))).scalar_one()
            return int(files) + self._database.dialect.size(connection)

    def mend(self, finding: Finding, *, now: float) -> str:
        """See `harvester.ports.store.StoreDoctor`."""
        match finding.kind:
            case "migration":
                return self._mend_migration()
            case "orphan_blob" | "unfinished_blob":
                return self._mend_orphan(finding.subject, now)
            case "missing_blob":
                return self._mend_missing(finding.subject, now)
            case "damaged_blob":
                return self._mend_damaged(finding.subject, now)
            case "missing_variant":
                return self._mend_variants(int(finding.subject), now)
            case "stale_lease":
                return f"gave back {self._frontier.release(finding.subject):,} URLs"
            case "counter" if finding.subject == "change":
                return self._mend_change_counter()
            case "counter":
                return self._mend_queue_counter(int(finding.subject.removeprefix("queue:")))
            case _:
                return f"left as it is: {finding.hint}"

    # --- looking --------------------------------------------------------------------------------

    def _check_leases(self, now: float) -> list[Finding]:
        statement = (
            select(frontier.c.owner, func.count())
            .where(frontier.c.owner.is_not(None), frontier.c.due < now)
            .group_by(frontier.c.owner)
        )
        with self._database.read() as connection:
            rows = connection.execute(statement).all()
        return [
            Finding(
                "stale_lease",
                row[0],
                f"{row[1]:,} URLs are still leased to {row[0]}, past their time",
                "they will be fetched by the next crawl; mending only tidies up",
            )
            for row in rows
        ]

    def _check_counters(self) -> list[Finding]:
        findings = []
        with self._database.read() as connection:
            for crawl_id, counted, real in self._queue_lengths(connection):
                if counted != real:
                    what = f"crawl {crawl_id} counts {counted:,} queued URLs, there are {real:,}"
                    findings.append(Finding("counter", f"queue:{crawl_id}", what, "count again"))
            drawn, used = self._change_numbers(connection)
            if drawn < used:
                what = f"the change counter is at {drawn:,}, but {used:,} is in use"
                findings.append(Finding("counter", "change", what, "move the counter on"))
        return findings

    def _queue_lengths(self, connection: Connection) -> list[tuple[int, int, int]]:
        counted = select(figure.c.crawl_id, figure.c.n).where(figure.c.name == "queue")
        real = (
            select(queue.c.crawl_id, func.count())
            .join_from(frontier, queue, queue.c.id == frontier.c.queue_id)
            .group_by(queue.c.crawl_id)
        )
        said = {row[0]: row[1] for row in connection.execute(counted)}
        is_so = {row[0]: row[1] for row in connection.execute(real)}
        return [(key, said.get(key, 0), is_so.get(key, 0)) for key in sorted(said | is_so)]

    def _change_numbers(self, connection: Connection) -> tuple[int, int]:
        drawn = connection.execute(select(counter.c.value).where(counter.c.name == "change"))
        used = (torrent.c.id, torrent.c.sequence, torrent_gone.c.sequence, variant.c.id)
        highest = [connection.execute(select(func.max(column))).scalar_one() or 0 for column in used]
        return drawn.scalar_one_or_none() or 0, max(highest)

    def _check_variants(self) -> list[Finding]:
        without = select(torrent.c.id, torrent.c.name).where(torrent.c.has_file.is_(True), ~_has_variant())
        with self._database.read() as connection:
            rows = connection.execute(without).all()
        return [
            Finding(
                "missing_variant",
                str(row[0]),
                f"torrent {row[0]} ({row[1]}) is said to have a file, and has none",
                "take it as known by its hash only, and ask for the file again",
            )
            for row in rows
        ]

    def _check_rows(self, deep: bool) -> list[Finding]:
        findings = []
        for address in self._addresses():
            if not self._blobs.has(address):
                what = f"the torrent file {address} is missing"
                hint = "forget the file, and ask for it again in the next crawl"
                findings.append(Finding("missing_blob", address, what, hint))
            elif deep:
                try:
                    self._blobs.get(address)
                except StoreDamaged as error:
                    hint = "remove the file, and ask for it again in the next crawl"
                    findings.append(Finding("damaged_blob", address, error.what, hint))
        return findings

    def _addresses(self) -> Iterator[str]:
        after = (0, 0)
        key = tuple_(variant.c.torrent_id, variant.c.id)
        while True:
            statement = select(variant.c.torrent_id, variant.c.id, variant.c.sha256).where(key > after)
            statement = statement.order_by(variant.c.torrent_id, variant.c.id).limit(CHUNK)
            with self._database.read() as connection:
                rows = connection.execute(statement).all()
            if not rows:
                return
            yield from (bytes(row[2]).hex() for row in rows)
            after = (rows[-1][0], rows[-1][1])

    def _check_files(self) -> list[Finding]:
        findings = []
        known = self._known_heads()
        for name in self._blobs.walk():
            if name.endswith(PART):
                what = f"{name} was never finished"
                findings.append(
                    Finding("unfinished_blob", name, what, "remove it: the file is fetched again")
                )
                continue
            address = address_in(name)
            if address is not None and not _is_among(known, address):
                what = f"{name} belongs to no torrent"
                hint = "remove it: a crash came between file and row, the file is fetched again"
                findings.append(Finding("orphan_blob", name, what, hint))
        return findings

    def _known_heads(self) -> array[int]:
        """The first 8 bytes of every file's address, ascending: 8 bytes of memory each."""
        heads = array("Q", (int(address[:16], 16) for address in self._addresses()))
        return array("Q", sorted(heads))

    def _known(self, address: str) -> bool:
        """Whether a torrent has this file: a scan, addresses have no index of their own."""
        statement = select(variant.c.id).where(variant.c.sha256 == bytes.fromhex(address)).limit(1)
        with self._database.read() as connection:
            return connection.execute(statement).first() is not None

    def _crawl_alive(self, now: float) -> bool:
        statement = select(crawl.c.id).where(crawl.c.state == "running", crawl.c.updated_at > now - ALIVE)
        with self._database.read() as connection:
            return connection.execute(statement.limit(1)).first() is not None

    # --- mending --------------------------------------------------------------------------------

    def _mend_migration(self) -> str:
        with self._database.write() as connection:
            if revision_of(connection) == HEAD:
                return "it was migrated meanwhile"
            upgrade(connection)
        return f"migrated to revision {HEAD}"

    def _mend_orphan(self, name: str, now: float) -> str:
        address = address_in(name)
        if self._crawl_alive(now):
            return "left alone: a crawl is running"
        if address is not None and self._known(address):
            return "left alone: it has a torrent now"
        self._blobs.remove(name)
        return f"removed {name}"

    def _mend_damaged(self, address: str, now: float) -> str:
        try:
            self._blobs.get(address)
        except StoreDamaged:
            self._blobs.remove(name_of(address))
            return self._mend_missing(address, now)
        return "it is whole again"

    def _mend_missing(self, address: str, now: float) -> str:
        if self._blobs.has(address):
            return "it is there again"
        with self._database.write() as connection:
            of_blob = variant.c.sha256 == bytes.fromhex(address)
            rows = connection.execute(select(variant.c.id, variant.c.torrent_id).where(of_blob)).all()
            for variant_id, torrent_id in rows:
                one = (variant.c.torrent_id == torrent_id, variant.c.id == variant_id)
                connection.execute(delete(variant).where(*one))
                self._ask_again(connection, torrent_id, now, sighting.c.variant_id == variant_id)
            self._take_back(connection, [row[1] for row in rows])
        return f"forgot the file of {len(rows)} torrents; it is due to be fetched again"

    def _mend_variants(self, torrent_id: int, now: float) -> str:
        with self._database.write() as connection:
            self._ask_again(connection, torrent_id, now, sighting.c.variant_id.is_not(None))
            self._take_back(connection, [torrent_id])
        return f"torrent {torrent_id} is known by its hash only; its file is due to be fetched again"

    def _ask_again(self, connection: Connection, torrent_id: int, now: float, condition: Any) -> None:
        """Make the links that led to a file due, with nothing that would let a server say "not modified"."""
        links = select(sighting.c.download_hash).where(sighting.c.torrent_id == torrent_id, condition)
        again = update(url).where(url.c.key_hash.in_(links))
        connection.execute(again.values(next_due=now, etag=None, last_modified=None, digest=b""))
        shown = update(sighting).where(sighting.c.torrent_id == torrent_id, condition)
        connection.execute(shown.values(variant_id=None))

    def _take_back(self, connection: Connection, torrent_ids: list[int]) -> None:
        """Say of torrents with no variant left that they have no file."""
        for torrent_id in torrent_ids:
            number = self._database.dialect.draw(connection, "change", 1)
            without = update(torrent).where(torrent.c.id == torrent_id, ~_has_variant())
            connection.execute(without.values(has_file=False, sequence=number))

    def _mend_change_counter(self) -> str:
        with self._database.write() as connection:
            drawn, used = self._change_numbers(connection)
            if drawn < used:
                self._database.dialect.draw(connection, "change", used - drawn)
        return f"the change counter is at {max(drawn, used):,}"

    def _mend_queue_counter(self, crawl_id: int) -> str:
        with self._database.write() as connection:
            lengths = {key: real for key, _, real in self._queue_lengths(connection)}
            length = lengths.get(crawl_id, 0)
            connection.execute(delete(figure).where(figure.c.crawl_id == crawl_id, figure.c.name == "queue"))
            connection.execute(insert(figure).values(crawl_id=crawl_id, name="queue", n=length))
        return f"crawl {crawl_id} has {length:,} URLs queued"


def _is_among(heads: array[int], address: str) -> bool:
    head = int(address[:16], 16)
    at = bisect_left(heads, head)
    return at < len(heads) and heads[at] == head


def _has_variant() -> Any:
    return select(variant.c.id).where(variant.c.torrent_id == torrent.c.id).exists()
