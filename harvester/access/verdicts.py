"""What a page says about an attempt to log in or to reply, in the words of many kinds of site software."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harvester.access.wall_page import WallPage
from harvester.model.account import Verdict

_BOXES = (
    "#messagetext, #login_error, #login-error, .alert_error, .alert_info, .alert_right, .error, .errorbox, .errorwrap, .errors, .errorlist, .alert, "
    ".blockMessage, .blockMessage--error, .warning, .notice, .message, .messages, .auth-form__error, .auth-form__important-info, "
    ".standard_error, #error, #errors, .red_alert, .roundframe, .descbox, .panel, td.embedded, .noticebox, .flash, [role=alert], "
    ".text-danger, .invalid-feedback, .formError, .help-block, .p-body-content, h1, h2, title, .nonessential, .form_result, "
    "#validation_error, .ui-message, .toast, .notification, .callout, .box"
)
_MOST = 1_200
"""Characters of a message that are read."""

# In the order of what decides: a locked account also says that the password was wrong.
_LOGIN: tuple[tuple[Verdict, str], ...] = (
    (
        Verdict.ACCOUNT_DISABLED,
        r"account (?:has been|is|was) (?:disabled|suspended|banned|deactivated|parked|closed|terminated|locked by)|you (?:have been|are) (?:permanently )?banned"
        r"|this (?:user|account) (?:is|has been) (?:banned|disabled|inactive|not active)|account is (?:inactive|not active)|banned from this"
        r"|(?:账号|帐号|用户|帳號|账户)(?:已)?(?:被)?(?:禁止|禁用|封禁|锁定访问|停用|冻结)|禁止访问|已被(?:禁用|封禁|停用)|此账号.{0,6}禁"
        r"|аккаунт (?:заблокирован|отключ)|вы забанены|учетная запись (?:отключена|заблокирована)",
    ),
    (
        Verdict.LOCKED_OUT,
        r"too many (?:failed |login |incorrect |unsuccessful )*(?:attempts|logins|tries|requests)|exceeded the (?:maximum |max |allowed )+(?:number of )?(?:\w{1,20} ){0,3}(?:attempts|tries)"
        r"|maximum (?:number of )?(?:allowed )?(?:login )?attempts|(?:please )?(?:try|wait) again in \d+ (?:second|minute|hour)|temporarily (?:locked|blocked|suspended)"
        r"|account (?:has been |is )?(?:temporarily )?locked|unable to log ?in for|ip (?:address )?(?:has been|is) (?:banned|blocked)"
        r"|密码错误次数过多|錯誤次數過多|尝试次数过多|登录失败次数过多|我们怀疑你在欺骗系统|请明天再试|(?:分钟|小时)后(?:再|重新)(?:试|登)"
        r"|слишком много попыток|превышено (?:число|количество) попыток|versuche .{0,30}(?:überschritten|zu viele)|trop de tentatives",
    ),
    (
        Verdict.CAPTCHA_WRONG,
        r"(?:captcha|verification code|security code|image code|confirmation code|code (?:you )?entered|visual confirmation|image verification)[^.<\n]{0,60}?(?:incorrect|wrong|invalid|did(?: no|n')t match|not match|mismatch|expired|incorrectly)"
        r"|(?:incorrect|wrong|invalid) (?:captcha|verification code|security code|image code|confirmation code)"
        r"|验证码(?:填写|输入)?(?:错误|不正确|有误|无效|已过期|过期)|驗證碼(?:填寫|輸入)?(?:錯誤|不正確)|图片代码(?:无效|错误|已被清除)|验证问答.{0,6}错误"
        r"|код (?:подтверждения|с картинки).{0,20}(?:невер|непра)|неверный код",
    ),
    (
        Verdict.FORM_REFUSED,
        r"(?:submitted )?form (?:was|is|has) (?:invalid|expired)|(?:security |csrf |form )?token[^.<]{0,40}(?:missing|mismatch|invalid|expired|failed|wrong)|(?:csrf|token) verification failed|security error|page (?:has )?expired|session (?:has )?(?:expired|timed out)|submission could not be processed|captcha error|cookies are (?:blocked|disabled|not (?:enabled|supported))|(?:enable|allow) cookies|form has become outdated|(?:problem with|hijacking).{0,40}session"
        r"|请求来路不正确|表单验证串不符|非法字符|页面已过期|令牌",
    ),
    (
        Verdict.BAD_CREDENTIALS,
        r"(?:incorrect|invalid|wrong|bad|unknown) (?:user ?-?name|username|login|e-?mail|password|credentials|user|name)|(?:user ?-?name|login|e-?mail|password|credentials)[^.<\n]{0,50}?(?:incorrect|invalid|wrong|not (?:valid|correct|recogni[sz]ed|found|match)|do(?:es)? not (?:match|exist)|didn't match|don't match)"
        r"|please enter a correct|credentials do not match|login (?:was )?(?:failed|incorrect|unsuccessful)|log ?in failed|authentication failed|failed to log ?in|could not be found|no (?:such|matching) user|(?:could ?n[o']t|can ?n[o']t|could not|cannot) find (?:an? |any |your |that |the )?(?:account|user)|unrecognized (?:user|e-?mail)|user (?:does not exist|not found)"
        r"|requested user .{0,80}could not be found|specified an incorrect|used \d+ out of \d+ (?:login )?attempts|that (?:username|user) does not exist"
        r"|登[录錄入陆](?:失败|失敗|错误)|密码(?:错误|不正确|有误)|密碼(?:錯誤|不正確)|输入的密码有误|用户名或密码|(?:帐号|账号|用户名|帳號)(?:或密码)?(?:错误|不正确|不存在)|您还可以尝试|还可以尝试"
        r"|неверн(?:ый|ое|ые)(?: имя| логин| пароль| данные)|неправильн(?:ый|ое)(?: имя| логин| пароль)|ungültig|falsches passwort|mot de passe (?:incorrect|invalide)|identifiants? (?:incorrect|invalide)|contraseña (?:incorrecta|inválida)|パスワードが(?:違|正し)|비밀번호",
    ),
    (
        Verdict.SECURITY_QUESTION,
        r"请选择安全提问|安全提问以及填写|select a security question|answer (?:to )?(?:the|your) security question",
    ),
    (
        Verdict.SECOND_FACTOR,
        r"two[- ](?:step|factor)|2fa|authenticat(?:or|ion) (?:app|code)|verification code (?:from|sent)|one[- ]time (?:code|password)|两步验证|二次验证|二步验证|动态(?:口令|密码)|двухфакторн|двухэтапн",
    ),
    (
        Verdict.MUST_ACCEPT_RULES,
        r"(?:must|have to|need to) (?:read and )?(?:accept|agree)[^.<]{0,40}(?:rules|terms|privacy|policy)|(?:rules|terms|privacy policy) (?:have|has) (?:been updated|changed)[^.<]{0,60}accept",
    ),
    (
        Verdict.CAPTCHA_REQUIRED,
        r"请输入验证码|請輸入驗證碼|please (?:enter|complete|solve|fill in) the (?:captcha|verification code|security code|image code)|(?:enter|type) the (?:code|characters|letters) (?:shown|displayed|in the image)|required to (?:enter|solve|complete) (?:a|the) (?:captcha|confirmation)",
    ),
)
_LOGIN_RULES = tuple((verdict, re.compile(words, re.IGNORECASE)) for verdict, words in _LOGIN)
_SUCCESS = re.compile(
    r"欢迎您回来|歡迎您回來|登[录錄]成功|successfully (?:been )?logged in|you (?:are|have) (?:now )?(?:been )?(?:successfully )?logged in|login (?:was )?successful|welcome back|thank you for logging in"
    r"|вы (?:успешно )?вошли|с возвращением|erfolgreich angemeldet",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"(?:还可以尝试|您还可以尝试|還可以嘗試|还有)\s?\[?(?:<b>)?\s?(\d{1,3})|(\d{1,3}) (?:more )?(?:attempts?|tries|login attempts) (?:left|remaining|remain)|(?:attempts?|tries) (?:left|remaining)[^\d]{0,12}(\d{1,3})"
    r"|осталось (?:попыток)?[^\d]{0,12}(\d{1,3})",
    re.IGNORECASE,
)
_USED = re.compile(r"used (\d{1,3}) out of (\d{1,3})", re.IGNORECASE)


def messages(page: WallPage) -> str:
    """What the page tells its visitor: its message boxes, or all of it when it says little."""
    texts = [text for _, text in page.nodes(_BOXES) if text and len(text) <= _MOST]
    if page.is_short:
        texts.append(page.text)
    return "\n".join(dict.fromkeys(texts))[:20_000]


def login_verdict(text: str) -> tuple[Verdict, str] | None:
    """The verdict that a message speaks, with the words it was known by; None when it speaks none."""
    for verdict, words in _LOGIN_RULES:
        if found := words.search(text):
            return verdict, " ".join(found.group().split())[:80]
    if found := _SUCCESS.search(text):
        return Verdict.OK, found.group()[:80]
    return None


def tries_left(text: str) -> int | None:
    """How many more tries the site grants, where it says so."""
    if used := _USED.search(text):
        return max(0, int(used[2]) - int(used[1]))
    if left := _LEFT.search(text):
        return int(next(group for group in left.groups() if group))
    return None


# Replies ---------------------------------------------------------------------------------------------

_REPLY: Sequence[tuple[str, str]] = (
    (
        "moderated",
        r"需要审核|需要審核|等待(?:审核|通过)|(?:awaiting|pending|requires?|subject to|until) (?:moderator )?(?:moderation|approval)|has to be approved|must be approved|will (?:be|not be) visible (?:until|after|once)"
        r"|ожидает (?:проверки|одобрения|модерац)",
    ),
    (
        "flood",
        r"两次发表间隔少于|兩次發表間隔|发帖速度太快|请稍候再发表|(?:must|please|have to) wait (?:at least )?\d* ?(?:more )?(?:second|minute)|(?:cannot|can't|can not) (?:make another )?(?:post|reply)[^.<]{0,30}so soon|within \d+ seconds of|less than \d+ seconds|posting too (?:fast|quickly|often)|flood (?:control|protection)|last posting from your ip",
    ),
    (
        "closed",
        r"主题已关闭|主題已關閉|已关闭，不再接受|(?:topic|thread|discussion) (?:is|has been) (?:locked|closed|archived)|not open for further replies",
    ),
    (
        "too_short",
        r"小于 ?\d+ ?个(?:字符|字)|少于 ?\d+ ?个?字|(?:message|post|reply)[^.<]{0,30}too short|at least \d+ characters|太短",
    ),
    (
        "captcha",
        r"验证码(?:填写|输入)?(?:错误|不正确|有误)|请输入验证码|(?:captcha|verification|security code|confirmation code)[^.<]{0,40}(?:incorrect|wrong|invalid|required)",
    ),
    (
        "refused",
        r"没有权限|无法(?:进行|发表)|權限|do not have permission|not (?:allowed|permitted|authori[sz]ed) to|may not (?:post|reply)|insufficient (?:rights|permission)|禁止(?:发言|回复)|包含不良|敏感词|word_banned|您的请求来路不正确|表单验证串不符|form was invalid|token (?:mismatch|missing|expired)|нет прав|security error",
    ),
    (
        "posted",
        r"回复发布成功|回覆發佈成功|发布成功|回复成功|(?:reply|post|message|comment) (?:has been |was )?(?:successfully )?(?:posted|submitted|added|sent)|thank you for (?:posting|your (?:reply|post))|posted successfully|успешно (?:отправлен|добавлен)",
    ),
)
_REPLY_RULES = tuple((word, re.compile(pattern, re.IGNORECASE)) for word, pattern in _REPLY)
_SECONDS = re.compile(r"(\d{1,5}) ?(?:秒|seconds?|sec\b|сек)", re.IGNORECASE)
_MINUTES = re.compile(r"(\d{1,3}) ?(?:分钟|minutes?|min\b|мин)", re.IGNORECASE)


def reply_verdict(text: str) -> str:
    """What became of a reply by the site's own words: `posted`, `moderated`, `flood`, … or ""."""
    for word, pattern in _REPLY_RULES:
        if pattern.search(text):
            return word
    return ""


def flood_seconds(text: str) -> float:
    """The seconds that a flood notice names; 0 when it names none."""
    if found := _SECONDS.search(text):
        return float(found[1])
    found = _MINUTES.search(text)
    return 60.0 * float(found[1]) if found else 0.0


# Purchases -------------------------------------------------------------------------------------------

_BOUGHT = re.compile(
    r"购买成功|購買成功|成功购买|支付成功|(?:已经|已)购买|successfully (?:bought|purchased|paid)|purchase (?:was )?(?:successful|complete)|thank you for (?:your purchase|buying)",
    re.IGNORECASE,
)
_NOT_BOUGHT = re.compile(
    r"不足|不够|失败|无法|余额|insufficient|not enough|failed|cannot|来路不正确|串不符", re.IGNORECASE
)


def purchase_verdict(text: str) -> str:
    """What became of a purchase by the site's own words: `bought`, `refused` or ""."""
    if _BOUGHT.search(text):
        return "bought"
    return "refused" if _NOT_BOUGHT.search(text) else ""
