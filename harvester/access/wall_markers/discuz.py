"""Discuz! X, 7 and 6: the message box, locked blocks in a post, attachment boxes.

Refusals come with status 200. X has `#messagetext`, 7 `.postbox .alert_info`, 6 `.box.message`; the texts
are those of the language files. `.locked` alone says nothing: banned posts, post passwords and paid threads
carry it as well.
"""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_BOX = "#messagetext, .alert_info, .alert_error, .box.message, .jump_c"
_BOX_TRIGGER = r"id=.?messagetext|postbox|box message|jump_c"
_ATTACHMENT = "dl.tattl, p.attp, .postattachlist, .attachlist, .t_attachlist, ignore_js_op"
_LOCKED = "div.locked, div.notice, div.quote"

MARKERS = (
    page(
        WallKind.REFERER, _BOX_TRIGGER, _BOX, r"请不要从外部链接下载|請不要從外部鏈接下載|您的请求来路不正确"
    ),
    page(
        WallKind.PERMISSION,
        _BOX_TRIGGER,
        _BOX,
        r"要求阅读权限高于\s*\d+|要求閱讀權限高於\s*\d+|只有特定用户可以(?:下载|访问|查看)|只有特定用戶可以"
        r"|所在的用户组.{0,40}(?:无法|没有权限)|所在的用戶組.{0,40}(?:無法|沒有權限)|用户组.{0,20}不允许",
        needed=r"(?:阅读权限|閱讀權限)高[于於]\s*(\d+)",
    ),
    page(
        WallKind.BAN,
        _BOX_TRIGGER,
        _BOX,
        r"禁止访问|IP\s*地址.{0,20}(?:禁止|不允许|不能访问)|您(?:的账号|的帐号)?已?被(?:禁止|锁定|封)|禁止IP|被加入黑名单",
    ),
    page(
        WallKind.LOGIN,
        _BOX_TRIGGER,
        _BOX,
        r"尚未登录|尚未登錄|尚未登入|需要先?登录|需要先?登錄|请先?登录后|請先?登錄|先登录才能|登录后才能|登錄後才能"
        r"|只有注册会员|本站注册会员才",
    ),
    page(
        WallKind.PAY,
        _BOX_TRIGGER,
        _BOX,
        r"(?:需要|需向作者)(?:支付|付费|购买)|需要付費|请先购买|(?:积分|金钱|金币).{0,12}(?:不足|不够|少于)|扣除\s*\S{0,12}\s*积分",
        needed=r"支付\s*(\d+\s*\S{0,6})",
    ),
    page(WallKind.CAPTCHA, _BOX_TRIGGER, _BOX, r"请输入验证码|验证码(?:填写)?错误|需要填写验证码"),
    page(WallKind.SECOND_FACTOR, _BOX_TRIGGER, _BOX, r"安全提问"),
    page(WallKind.MODERATION, _BOX_TRIGGER, _BOX, r"(?:需要|等待|正在|未通过).{0,4}审核|需要審核|審核中"),
    page(
        WallKind.PASSWORD,
        r"name=.?pw\b|action=pwverify",
        "form",
        r"密码|密碼",
        link="action=pwverify",
    ),
    page(
        WallKind.PASSWORD,
        r"action=login&(?:amp;)?fid=|本版块需要密码|論壇需要密碼|论坛需要密码",
        "body",
        r"(?:本版块|本论坛|论坛)需要密码",
    ),
    part(
        WallKind.REPLY,
        r"class=.?locked|class=.?notice",
        _LOCKED,
        r"(?:查看|浏览|瀏覽).{0,4}本[帖贴]隐藏|本[帖贴]隐藏的?内容需要回复|本[帖貼]隱藏的?內容需要回[復覆]|要查看本帖隱藏",
    ),
    part(
        WallKind.PAY,
        r"积分高于|積分高於",
        _LOCKED,
        r"需要积分高于\s*\d+|需要積分高於\s*\d+",
        needed=r"高[于於]\s*(\d+)",
        opens_by="an account with enough points; a reply does not help",
    ),
    part(
        WallKind.PAY,
        r"viewpay|action=pay\b|action=pay&",
        "div.locked, .viewpay, .box.message, div.notice",
        r"(?:需向作者|需要)?支付|付费|购买主题|購買主題",
        link="action=pay",
        needed=r"支付\s*(\d+\s*[^\s才，。]{0,6})",
    ),
    part(
        WallKind.PASSWORD,
        r"id=.?postpw_",
        "div.locked",
        r"密码|密碼",
    ),
    part(
        WallKind.MODERATION,
        r"(?:版主|管理员|自动)屏蔽|作者被禁止或删除|版主屏蔽",
        "div.locked",
        r"屏蔽|作者被禁止",
        opens_by="nothing a visitor can do: the post was hidden by the site",
    ),
    part(
        WallKind.MODERATION,
        r"[在待要]审核",
        "div.locked, .modact, #modmsg",
        r"(?:主题|帖子|内容|回复).{0,6}(?:正在|等待|需要).{0,4}审核",
    ),
    part(
        WallKind.LOGIN,
        r"attach_nopermission|attach_tips",
        ".attach_nopermission",
        r"登录|登錄|登入",
        opens_by="",
    ),
    part(
        WallKind.PERMISSION,
        r"attach_nopermission",
        ".attach_nopermission",
        r"用户组|用戶組|权限不足|没有权限",
    ),
    part(
        WallKind.PERMISSION,
        r"(?:阅读权限|閱讀權限)[:：]?\s*<strong>",
        _ATTACHMENT,
        r"(?:阅读权限|閱讀權限)\s*[:：]?\s*\d+",
        needed=r"(?:阅读权限|閱讀權限)\s*[:：]?\s*(\d+)",
    ),
    part(
        WallKind.PAY,
        r"attachpay|viewattachpayments",
        _ATTACHMENT,
        r"(?:售价|售價)\s*[:：]?\s*\d+",
        link="attachpay",
        needed=r"(?:售价|售價)\s*[:：]?\s*(\d+\s*[^\s\[]{0,6})",
    ),
)
