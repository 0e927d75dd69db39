"""The pages for people."""

from __future__ import annotations

from fastapi import APIRouter

from harvester.web.pages import accounts, blocks, metrics, operator, search, sites, torrent
from harvester.web.pages.rendering import error_page, static_files

__all__ = ["error_page", "router", "static_files"]

router = APIRouter(include_in_schema=False)
for _topic in (search, torrent, sites, accounts, operator, blocks, metrics):
    router.include_router(_topic.router)
