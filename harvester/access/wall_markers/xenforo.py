"""XenForo 2: the `data-template` of the root element, the error message, hide add-ons."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_MESSAGE = ".blockMessage, .block-body, .p-body-pageContent"
_HIDE = (
    ".bbCodeBlock--hidden, .bbCodeBlock--hide, .hideBlock--hidden, .hideBlock, .bbCodeBlock--unfurl.is-hidden"
)
_HIDE_TRIGGER = r"bbCodeBlock--hid|hideBlock"

MARKERS = (
    page(WallKind.SECOND_FACTOR, r"data-template=.?login_two_step", 'html[data-template="login_two_step"]'),
    page(WallKind.BAN, r"been banned", _MESSAGE, r"You have been banned|your account (?:is|has been) banned"),
    page(WallKind.LOGIN, r"must be logged.in to do that", _MESSAGE, r"must be logged.in to do that"),
    page(
        WallKind.LOGIN,
        r"permission to view this page or perform this action",
        _MESSAGE,
        r"do not have permission to view this page or perform this action",
        member=WallKind.PERMISSION,
    ),
    part(
        WallKind.REPLY,
        _HIDE_TRIGGER,
        _HIDE,
        r"need to reply|must reply|reply (?:to|in) (?:this|the) (?:thread|topic)",
    ),
    part(
        WallKind.PERMISSION,
        _HIDE_TRIGGER,
        _HIDE,
        r"need to (?:react|like)|like this (?:post|message)|thank",
        opens_by="a like or thanks, which Harvest does not give",
    ),
    part(
        WallKind.PERMISSION,
        _HIDE_TRIGGER,
        _HIDE,
        r"(?:must|need to) have at least|at least \d+ (?:post|message|reaction|trophy|day)",
        needed=r"at least (\d+ \w+)",
    ),
    part(
        WallKind.LOGIN,
        r"registered for see|register to (?:see|view)|must be registered|log in or register to",
        ".messageHide, .bbCodeBlock, .hideBlock, .message-body, .attachmentList, .messageHide--link",
        r"must be registered (?:for|to) (?:see|view)|register to (?:see|view)|log in or register to (?:see|view)",
    ),
    part(
        WallKind.MODERATION,
        r"awaiting approval|messageNotice--moderated",
        ".messageNotice--moderated, .blockMessage",
        r"awaiting approval",
    ),
)
