"""MyBB 1.8: the error table, which comes with status 200 for pages and attachments alike."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_ERROR = "table.tborder, .error, .error_message"

MARKERS = (
    page(
        WallKind.LOGIN,
        r"error_nopermission|either not logged in or do not have permission",
        _ERROR,
        r"You are either not logged in or do not have permission to view this page",
        member=WallKind.PERMISSION,
    ),
    page(
        WallKind.BAN,
        r"banned from|Reason for (?:your )?ban",
        _ERROR,
        r"you (?:are|have been) banned from (?:this|these|the) forum|Reason for (?:your )?ban:",
    ),
    page(WallKind.PASSWORD, r"name=.?pwverify", "form", r"password", link=""),
    page(
        WallKind.MODERATION,
        r"awaiting (?:moderation|approval|activation)",
        _ERROR,
        r"awaiting (?:moderation|approval|activation)",
    ),
    part(
        WallKind.REPLY,
        r"hidden_content|hide_content|hiddencontent|tthide|hide-content",
        ".hidden_content, .hide_content, .hiddencontent, div.tthide, .hide-content",
        r"(?:must|need to|have to) (?:reply|post)|reply to (?:this|the) (?:thread|topic)",
    ),
)
