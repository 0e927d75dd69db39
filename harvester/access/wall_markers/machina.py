"""django-machina and other Django sites: the auth views of Django, the 403 page, topics on hold."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

MARKERS = (
    page(WallKind.LOGIN, r"please log ?in to see this page", "p", r"^Please log ?in to see this page"),
    page(
        WallKind.PERMISSION,
        r"your account doesn't have access|account doesn&#x27;t have access|account doesn’t have access",
        "p",
        r"^Your account doesn.t have access to this page",
    ),
    page(WallKind.PERMISSION, r"<h1>403 Forbidden", "h1", r"^403 Forbidden$"),
    part(
        WallKind.MODERATION,
        r"waiting for approval|held for (?:approval|moderation)",
        ".alert",
        r"waiting for approval|held for (?:approval|moderation)",
    ),
)
