"""Phrases that any site may use, looked for in headings and message boxes only.

On a short page the wall is before the whole page, else before a part of it; `walls.py` decides which.
"""

from __future__ import annotations

import re

from harvester.model.wall import WallKind

OPENED_WORDS = re.compile(
    r"(?:以下|本帖|本部分)?.{0,6}(?:隐藏|隱藏)(?:的)?(?:内容|內容)|(?:以下)?[内內]容需要回[复復]才能看到|您已?(?:经)?回[复復]过"
    r"|hidden (?:content|text|message)|content (?:was|is) (?:un)?hidden|unlocked (?:content|by)|скрыт(?:ый|ое) (?:текст|содержимое)",
    re.IGNORECASE,
)
"""What stands at the head of a block that a reply opened."""

BOXES = (
    "title, h1, h2, h3, [role=alert], .alert, .error, .errors, .errorbox, .error-message, .errormsg, .message, "
    "#message, .messagebox, .msg, .msgbox, .notice, .notification, .warning, .info, .info-box, .tip, .tips, "
    ".login-required, .login-tip, .access-denied, .denied, .locked, .lock, .hide, .hidden-content, .hidebox, "
    ".hidden_content, .hide-content, .hide_content, .reply2view, .need-reply, .needreply, .unlock, .guest, "
    ".guest-notice, .restricted, .protected, .paywall, .members-only, .nologin, .no-permission, .forbidden, "
    ".flash, .callout, .panel-body, .jumbotron, .blockMessage, .error-page, .errorpage, legend"
)

PHRASES: tuple[tuple[WallKind, str], ...] = (
    (
        WallKind.BAN,
        r"you (?:have been|are|were) (?:permanently |temporarily )?banned|your ip(?: address)? (?:has been|is|was) (?:banned|blocked)"
        r"|(?:账号|帐号|IP(?: ?地址)?).{0,6}(?:已被|被)(?:封|禁)|вы (?:были )?за(?:банены|блокированы)"
        r"|ваш ip(?:-адрес)? .{0,12}заблокирован|アクセス(?:が|を)(?:禁止|拒否)",
    ),
    (
        WallKind.REPLY,
        r"\b(?:reply|post|comment)\b.{0,30}to (?:see|view|unlock) (?:this|the|hidden)|(?:need|have|must) (?:to )?(?:reply|comment) .{0,30}(?:see|view|read)"
        r"|(?:回复|回帖|跟帖|评论|留言)后?(?:即?可|才[能可]|方[能可]).{0,4}(?:见|查看|浏览|阅读|下载)"
        r"|需要?(?:评论|回复|回帖).{0,6}(?:查看|浏览|阅读|可见|下载)|回[復覆]後?(?:才能|可|方可).{0,3}(?:查看|瀏覽|見)"
        r"|(?:ответ|сообщени|комментари).{0,40}чтобы (?:увидеть|просмотреть)|чтобы (?:увидеть|просмотреть).{0,40}(?:ответ|напи(?:сать|шите)|комментари)"
        r"|返信(?:する|した)と.{0,10}(?:表示|閲覧)",
    ),
    (
        WallKind.SECOND_FACTOR,
        r"two[- ](?:factor|step) (?:authentication|verification)|authenticat(?:or|ion) (?:app )?code|двухфакторн|二次验证|两步验证|二段階認証",
    ),
    (
        WallKind.CAPTCHA,
        r"(?:enter|type) the (?:code|characters|letters|text) (?:shown|you see|from|in the)|请输入(?:图片中的)?验证码|請輸入驗證碼|введите (?:код|символы) с (?:картинки|изображения)|画像の文字",
    ),
    (
        WallKind.LOGIN,
        r"(?:must|need to|have to|required to) (?:be )?(?:logged[- ]in|log ?in|sign(?:ed)? in|register)|(?:please|you should) (?:log ?in|sign in)(?: or register)?(?: first| to| in order)"
        r"|(?:login|log-in|sign-in|registration) (?:is )?required|(?:only|for) (?:registered|logged[- ]in) (?:users|members)|not logged in"
        r"|(?:请先?|需要先?|必须先?|尚未|您还没有|你还没有|未)登[录陆入]|登[录陆]后(?:才[能可]|即?可|方可|再|查看|下载)"
        r"|請先登[錄入]|尚未登[錄入]|登[錄入]後(?:才能|可|方可)|(?:仅限|只有|只对)(?:注册)?(?:会员|用户)"
        r"|(?:необходимо|нужно|должны|требуется|надо) (?:войти|авторизова|зарегистрирова|залогин)|только (?:для )?зарегистрированн|(?:войдите|авторизуйтесь|зарегистрируйтесь),? чтобы"
        r"|ログイン(?:が必要|してください|後に)|会員(?:限定|専用)|로그인(?:이 필요| 후|해 주|하셔야)",
    ),
    (
        WallKind.PAY,
        r"(?:insufficient|not enough) (?:points|credits|coins|bonus|balance)|(?:积分|金币|余额|魔力值)不(?:足|够)|(?:需要?|请)(?:先)?(?:支付|购买|付费).{0,12}(?:查看|下载|浏览|阅读)|недостаточно (?:баллов|бонусов|средств)",
    ),
    (
        WallKind.MODERATION,
        r"(?:is |are )?(?:awaiting|pending|waiting for) (?:moderation|approval|review)|(?:正在|等待)审核|审核中|(?:ожидает|на) (?:проверк|модераци)|承認待ち",
    ),
    (
        WallKind.REFERER,
        r"hot ?link(?:ing)? (?:is )?(?:not allowed|forbidden|denied|protect)|(?:invalid|missing|bad) refer+er|(?:禁止|防)盗链|来源(?:地址)?(?:不正确|非法)|请从.{0,12}页面.{0,4}下载",
    ),
    (
        WallKind.PERMISSION,
        r"(?:do not|don.t) have (?:sufficient |enough |the |the required )?(?:permission|privilege|rights|access)|(?:permission|access) (?:is )?denied|not (?:authori[sz]ed|permitted|allowed) to (?:view|access|download|see|read|perform)"
        r"|(?:没有|无|沒有|無)(?:足够的?)?(?:访问|查看|下载|浏览|阅读|此|该)?(?:的)?(?:权限|權限)|权限不足|權限不足"
        r"|(?:нет|недостаточно) прав|доступ (?:запрещ[её]н|закрыт|ограничен)|(?:アクセス)?権限がありません|권한이 없",
    ),
)

# What must be in the source for the phrases to be tried: short pieces of each (RE2, ignoring case).
TRIGGER = (
    r"\bbanned|ip(?: address)? (?:has been|is|was) b|(?:已被|被)[封禁]|за(?:банены|блокирован)|アクセス[がを]"
    r"|(?:to|need|must|have) (?:see|view|unlock|reply|comment) |(?:回复|回帖|跟帖|评论|留言)后?(?:即?可|才|方)|需要?(?:评论|回复|回帖)|回[復覆]後?[才可方]"
    r"|чтобы|返信(?:する|した)と|two[- ](?:factor|step)|authenticat(?:or|ion) (?:app )?code|двухфакторн|二次验证|两步验证|二段階認証"
    r"|the (?:code|characters|letters|text) (?:shown|you see|from|in the)|输入(?:图片中的)?验证码|輸入驗證碼|введите|画像の文字"
    r"|(?:must|need to|have to|required to) |please (?:log|sign)|should (?:log|sign)|(?:login|log-in|sign-in|registration) (?:is )?required"
    r"|(?:only|for) (?:registered|logged)|not logged in|[请先须未有請]登[录陆入錄]|登[录陆入錄]</a>\s*[后後]?才|尚未登"
    r"|登[录陆入錄][后後]?(?:才[能可]以?|即可|方可|可以?|再)?(?:查|浏|下|访|看|阅|继|进|瀏|閱|觀|訪|见|見)|[限有对](?:注册)?(?:会员|用户)"
    r"|необходимо|нужно|должны|требуется|надо|зарегистрированн|ログイン[がし後]|会員[限専]|로그인"
    r"|(?:insufficient|not enough) |不[足够]|(?:支付|购买|付费)|недостаточно|awaiting|pending|waiting for|审核|ожидает|модераци|承認待ち"
    r"|hot ?link|refer+er|盗链|来源|页面下载|(?:do not|don.t) have|denied|not (?:authori|permitted|allowed)|[权權権]限|нет прав|доступ |권한이 없"
)
