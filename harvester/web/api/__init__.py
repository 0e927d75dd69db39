"""`/api/v1`: what was harvested, for programs. One router a topic."""

from __future__ import annotations

from fastapi import APIRouter

from harvester.web.api import blocks, crawls, health, search, sites, stats, torrents
from harvester.web.api.shapes import PROBLEMS

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
for _topic in (search, torrents, sites, crawls, stats, blocks, health):
    router.include_router(_topic.router)
