"""What happened to URLs: the append-only history, what is known of each URL, what was parked or recorded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, ScalarSelect, delete, func, select

from harvester.model.crawl import Batch, Crawl, KnownUrl, Left, Visited
from harvester.model.stored import LinkFound, Parked
from harvester.store.bulk import Dialect, Row
from harvester.store.engine import Database
from harvester.store.tables import left, link_found, parked, site, url, visit
from harvester.store.values import bounded, clean

# Small numbers in a SMALLINT: what is no HTTP status is none.
_STATUS = range(0, 1000)

_URL_INSERTED = tuple(column.name for column in url.columns if column.name != "id")
_DIFFERS = "(length(excluded.digest) > 0 AND excluded.digest <> url.digest)"
_URL_CONFLICT = (
    "ON CONFLICT (site_id, key_hash) DO UPDATE SET url = excluded.url, role = excluded.role,"
    " rule = excluded.rule, depth = excluded.depth, state = excluded.state,"
    " last_visit = excluded.last_visit, visits = url.visits + excluded.visits,"
    f" changes = url.changes + (CASE WHEN {_DIFFERS} AND length(url.digest) > 0 THEN 1 ELSE 0 END),"
    f" last_change = CASE WHEN {_DIFFERS} THEN excluded.last_change ELSE url.last_change END,"
    " etag = coalesce(excluded.etag, url.etag),"
    " last_modified = coalesce(excluded.last_modified, url.last_modified),"
    " digest = CASE WHEN length(excluded.digest) > 0 THEN excluded.digest ELSE url.digest END,"
    " fingerprint = CASE WHEN length(excluded.digest) > 0 THEN excluded.fingerprint ELSE url.fingerprint END,"
    " next_due = coalesce(excluded.next_due, url.next_due)"
)
_KNOWN = tuple(column for column in url.columns if column.name not in {"id", "site_id"})
_PARKED = tuple(column for column in parked.columns if column.name != "site_id")


class HistoryWriter:
    """The history's part of a batch, inside the writing transaction."""

    def __init__(self, dialect: Dialect) -> None:
        self._put_url = dialect.insert(url, _URL_INSERTED, _URL_CONFLICT)
        self._before = dialect.look_up(url, ("key_hash", "digest"), "key_hash", fixed=("site_id",))
        self._add_visit = dialect.insert(
            visit, ("crawl_id", "key_hash", "at", "outcome", "status", "size", "seconds", "changed")
        )
        self._park = dialect.insert(
            parked,
            tuple(column.name for column in parked.columns),
            "ON CONFLICT (site_id, key_hash) DO UPDATE SET kind = excluded.kind, opens = excluded.opens",
        )
        self._unpark = dialect.delete(parked, ("site_id", "key_hash"))
        self._put_link = dialect.insert(
            link_found,
            tuple(column.name for column in link_found.columns),
            "ON CONFLICT (site_id, link_hash) DO UPDATE SET last_seen = excluded.last_seen,"
            " times = link_found.times + excluded.times",
        )
        self._put_left = dialect.insert(
            left,
            ("crawl_id", "reason", "times", "example", "last_at"),
            'ON CONFLICT (crawl_id, reason) DO UPDATE SET times = "left".times + excluded.times,'
            " example = excluded.example, last_at = excluded.last_at",
        )

    def apply(self, connection: Connection, batch: Batch) -> dict[str, int]:
        """Write the batch's visits, parked URLs, recorded links and what it left; figures of the latter."""
        self._write_visits(connection, batch)
        self._write_parked(connection, batch)
        self._write_links(connection, batch)
        return self._write_left(connection, batch)

    def _write_visits(self, connection: Connection, batch: Batch) -> None:
        if not batch.visited:
            return
        keys = list({one.key_hash for one in batch.visited})
        before = self._before(connection, keys, batch.crawl.site_id)
        visits: list[Row] = []
        urls: dict[int, list[Visited]] = {}
        digests = {key: bytes(digest) for key, digest in before}
        for one in batch.visited:
            changed = bool(one.digest) and one.digest != digests.get(one.key_hash, b"")
            if one.digest:
                digests[one.key_hash] = one.digest
            status = one.status if one.status in _STATUS else None
            size = bounded(one.size)
            visits.append(
                (batch.crawl.id, one.key_hash, one.at, clean(one.outcome), status, size, one.seconds, changed)
            )
            urls.setdefault(one.key_hash, []).append(one)
        self._add_visit(connection, visits)
        # A URL visited twice in one batch is written in rounds: a statement may not meet a row twice.
        for turn in range(max(len(several) for several in urls.values())):
            rows = []
            for key in sorted(urls):
                if turn < len(urls[key]):
                    rows.append(self._url_row(batch.crawl.site_id, urls[key][turn]))
            self._put_url(connection, rows)

    def _url_row(self, site_id: int, one: Visited) -> Row:
        return (
            site_id,
            one.key_hash,
            clean(one.url),
            clean(one.role),
            clean(one.rule),
            one.depth,
            one.state,
            one.at,
            one.at,
            1,
            0,
            one.at,
            None if one.etag is None else clean(one.etag),
            None if one.last_modified is None else clean(one.last_modified),
            one.digest,
            one.fingerprint,
            one.next_due,
        )

    def _write_parked(self, connection: Connection, batch: Batch) -> None:
        site_id = batch.crawl.site_id
        self._unpark(connection, [(site_id, key) for key in sorted(set(batch.unparked))])
        last = {one.key_hash: one for one in batch.parked}
        self._park(connection, [_parked_row(site_id, last[key]) for key in sorted(last)])

    def _write_links(self, connection: Connection, batch: Batch) -> None:
        times: dict[int, int] = {}
        links: dict[int, LinkFound] = {}
        for link in batch.links:
            links.setdefault(link.link_hash, link)
            times[link.link_hash] = times.get(link.link_hash, 0) + 1
        rows = [
            (
                batch.crawl.site_id,
                key,
                clean(link.scheme),
                clean(link.link),
                clean(link.page_url),
                clean(link.anchor),
                batch.now,
                batch.now,
                times[key],
            )
            for key, link in sorted(links.items())
        ]
        self._put_link(connection, rows)

    def _write_left(self, connection: Connection, batch: Batch) -> dict[str, int]:
        times: dict[str, int] = {}
        examples: dict[str, str] = {}
        for one in batch.left:
            reason = clean(one.reason)
            times[reason] = times.get(reason, 0) + 1
            examples[reason] = clean(one.url)
        rows = [
            (batch.crawl.id, reason, times[reason], examples[reason], batch.now) for reason in sorted(times)
        ]
        self._put_left(connection, rows)
        return {f"left.{reason}": n for reason, n in times.items()}


def _parked_row(site_id: int, one: Parked) -> Row:
    return (
        site_id,
        one.key_hash,
        clean(one.url),
        clean(one.kind),
        one.since,
        clean(one.opens),
        clean(one.page_url),
        clean(one.anchor),
        clean(one.role),
        clean(one.rule),
        one.depth,
    )


class History:
    """Reading what happened."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def left(self, crawl: Crawl) -> list[Left]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = (
            select(left.c.reason, left.c.times, left.c.example, left.c.last_at)
            .where(left.c.crawl_id == crawl.id)
            .order_by(left.c.times.desc(), left.c.reason)
        )
        with self._database.read() as connection:
            return [Left(*row) for row in connection.execute(statement)]

    def known_url(self, site: str, key_hash: int) -> KnownUrl | None:
        """See `harvester.ports.store.CrawlStore`."""
        statement = select(*_KNOWN).where(url.c.site_id == _site_id(site), url.c.key_hash == key_hash)
        with self._database.read() as connection:
            row = connection.execute(statement).one_or_none()
        return None if row is None else _known_url(row)

    def due_urls(self, site: str, *, now: float, limit: int, roles: Collection[str] = ()) -> list[KnownUrl]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = (
            select(*_KNOWN)
            .where(url.c.site_id == _site_id(site), url.c.next_due <= now)
            .order_by(url.c.next_due, url.c.id)
            .limit(limit)
        )
        if roles:
            statement = statement.where(url.c.role.in_(roles))
        with self._database.read() as connection:
            return [_known_url(row) for row in connection.execute(statement)]

    def urls(
        self, site: str, *, roles: Collection[str] = (), after: int = 0, limit: int = 1000
    ) -> list[KnownUrl]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = select(*_KNOWN).where(url.c.site_id == _site_id(site))
        if roles:
            statement = statement.where(url.c.role.in_(roles))
        statement = statement.order_by(url.c.id).offset(after).limit(limit)
        with self._database.read() as connection:
            return [_known_url(row) for row in connection.execute(statement)]

    def parked(self, site: str | None = None, *, kind: str | None = None, limit: int = 1000) -> list[Parked]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = select(*_PARKED).order_by(parked.c.since, parked.c.key_hash).limit(limit)
        if site is not None:
            statement = statement.where(parked.c.site_id == _site_id(site))
        if kind is not None:
            statement = statement.where(parked.c.kind == clean(kind))
        with self._database.read() as connection:
            return [Parked(*row) for row in connection.execute(statement)]

    def walls(self, site: str | None = None) -> dict[str, int]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = select(parked.c.kind, func.count()).group_by(parked.c.kind).order_by(parked.c.kind)
        if site is not None:
            statement = statement.where(parked.c.site_id == _site_id(site))
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(statement)}

    def links_found(
        self, *, site: str | None = None, scheme: str | None = None, limit: int = 1000
    ) -> list[LinkFound]:
        """See `harvester.ports.store.TorrentStore`."""
        chosen = (
            link_found.c.link_hash,
            link_found.c.scheme,
            link_found.c.link,
            link_found.c.page_url,
            link_found.c.anchor,
        )
        statement = select(*chosen).order_by(link_found.c.first_seen, link_found.c.link_hash).limit(limit)
        if site is not None:
            statement = statement.where(link_found.c.site_id == _site_id(site))
        if scheme is not None:
            statement = statement.where(link_found.c.scheme == clean(scheme))
        with self._database.read() as connection:
            return [LinkFound(*row) for row in connection.execute(statement)]

    def prune_visits(self, *, before: float) -> int:
        """See `harvester.ports.store.CrawlStore`."""
        with self._database.write() as connection:
            return connection.execute(delete(visit).where(visit.c.at < before)).rowcount


def _site_id(name: str) -> ScalarSelect[int]:
    return select(site.c.id).where(site.c.name == clean(name)).scalar_subquery()


def _known_url(row: Sequence[Any]) -> KnownUrl:
    key_hash, text, role, rule, depth, state, *rest = row
    first, last, visits, changes, changed_at, etag, modified, digest, fingerprint, due = rest
    return KnownUrl(
        key_hash=key_hash,
        url=text,
        role=role,
        rule=rule,
        depth=depth,
        state=state,
        first_visit=first,
        last_visit=last,
        visits=visits,
        changes=changes,
        last_change=changed_at,
        etag=etag or "",
        last_modified=modified or "",
        digest=bytes(digest),
        fingerprint=fingerprint,
        next_due=due,
    )
