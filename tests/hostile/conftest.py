"""The small collection, served, for hostile addresses."""

from __future__ import annotations

from tests.web.conftest import own

__all__ = ["own"]
