"""phpwind 9 and 8.7: hidden, encrypted and sold blocks, and the refusals of attachments."""

from __future__ import annotations

from harvester.access.wall_markers.marker import page, part
from harvester.model.wall import WallKind

_BOX = ".error_wrap, #J_error_tips, .f_two, .regMessage, .pop_cont, .error_return, .tips"

MARKERS = (
    page(
        WallKind.LOGIN,
        r"游客无法|请登录后[操再]|登录后才能[下查浏访]",
        _BOX,
        r"游客无法(?:下载|查看|访问|浏览)|请(?:先)?登录后(?:操作|再|才)|登录后才能",
    ),
    page(
        WallKind.PERMISSION,
        r"用户组没|用户组无|用户组不|没有权限|权限不足",
        _BOX,
        r"所(?:属|在)的?用户组.{0,30}(?:没有|无|不能|不允许)|没有权限|权限不足",
    ),
    page(WallKind.BAN, r"禁止访问|禁止IP|被禁", _BOX, r"禁止(?:访问|IP)|(?:帐号|账号|IP).{0,8}被禁"),
    part(
        WallKind.REPLY,
        r"J_need_reply|content_hidden|hidden_\d+_|quoteTips",
        ".content_hidden, #J_need_reply, .quoteTips, [id^=hidden_]",
        r"需要?回[复覆]后?才?(?:能|可以?)|(?:设定了)?隐藏.{0,10}回复",
    ),
    part(
        WallKind.PAY,
        r"设定了加密",
        "blockquote, .content_hidden, .quoteTips, .content_encrypt",
        r"设定了加密.{0,20}积分才能",
        needed=r"需要\s*(\d+)|需要.{0,8}?(\d+)",
        opens_by="an account with enough points; a reply does not help",
    ),
    part(
        WallKind.PAY,
        r"J_content_sell|action=buytopic",
        ".content_sell, #J_content_sell, .quoteTips",
        r"购买|出售|售价|支付",
        needed=r"(\d+\s*\S{0,4})",
    ),
)
