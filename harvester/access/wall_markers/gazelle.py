"""Gazelle: plain error pages and the login page's warnings."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page
from harvester.model.wall import WallKind

_BOX = "form#loginform, .thin, h2, #content, span.warning"

MARKERS = (
    page(
        WallKind.BAN,
        r"been banned|been disabled|are banned",
        _BOX,
        r"Your IP (?:address )?has been banned|Your account has been disabled|You are banned from logging in",
    ),
    page(
        WallKind.PERMISSION,
        r"Error 403|don't have permission|ratio watch",
        "h2, .thin",
        r"^Error 403|You (?:just )?(?:tried to go to a page|don't have (?:enough )?permission)|leech privileges.{0,40}(?:revoked|disabled)",
    ),
    page(
        WallKind.SECOND_FACTOR,
        r"name=.?twofa|key=.?2fa|name=.?2fa",
        "form#loginform, form",
        r"two.?factor|2FA (?:key|code)",
        link="2fa",
    ),
)
