"""Pages in versions by time, keyed by reversed host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, ScalarSelect, func, select

from harvester.model.crawl import Batch, Crawl
from harvester.model.stored import PageVersion
from harvester.store.bulk import Dialect
from harvester.store.engine import Database
from harvester.store.tables import anchor, page, site
from harvester.store.values import Packer, clean, unpack

_INSERTED = tuple(column.name for column in page.columns if column.name != "id")
_COLUMNS = (
    page.c.key_hash,
    page.c.url,
    page.c.reversed_host,
    page.c.at,
    page.c.digest,
    page.c.title,
    page.c.heading,
    page.c.language,
    page.c.fingerprint,
    page.c.body_zst,
)


ANCHOR_LENGTH = 120
"""Characters of an anchor text that are kept."""
ANCHORS = 50
"""Anchor texts of one page that are read."""


class PageWriter:
    """The pages' part of a batch, inside the writing transaction."""

    def __init__(self, dialect: Dialect) -> None:
        self._packer = Packer()
        self._versions = dialect.look_up(page, ("key_hash", "at", "digest"), "key_hash", fixed=("site_id",))
        self._insert = dialect.insert(page, _INSERTED, "ON CONFLICT (site_id, key_hash, at) DO NOTHING")
        self._insert_anchors = dialect.insert(
            anchor, ("site_id", "key_hash", "text", "first_seen"), "ON CONFLICT DO NOTHING"
        )

    def apply(self, connection: Connection, batch: Batch) -> None:
        """Write a version of every page whose content is not that of its last version, and new anchors."""
        site_id = batch.crawl.site_id
        texts = {(key_hash, clean(text[:ANCHOR_LENGTH])) for key_hash, text in batch.anchors}
        self._insert_anchors(connection, [(site_id, *found, batch.now) for found in sorted(texts)])
        keys = list({version.key_hash for version in batch.pages})
        known = sorted(self._versions(connection, keys, site_id), key=lambda row: row[1])
        last = {key_hash: bytes(digest) for key_hash, _, digest in known}
        rows = []
        for version in batch.pages:
            if last.get(version.key_hash) != version.digest:
                last[version.key_hash] = version.digest
                rows.append(self._row(batch.crawl.site_id, version))
        self._insert(connection, rows)

    def _row(self, site_id: int, version: PageVersion) -> tuple[Any, ...]:
        body = [version.text, [[url, anchor] for url, anchor in version.links]]
        return (
            clean(version.reversed_host),
            site_id,
            version.key_hash,
            version.at,
            clean(version.url),
            clean(version.title),
            clean(version.heading),
            clean(version.language),
            version.digest,
            version.fingerprint,
            self._packer.pack(body),
        )


class Pages:
    """Reading pages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(self, site: str, key_hash: int, *, at: float | None = None) -> PageVersion | None:
        """See `harvester.ports.store.PageStore`."""
        statement = select(*_COLUMNS).where(page.c.site_id == _site_id(site), page.c.key_hash == key_hash)
        if at is not None:
            statement = statement.where(page.c.at <= at)
        with self._database.read() as connection:
            row = connection.execute(statement.order_by(page.c.at.desc()).limit(1)).one_or_none()
            if row is None:
                return None
            texts = select(anchor.c.text).where(
                anchor.c.site_id == _site_id(site), anchor.c.key_hash == key_hash
            )
            if at is not None:
                texts = texts.where(anchor.c.first_seen <= at)
            texts = texts.order_by(anchor.c.first_seen, anchor.c.text).limit(ANCHORS)
            return replace(_version(row), anchors=tuple(connection.execute(texts).scalars()))

    def page_versions(self, site: str, key_hash: int) -> list[float]:
        """See `harvester.ports.store.PageStore`."""
        statement = select(page.c.at).where(page.c.site_id == _site_id(site), page.c.key_hash == key_hash)
        with self._database.read() as connection:
            return list(connection.execute(statement.order_by(page.c.at)).scalars())

    def pages_of_host(self, reversed_host: str, *, limit: int = 1000) -> list[PageVersion]:
        """See `harvester.ports.store.PageStore`."""
        reversed_host = clean(reversed_host)
        newest = (
            select(page.c.reversed_host, page.c.key_hash, page.c.site_id, func.max(page.c.at).label("at"))
            .where(
                # "/" follows "." in ASCII: the range holds the host itself's subdomains and nothing else.
                (page.c.reversed_host == reversed_host)
                | (page.c.reversed_host.between(f"{reversed_host}.", f"{reversed_host}/"))
            )
            .group_by(page.c.reversed_host, page.c.key_hash, page.c.site_id)
            .order_by(page.c.reversed_host, page.c.key_hash)
            .limit(limit)
            .subquery()
        )
        same = (
            (newest.c.key_hash == page.c.key_hash)
            & (newest.c.site_id == page.c.site_id)
            & (newest.c.at == page.c.at)
        )
        statement = select(*_COLUMNS).join_from(page, newest, same)
        statement = statement.order_by(page.c.reversed_host, page.c.key_hash)
        with self._database.read() as connection:
            return _versions(connection.execute(statement))

    def texts_read(self, crawl: Crawl, *, limit: int) -> list[tuple[int, str, str]]:
        """See `harvester.ports.store.PageStore`."""
        statement = select(page.c.key_hash, page.c.title, page.c.body_zst)
        statement = statement.where(page.c.site_id == crawl.site_id, page.c.at >= crawl.started_at)
        with self._database.read() as connection:
            rows = connection.execute(statement.order_by(page.c.id.desc()).limit(limit))
            texts = [(key_hash, title, unpack(bytes(body))[0]) for key_hash, title, body in rows]
        return texts[::-1]


def _site_id(name: str) -> ScalarSelect[int]:
    return select(site.c.id).where(site.c.name == clean(name)).scalar_subquery()


def _versions(rows: Iterable[Sequence[Any]]) -> list[PageVersion]:
    return [_version(row) for row in rows]


def _version(row: Sequence[Any]) -> PageVersion:
    key_hash, address, reversed_host, at, digest, title, heading, language, fingerprint, body = row
    text, links = unpack(bytes(body))
    return PageVersion(
        key_hash=key_hash,
        url=address,
        reversed_host=reversed_host,
        at=at,
        digest=bytes(digest),
        title=title,
        text=text,
        links=tuple((url, anchor) for url, anchor in links),
        language=language,
        fingerprint=fingerprint,
        heading=heading,
    )
