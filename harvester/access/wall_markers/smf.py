"""SMF 2 and 3: the fatal error box, the members-only box, the two-factor page."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_BOX = "#fatal_error, .errorbox, .information, .noticebox, .login"

MARKERS = (
    page(WallKind.SECOND_FACTOR, r"frmTfa", "form#frmTfa"),
    page(
        WallKind.BAN, r"banned from", _BOX, r"you are banned from|banned from (?:using|accessing) this forum"
    ),
    page(
        WallKind.LOGIN,
        r"only registered members|frmLogin",
        _BOX + ", form#frmLogin",
        r"Only registered members are allowed|(?:is|are) (?:missing or )?off limits to you.{0,60}log\s?in|Please (?:log\s?in|login) below",
        member=WallKind.PERMISSION,
    ),
    page(
        WallKind.PERMISSION,
        r"fatal_error|class=.?errorbox",
        "#fatal_error, .errorbox",
        r"You are not allowed to (?:access|view|download)|off limits to you|cannot (?:view|download) attachments",
    ),
    page(WallKind.PAY, r"fatal_error", "#fatal_error", r"not enough (?:points|credits|money)"),
    page(WallKind.MODERATION, r"awaiting approval", _BOX, r"awaiting approval"),
    part(
        WallKind.LOGIN,
        r"not allowed to view (?:links|attachments)|allowed to view links",
        ".post, .inner, .attached, .postarea, .windowbg",
        r"You are not allowed to view (?:links|attachments)",
        member=WallKind.PERMISSION,
    ),
    part(
        WallKind.REPLY,
        r"hiddentext|bbc_hide|hide_tag|hidden_content",
        ".hiddentext, .bbc_hide, .hide_tag, .hidden_content, .bbc_standard_quote.hide",
        r"(?:must|need to|have to) (?:reply|post)",
    ),
)
