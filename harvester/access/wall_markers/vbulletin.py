"""vBulletin 3 and 4: the standard error panel with its login form, human verification, hide add-ons."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_PANEL = ".standard_error, .panelsurround, .panel, .blockbody, td.alt1, .tborder, .restore"

MARKERS = (
    page(
        WallKind.BAN,
        r"have been banned",
        _PANEL,
        r"You have been banned for the following reason|you have been banned from this forum",
    ),
    page(
        WallKind.LOGIN,
        r"not logged in or you do not have permission|STANDARD_ERROR",
        _PANEL,
        r"You are not logged in(?:,| or) you do not have permission|not logged in or you do not have permission",
        member=WallKind.PERMISSION,
    ),
    page(
        WallKind.PERMISSION,
        r"do not have permission to access this page",
        _PANEL,
        r", you do not have permission to access this page",
    ),
    page(WallKind.PASSWORD, r"name=.?newforumpwd|do=enterpwd", "form", link="do=enterpwd"),
    page(
        WallKind.CAPTCHA, r"humanverify", "form.humanverify, .standard_error", r"verification|random question"
    ),
    part(
        WallKind.REPLY,
        r"hidebox|hidden_content|hiddencontent|bbcode_container hide|class=.?hide\b",
        ".hidebox, .hidden_content, .hide, .bbcode_container.hide, .hiddencontent",
        r"(?:must|need to|have to) (?:reply|post|press)",
    ),
    part(
        WallKind.LOGIN,
        r"registered to (?:see|view)|only registered",
        ".bbcode_container, .postcontent, .postbody, td.alt1, .attachments",
        r"only registered (?:and activated )?users can see|must be registered to (?:see|view)",
    ),
)
