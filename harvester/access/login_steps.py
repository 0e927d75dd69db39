"""The step that some sites put after the password: a page known by a token, with a captcha or a question.

Discuz! answers a form that is right so far with the address of such a page (`location_login`, `auth=…`); the
form there holds the token and asks for neither name nor password.
"""

from __future__ import annotations

import html as markup
import re

from harvester.access.captcha import Captcha, find_form_captcha
from harvester.access.flow import Flow
from harvester.access.form_filling import fill
from harvester.access.forms import Control, Form
from harvester.access.knowledge import LoginKnowledge
from harvester.access.login_challenges import asks_question, question_form
from harvester.access.login_plan import LoginPlan, LoginResult, Read, base_of, joined
from harvester.access.target import target_refusal
from harvester.errors import AccessError
from harvester.model.account import Challenge, ChallengeKind, FieldRole, FilledForm, Verdict

_MOST = 100_000
_WINDOW = re.compile(r"showWindow\(\s?'login'\s?,\s?'([^'<>]{10,1000})'")
_LINK = re.compile(r"""href=["']([^"'<>]{0,300}action=login[^"'<>]{0,300}[?&;]auth=[^"'<>]{4,600})["']""")
_TOKEN = re.compile(r"^(?:login)?_?auth(?:_?token)?$", re.IGNORECASE)
_CAPTCHA = re.compile(r"captcha|seccode|verif|vcode|imagestring|gdcode|confirm_code", re.IGNORECASE)


def next_step(page: Read, plan: LoginPlan) -> str:
    """The address of the page that goes on with a login, "" when the answer names none."""
    source = page.html[:_MOST]
    found = _WINDOW.search(source) or _LINK.search(source)
    if found is None or "auth=" not in found[1]:
        return ""
    url = joined(base_of(page), markup.unescape(found[1]))
    return "" if target_refusal(url, plan.hosts, allow_insecure=plan.allow_insecure) else url


def step_form(page: Read) -> Form | None:
    """The form that goes on with a login: it holds a token and asks for no password."""
    for form in page.forms:
        if form.method == "post" and not form.passwords:
            hidden = (one for one in form.controls if one.kind == "hidden" and one.value)
            if any(_TOKEN.match(one.name) for one in hidden):
                return form
    return None


def take_step(plan: LoginPlan, page: Read, knowledge: LoginKnowledge) -> Flow[LoginResult | FilledForm]:
    """What the page asks the operator, or its filled form where it asks nothing."""
    form = step_form(page)
    if form is None:
        return LoginResult(
            Verdict.FORM_REFUSED, "the page after the password has no form to go on with", True
        )
    if refusal := target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure):
        return LoginResult(Verdict.REFUSED, refusal, True)
    field = next((one for one in form.controls if one.is_text and _CAPTCHA.search(one.name)), None)
    name, label = (field.name, field.label) if field is not None else ("", "")
    try:
        captcha = yield from find_form_captcha(form, name, label, page.html, page.tree, knowledge)
    except AccessError as error:
        return LoginResult(Verdict.CAPTCHA_REQUIRED, str(error), True)
    if captcha is not None:
        return _asks_captcha(plan, form, captcha, knowledge)
    if (asked := question_form(page)) is not None:
        return asks_question(plan, *asked)
    return fill(form, roles={}, submit=_button(form))


def _asks_captcha(plan: LoginPlan, form: Form, captcha: Captcha, knowledge: LoginKnowledge) -> LoginResult:
    filled = fill(
        form,
        roles={captcha.field: FieldRole.ANSWER},
        values=dict(captcha.extra),
        submit=_button(form),
    )
    challenge = Challenge(
        ChallengeKind.IMAGE if captcha.image else ChallengeKind.QUESTION,
        captcha.prompt or "the characters in the image",
        filled,
        plan.now,
        plan.now + knowledge.valid,
        image=captcha.image,
    )
    why = "after the password the site asks for a captcha; answer it with: harvest captcha"
    return LoginResult(Verdict.CAPTCHA_REQUIRED, why, True, challenge)


def _button(form: Form) -> Control | None:
    return next(iter(form.submits), None)
