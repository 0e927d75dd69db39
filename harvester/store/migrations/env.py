"""Alembic's way in: run on the connection that `upgrade` was given, in its transaction."""

from __future__ import annotations

from alembic import context

from harvester.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,
    render_as_batch=True,
)
context.run_migrations()
