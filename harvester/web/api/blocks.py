"""What was taken out for good: for keys of scope admin."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from harvester.model.stored import Block
from harvester.search.blocked import add_block, remove_block
from harvester.search.records import timestamp
from harvester.web.api.shapes import BlockRow, Blocks, NewBlock
from harvester.web.authentication import Admin
from harvester.web.etags import EtagRoute
from harvester.web.services import services_of

router = APIRouter(tags=["blocks"], route_class=EtagRoute)


@router.get("/blocks", summary="All blocks")
def blocks(request: Request, _principal: Admin) -> Blocks:
    """Everything that was taken out, with the reasons, the oldest first."""
    return Blocks(blocks=[_row(block) for block in services_of(request).store.blocks()])


@router.post("/blocks", summary="Take something out", status_code=201)
def block(request: Request, _principal: Admin, body: NewBlock) -> BlockRow:
    """At once gone from search, pages, files and exports, and not taken again by crawls."""
    made = add_block(services_of(request).store, body.kind, body.value, body.reason, now=time.time())
    return _row(made)


@router.delete("/blocks/{kind}", summary="Lift a block", status_code=204)
def unblock(
    request: Request,
    _principal: Admin,
    kind: Annotated[str, Path(max_length=20, examples=["word"])],
    value: Annotated[str, Query(min_length=1, max_length=500, examples=["forbidden words"])],
) -> Response:
    """What it took out is found again."""
    remove_block(services_of(request).store, kind, value, now=time.time())
    return Response(status_code=204)


def _row(block: Block) -> BlockRow:
    return BlockRow(kind=block.kind, value=block.value, reason=block.reason, since=timestamp(block.since))
