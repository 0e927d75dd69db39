"""UNIT3D: the auth pages and the error view of Laravel."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page
from harvester.model.wall import WallKind

MARKERS = (
    page(WallKind.SECOND_FACTOR, r"two-factor-challenge", "form", link="two-factor-challenge"),
    page(
        WallKind.BAN,
        r"(?:are|been|is) banned",
        "main, .panel, .auth-form__error, .error__body",
        r"(?:you|your account) (?:are|have been|has been|is) banned",
    ),
    page(
        WallKind.PERMISSION,
        r"error__body|Unauthorized|download (?:rights|privileges)",
        ".error__body, .error__title, .alert, .toast",
        r"403|forbidden|unauthorized|download (?:rights|privileges).{0,30}(?:revoked|disabled)|ratio is too low",
    ),
)
