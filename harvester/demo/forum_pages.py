"""The HTML of the Chinese demo forum: Discuz! X's structure, with a small style sheet of our own."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

SITE_NAME = "深蓝论坛"

_CSS = """
body{margin:0;background:#eef2f6;color:#333;font:14px/1.6 "PingFang SC","Microsoft YaHei",sans-serif}
a{color:#1f5c99;text-decoration:none}a:hover{text-decoration:underline}
.wp{max-width:980px;margin:0 auto;padding:0 12px}#hd{background:#17436e;color:#fff;padding:14px 0}
#hd a{color:#fff}#hd h1{display:inline;font-size:22px;margin:0}#um{float:right;font-size:13px;padding-top:6px}
#pt{padding:10px 0;font-size:13px;color:#777}table{width:100%;border-collapse:collapse;background:#fff}
td,th{padding:8px 10px;border-bottom:1px solid #e3e8ee;text-align:left;vertical-align:top;font-weight:400}
.bm_h{background:#dfe8f1;padding:6px 10px;font-weight:700}.xg1,em{color:#888;font-style:normal;font-size:12px}
.pg{padding:10px 0}.pg a,.pg strong{display:inline-block;border:1px solid #c5d3e0;background:#fff;padding:2px 9px}
.pg strong{background:#17436e;color:#fff}.pls{width:130px;background:#f6f9fc}.po{font-size:12px;text-align:right}
.po a{margin-left:10px;color:#888}.tattl{border:1px dashed #b6c7d8;padding:8px;margin:10px 0;background:#f8fbfe}
.tattl p,.tattl dd{margin:0}.locked,.attach_nopermission{border:1px dashed #f0a050;background:#fff6ec;padding:8px}
.showhide{border:1px dashed #7ab87a;background:#f2faf2;padding:8px}.showhide h4{margin:0 0 6px}
#messagetext{background:#fff;border:1px solid #c5d3e0;padding:30px;margin:30px auto;max-width:560px}
#ft{padding:24px 0;color:#999;font-size:12px}.blockcode{background:#f5f5f5;padding:6px 10px;font-family:monospace}
textarea{width:100%;height:90px}input,button,textarea{font:inherit}
"""


def page(
    title: str, body: str, *, origin: str, uid: int, user: str, formhash: str, crumbs: Iterable[str] = ()
) -> str:
    """A whole page around `body` (HTML); `crumbs` are HTML links."""
    if uid:
        me = (
            f'<strong><a href="home.php?mod=space&amp;uid={uid}">{escape(user)}</a></strong> | '
            f'<a href="member.php?mod=logging&amp;action=logout&amp;formhash={formhash}">退出</a>'
        )
    else:
        me = (
            '<a href="member.php?mod=logging&amp;action=login">登录</a> | '
            '<a href="member.php?mod=register">立即注册</a>'
        )
    way = " &rsaquo; ".join([f'<a href="forum.php">{SITE_NAME}</a>', *crumbs])
    return f"""<!DOCTYPE html>
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=gbk" />
<title>{escape(title)} - {SITE_NAME} - Powered by Discuz!</title>
<meta name="generator" content="Discuz! X3.5" />
<base href="{origin}/" />
<style>{_CSS}</style>
<script type="text/javascript">var STYLEID = '1', charset = 'gbk', discuz_uid = '{uid}', \
cookiepre = 'demo_2132_', SITEURL = '{origin}/';</script>
</head>
<body id="nv_forum">
<div id="hd"><div class="wp"><div id="um">{me}</div><h1><a href="./">{SITE_NAME}</a></h1></div></div>
<div id="wp" class="wp"><div id="pt">{way}</div>
{body}
</div>
<div id="ft" class="wp"><a href="forum.php?mobile=yes">手机版</a> | <a href="archiver/">Archiver</a> |
<a href="misc.php?mod=stat">站点统计</a> | 演示站点，全部内容均为虚构 | Powered by Discuz! X3.5</div>
</body>
</html>
"""


def message(text: str, *, kind: str = "alert_info", login: bool = False, onward: str = "") -> str:
    """Discuz's message box; it comes with HTTP 200 whatever it says."""
    more = '<div id="messagelogin"></div>' if login else ""
    if login:
        more += '<p><a href="member.php?mod=logging&amp;action=login">请先登录</a></p>'
    if onward:
        more += f'<p class="alert_btnleft"><a href="{escape(onward)}">如果您的浏览器没有自动跳转，请点击此链接</a></p>'
    return f'<div id="messagetext" class="{kind}"><p>{escape(text)}</p></div>{more}'


def pager(addresses: list[str], current: int) -> str:
    """Links to the pages of a list or thread; `current` counts from 1."""
    if len(addresses) < 2:
        return ""
    links = [
        f"<strong>{number}</strong>" if number == current else f'<a href="{escape(address)}">{number}</a>'
        for number, address in enumerate(addresses, 1)
    ]
    if current < len(addresses):
        links.append(f'<a href="{escape(addresses[current])}" class="nxt">下一页</a>')
    return f'<div class="pg">{"".join(links)}</div>'


def login_form(loginhash: str, formhash: str, referer: str) -> str:
    """The full login page's form."""
    return f"""<div id="main_messaqge_{loginhash}"><div id="layer_login_{loginhash}">
<form method="post" autocomplete="off" name="login" id="loginform_{loginhash}" class="cl" \
action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes&amp;loginhash={loginhash}">
<input type="hidden" name="formhash" value="{formhash}" />
<input type="hidden" name="referer" value="{escape(referer)}" />
<table><tr><th><select name="loginfield"><option value="username" selected="selected">用户名</option>
<option value="uid">UID</option><option value="email">Email</option></select></th>
<td><input type="text" name="username" id="username_{loginhash}" size="30" tabindex="1" /></td></tr>
<tr><th>密码</th><td><input type="password" id="password3_{loginhash}" name="password" size="30" /></td></tr>
<tr><th>安全提问</th><td><select name="questionid"><option value="0">安全提问(未设置请忽略)</option>
<option value="1">母亲的名字</option></select> <input type="text" name="answer" size="30" /></td></tr>
<tr><th></th><td><label><input type="checkbox" name="cookietime" value="2592000" />自动登录</label></td></tr>
<tr><th></th><td><button type="submit" name="loginsubmit" value="true"><strong>登录</strong></button></td></tr>
</table></form></div></div>
<p class="xg1">演示账号：demo，密码：demo-password</p>"""


def reply_form(fid: int, tid: int, formhash: str) -> str:
    """The quick reply form below a thread."""
    return f"""<form method="post" autocomplete="off" id="fastpostform" \
action="forum.php?mod=post&amp;action=reply&amp;fid={fid}&amp;tid={tid}&amp;extra=&amp;replysubmit=yes">
<textarea name="message" id="fastpostmessage"></textarea>
<input type="hidden" name="posttime" id="posttime" value="0" />
<input type="hidden" name="formhash" value="{formhash}" />
<input type="hidden" name="usesig" value="" /><input type="hidden" name="subject" value="  " />
<button type="submit" name="replysubmit" id="fastpostsubmit" value="replysubmit"><strong>发表回复</strong></button>
</form>"""
