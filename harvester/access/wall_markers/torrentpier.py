"""TorrentPier and its forks: the guest block in place of the attachment, message tables, login page."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_MESSAGE = "table.message, .mrg_16, .msg-main"

MARKERS = (
    page(
        WallKind.LOGIN,
        r"class=.?message|mrg_16|msg-main",
        _MESSAGE,
        r"must be logged in|sorry, (?:but )?only.{0,40}(?:can|may) (?:read|download)|Вы должны (?:войти|авторизоваться)|только зарегистрированн",
        member=WallKind.PERMISSION,
    ),
    page(
        WallKind.BAN,
        r"been banned|Вы (?:были )?за(?:блокирован|банен)",
        _MESSAGE,
        r"been banned|Вы (?:были )?за(?:банены|блокированы)",
    ),
    page(
        WallKind.PERMISSION,
        r"DOWNLOAD_LIMIT_EXCEEDED|SORRY_AUTH_VIEW_ATTACH|лимит скачивани",
        _MESSAGE + ", body",
        r"DOWNLOAD_LIMIT_EXCEEDED|SORRY_AUTH_VIEW_ATTACH|(?:превышен|исчерпан).{0,30}лимит.{0,20}скачивани",
        opens_by="a day's wait, or an account with a higher download limit",
    ),
    part(WallKind.LOGIN, r"attach_link", "h1.attach_link, .attach_link.guest, .attach_link", link="register"),
    part(
        WallKind.LOGIN,
        r"attach_link",
        ".attach_link.guest, table.attach",
        r"зарегистрир|необходимо войти|register|log in",
    ),
)
