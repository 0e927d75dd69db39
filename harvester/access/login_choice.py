"""Which form of a page is the login form, and which of its fields take what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from msgspec import Struct

from harvester.access import wall_urls
from harvester.access.forms import Control, Form
from harvester.access.knowledge import LoginKnowledge

LEAST_SCORE = 5
"""Below it a form is not taken for a login form."""

_LOGIN = re.compile(
    r"log[-_ ]?in|log[-_ ]?on|sign[-_ ]?in|logging|takelogin|do=login|mode=login|action=login2?|auth|passport|session"
    r"|登[录陆入錄]|войти|вход|ログイン|로그인|anmelden|einloggen|connexion|connecter|iniciar|entrar|acceder|accedi|zaloguj|giriş",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"regist|\breg\b|sign[-_ ]?up|signup|lost[-_ ]?(?:pw|pass)|forgot|recover|reset|subscribe|newsletter|注册|註冊|找回"
    r"|регистрац|восстанов|新規登録|registrieren|inscri|registr",
    re.IGNORECASE,
)
_USER = re.compile(
    r"user|uname|login|e-?mail|account|pwuser|loginfield|member|nick|ident|usr|handle|^name$|\bname\b"
    r"|用户|帳號|账号|会员|логин|имя|ユーザ|아이디|benutzer|utilisateur|usuario|nom d",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"remember|auto[-_ ]?log|cookie(?:time|user|length)?|cktime|keep[-_ ]?(?:me|logged|log)|stay|persist|自动登录|記住|记住"
    r"|запомнить|angemeldet|rester|souvenir|recordar",
    re.IGNORECASE,
)
_NOT_USER = re.compile(
    r"captcha|seccode|secver|imagestring|imagehash|verif|vcode|gdcode|regimage|otp|totp|2fa|twofa|two[-_ ]?(?:step|factor)"
    r"|search|srch|query|keyword|answer|question|qanswer|invite|^q$|^s$|secanswer|验证码|驗證碼|安全提问|код с|проверочн",
    re.IGNORECASE,
)
_HONEYPOT = re.compile(
    r"^(?:_username|url|website|homepage|email_?confirm|confirm_?email|fax|honeypot|hp_.*)$", re.I
)
_QUICK = re.compile(
    r"(?:^|[\s_-])(?:quick\w*|lsform|fastlogin|headerspace|header|navbar|nav|topbar|sidebar|footer|modal|popup|dropdown"
    r"|offcanvas|menu|userpanel|dialog)(?:$|[\s_-])",
    re.IGNORECASE,
)


class LoginForm(Struct, frozen=True):
    """A login form with its fields told apart; `answer` is the captcha's field, if it has one."""

    form: Form
    user: Control
    password: Control
    score: int
    answer: Control | None = None
    code: Control | None = None
    """A field for a second factor that may stay empty."""
    remember: Control | None = None
    submit: Control | None = None


def choose_login_form(forms: Iterable[Form], knowledge: LoginKnowledge | None = None) -> LoginForm | None:
    """The form that most looks like a login form; None when none does well enough."""
    found = [read for form in forms if (read := read_login_form(form, knowledge)) is not None]
    best = max(found, key=lambda one: one.score, default=None)
    return best if best is not None and best.score >= LEAST_SCORE else None


def read_login_form(form: Form, knowledge: LoginKnowledge | None = None) -> LoginForm | None:
    """The form as a login form with its score; None when it is none (no, or more than one, password)."""
    passwords = [control for control in form.passwords if control.name]
    if knowledge is not None and knowledge.password:
        named = [control for control in form.controls if control.name == knowledge.password]
        passwords = named[:1] or passwords
    if len(passwords) != 1 or not form.action:
        return None
    password = passwords[0]
    user = _user_field(form, password, knowledge)
    if user is None:
        return None
    texts = [one for one in form.controls if one.is_text and one.name and not one.unseen and one is not user]
    remember = next(
        (one for one in form.controls if one.kind == "checkbox" and _REMEMBER.search(one.words)), None
    )
    return LoginForm(
        form=form,
        user=user,
        password=password,
        score=_score(form, user, password, remember),
        answer=_answer_field(texts, knowledge),
        code=next((one for one in texts if _SECOND_FACTOR.search(one.name)), None),
        remember=remember,
        submit=_submit_button(form),
    )


_SECOND_FACTOR = re.compile(r"2fa|twofa|tfa|two[-_]?(?:step|factor)|otp", re.IGNORECASE)
_ANSWER = re.compile(
    r"captcha|seccode|secver|imagestring|verif|vcode|gdcode|regimage|confirm_?code|cap_code|验证码|驗證碼|validate|secanswer"
    r"|human|code|security|phrase|код",
    re.IGNORECASE,
)


def _answer_field(texts: list[Control], knowledge: LoginKnowledge | None) -> Control | None:
    if knowledge is not None and knowledge.captcha_input:
        return next((one for one in texts if one.name == knowledge.captcha_input), None)
    named = [one for one in texts if _ANSWER.search(one.name) and not _SECOND_FACTOR.search(one.name)]
    if named:
        return named[0]
    return next(
        (one for one in texts if _ANSWER.search(one.words) and not _SECOND_FACTOR.search(one.words)), None
    )


def _user_field(form: Form, password: Control, knowledge: LoginKnowledge | None) -> Control | None:
    """The nearest text field before the password that a person sees; else the first one after it."""
    if knowledge is not None and knowledge.user:
        for control in form.controls:
            if control.name == knowledge.user and control.kind != "hidden":
                return control
    place = form.controls.index(password)
    before = [one for one in reversed(form.controls[:place]) if _may_be_user(one)]
    after = [one for one in form.controls[place + 1 :] if _may_be_user(one)]
    plain = [one for one in before if not _HONEYPOT.match(one.name)] or before
    named = [one for one in plain if _USER.search(one.words)]
    if named or plain:
        return (named or plain)[0]
    return next((one for one in after if _USER.search(one.words)), None)


def _may_be_user(control: Control) -> bool:
    return (
        control.is_text
        and control.kind != "search"
        and bool(control.name)
        and not control.unseen
        and not _NOT_USER.search(control.name)
        and not _NOT_USER.search(control.label)
    )


def _score(form: Form, user: Control, password: Control, remember: Control | None) -> int:
    place = form.controls.index(password)
    visible = [one for one in form.controls[:place] if one.is_text and not one.unseen]
    named = f"{form.action} {form.id} {form.name} {form.classes}"
    submits = " ".join(f"{one.value} {one.label} {one.name}" for one in form.submits)
    score = (
        5
        if _LOGIN.search(_path_of(form.action)) or _LOGIN.search(f"{form.id} {form.name} {form.classes}")
        else 0
    )
    score += 3 if len(visible) == 1 else 0
    score += 2 if _USER.search(user.words) else 0
    score += 2 if remember is not None else 0
    score += 2 if _LOGIN.search(submits) else 0
    score += 1 if wall_urls.is_login(form.page) else 0
    score -= 6 if _OTHER.search(_path_of(form.action)) or _OTHER.search(submits) else 0
    score -= 3 if form.method != "post" else 0
    score -= 4 if _QUICK.search(f"{named} {form.place}") or "quick" in password.name.lower() else 0
    page, action = urlsplit(form.page), urlsplit(form.action)
    score -= 10 if page.hostname != action.hostname else 0
    score -= 10 if page.scheme == "https" and action.scheme == "http" else 0
    return score


def _path_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"


def _submit_button(form: Form) -> Control | None:
    """The button that a person would press: the one that says so, else the first that says nothing else."""
    for button in form.submits:
        if _LOGIN.search(f"{button.value} {button.label} {button.name}"):
            return button
    return next((one for one in form.submits if not _OTHER.search(f"{one.value} {one.label}")), None)
