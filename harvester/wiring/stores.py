"""The store of these settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harvester.errors import NotFound, SettingsError
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.store.opening import open_store


@contextmanager
def opened_store(settings: Settings, *, create: bool = False) -> Iterator[Store]:
    """The store of these settings, closed at the end.

    `create` makes the data folder and the database where there are none; without it `NotFound` says how to
    begin.
    """
    if create:
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(
                f"the data folder {settings.data} cannot be made",
                why=error.strerror or str(error),
                hint="name another one with --data",
            ) from error
    try:
        store = open_store(settings.database_url, settings.blobs_url, create=create)
    except NotFound as error:
        raise NotFound(
            f"nothing is harvested yet in {settings.data}",
            hint="begin with: harvest full --site URL, or name another folder with --data",
        ) from error
    try:
        yield store
    finally:
        store.close()
