"""ftp: recorded, never fetched."""

from __future__ import annotations

from harvester.links.codecs.http import finish
from harvester.links.payload import FinalCodec

CODEC = FinalCodec("ftp", ("ftp",), finish, named_after_wrapper=False)
