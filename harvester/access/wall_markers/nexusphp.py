"""NexusPHP: the embedded message table (`stdmsg`), in Chinese and English."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page
from harvester.model.wall import WallKind

_BOX = "td.embedded, h1, td.text, table.main"
_TRIGGER = r"class=.?embedded|未登录!|未登錄!|Not logged in!"

MARKERS = (
    page(
        WallKind.LOGIN,
        _TRIGGER,
        "h1, td.embedded, td.text",
        r"^未登[录錄]|该页面必须在登录后才能访问|該頁面必須在登錄後|Not logged in!",
    ),
    page(
        WallKind.BAN,
        _TRIGGER,
        _BOX,
        r"我们怀疑你在欺骗系统|(?:账号|帐号|账户|IP地址|IP).{0,8}(?:已被|被)(?:禁|封)|This account has been disabled|your IP.{0,20}banned",
    ),
    page(
        WallKind.PERMISSION,
        _TRIGGER,
        _BOX,
        r"权限不足|權限不足|没有(?:该|相应|此)?权限|沒有(?:該)?權限|你没有下载权限|Permission denied|don't have permission",
    ),
    page(
        WallKind.PAY,
        _TRIGGER,
        _BOX,
        r"(?:魔力值|积分|上传量)(?:值)?不足|没有足够的(?:魔力|积分)|not enough (?:bonus|karma)",
    ),
    page(
        WallKind.PERMISSION,
        r"downloadnotice\.php",
        "form",
        link="downloadnotice.php",
        opens_by="the operator reading and accepting the site's download rules",
    ),
)
