"""phpBB 3: the login box in place of the page, the message panel, the notice below a post."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_MESSAGE = "#message, .panel"

MARKERS = (
    page(
        WallKind.PASSWORD,
        r"id=.?login_forum|requires a password",
        "form#login_forum, form#login",
        r"(?:forum|board).{0,40}requires? (?:a |the )?password|password.{0,40}(?:view|enter) this forum",
    ),
    page(
        WallKind.BAN,
        r"banned from this",
        _MESSAGE,
        r"You have been (?:permanently )?banned from this board|banned from this board until",
    ),
    page(
        WallKind.LOGIN,
        r"login-title",
        "h2.login-title",
        r"\S",
        member=WallKind.PERMISSION,
    ),
    page(
        WallKind.REFERER,
        r"not authorised to view, download or link",
        _MESSAGE,
        r"not authorised to view, download or link from",
    ),
    page(
        WallKind.LOGIN,
        r"not authorised to (?:read|view|download)|required permissions to|SORRY_AUTH_READ|LOGIN_VIEWFORUM",
        _MESSAGE,
        r"not authorised to (?:read|view(?!, download or link)|download)|required permissions to (?:read|view|download)|SORRY_AUTH_READ",
        member=WallKind.PERMISSION,
    ),
    page(
        WallKind.CAPTCHA,
        r"mode=confirm",
        "fieldset",
        r"confirm(?:ation)? code|visual confirmation",
        link="mode=confirm",
    ),
    part(
        WallKind.LOGIN,
        r"required permissions to view the files",
        ".rules, .postbody",
        r"You do not have the required permissions to view the files attached to this post",
        member=WallKind.PERMISSION,
    ),
    part(
        WallKind.MODERATION,
        r"awaiting approval|not been approved",
        ".rules.unapproved, .post-notice, .unapproved, .posthidden",
        r"waiting for approval|awaiting approval|not been approved",
    ),
    part(
        WallKind.REPLY,
        r"hidebox|hide_content|codebox hidden|unhide",
        "dl.hidebox, .hidebox, dl.codebox.hidden, .unhide, .hide_content",
        r"(?:must|need to|have to) (?:reply|post)",
    ),
)
