"""What a login form asks the operator: a captcha, the code of a second factor, a security question."""

from __future__ import annotations

import re

from msgspec.structs import replace

from harvester.access import wall_urls
from harvester.access.captcha import Captcha
from harvester.access.flow import Flow, ask
from harvester.access.form_filling import fill
from harvester.access.forms import Control, Form
from harvester.access.login_choice import LoginForm, choose_login_form
from harvester.access.login_plan import LoginPlan, LoginResult, Prepared, Read, read_page
from harvester.access.target import target_refusal
from harvester.access.verdicts import login_verdict
from harvester.model.account import Challenge, ChallengeKind, FieldRole, Verdict
from harvester.model.http import Request

CODE_SECONDS = 300.0
"""For how long a second factor is waited for."""


_CODE = re.compile(
    r"^(?:.*[_\[-])?(?:code|totp|otp|tfa|2fa|twofa|token|pin)(?:[_\]-].*)?$|(?:two|2)[_-]?(?:step|factor)|tfa_code|totp_code|auth_?code",
    re.IGNORECASE,
)


_CODE_PAGE = re.compile(
    r"two[- ]?(?:step|factor)|2fa|authenticator|verification code|one[- ]time|security code|两步验证|二步验证|二次验证|动态口令|двухфактор|двухэтап",
    re.IGNORECASE,
)


_TRUST = re.compile(r"trust|remember", re.IGNORECASE)


def asks(plan: LoginPlan, prepared: Prepared, captcha: Captcha) -> LoginResult:
    kind = ChallengeKind.IMAGE if captcha.image else ChallengeKind.QUESTION
    challenge = Challenge(
        kind=kind,
        prompt=captcha.prompt or "the characters in the image",
        form=prepared.form,
        since=plan.now,
        deadline=plan.now + prepared.knowledge.valid,
        image=captcha.image,
    )
    return LoginResult(
        Verdict.CAPTCHA_REQUIRED,
        "the login form has a captcha; answer it with: harvest captcha",
        False,
        challenge,
    )


def asks_again(plan: LoginPlan, page: Read, verdict: Verdict, words: str, left: int | None) -> LoginResult:
    """The same form wants one more field than it did: where that field is known, ask for it."""
    found = choose_login_form(page.forms)
    field = None
    if found is not None:
        field = found.code if verdict is Verdict.SECOND_FACTOR else None
    challenge = None
    if found is not None and field is not None:
        roles = {**_roles(found), field.name: FieldRole.ANSWER}
        form = fill(found.form, roles=roles, submit=found.submit)
        challenge = Challenge(
            ChallengeKind.SECOND_FACTOR,
            "the code of your second factor",
            form,
            plan.now,
            plan.now + CODE_SECONDS,
        )
    return LoginResult(verdict, f"the site says: {words}", True, challenge, left)


def code_form(page: Read) -> tuple[Form, Control] | None:
    """A form that asks for a second factor's code and nothing else that is secret."""
    asked = wall_urls.is_second_factor(page.url) or bool(_CODE_PAGE.search(page.html[:200_000]))
    if not asked:
        return None
    for form in page.forms:
        if form.passwords or form.method != "post":
            continue
        texts = [one for one in form.controls if one.is_text and one.name and not one.unseen]
        for control in texts:
            named = _CODE.search(control.name) or control.autocomplete == "one-time-code"
            if named and not _SEARCH.search(f"{form.action} {form.id} {control.name}"):
                return form, control
    return None


_SEARCH = re.compile(r"search|srch|query|newsletter|subscribe", re.IGNORECASE)


def asks_code(plan: LoginPlan, form: Form, control: Control, text: str) -> LoginResult:
    refusal = target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure)
    if refusal:
        return LoginResult(Verdict.REFUSED, refusal, sent=True)
    pressed = next((one for one in form.submits if not _TRUST.search(one.name)), None)
    filled = fill(form, roles={control.name: FieldRole.ANSWER}, submit=pressed)
    spoken = login_verdict(text)
    again = spoken is not None and spoken[0] is Verdict.BAD_CREDENTIALS
    challenge = Challenge(
        ChallengeKind.SECOND_FACTOR,
        "the code of your second factor" + (" (the last one was refused)" if again else ""),
        filled,
        plan.now,
        plan.now + CODE_SECONDS,
    )
    return LoginResult(
        Verdict.SECOND_FACTOR,
        "the site asks for a second factor; answer with: harvest captcha",
        True,
        challenge,
    )


_QUESTION = re.compile(r"question|secques|_qa?id", re.IGNORECASE)
_ANSWER = re.compile(r"answer", re.IGNORECASE)


def question_form(page: Read) -> tuple[Form, Control, Control] | None:
    """A form without a password that asks a security question: its choice of questions, and the answer.

    That is the page after the password, which knows whose password it was by a token (Discuz: `loginauth`).
    """
    for form in page.forms:
        if form.passwords or form.method != "post" or _SEARCH.search(f"{form.action} {form.id}"):
            continue
        choice = next(
            (one for one in form.controls if one.kind == "select" and _QUESTION.search(one.name)), None
        )
        said = next((one for one in form.controls if one.is_text and _ANSWER.search(one.name)), None)
        if choice is not None and said is not None:
            return form, choice, said
    return None


def asks_question(plan: LoginPlan, form: Form, choice: Control, said: Control) -> LoginResult:
    """Wait for the operator's answer to the question of such a page."""
    if refusal := target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure):
        return LoginResult(Verdict.REFUSED, refusal, sent=True)
    roles = {choice.name: FieldRole.CHOICE, said.name: FieldRole.ANSWER}
    challenge = Challenge(
        ChallengeKind.SECURITY_QUESTION,
        "the account's security question",
        fill(form, roles=roles, submit=next(iter(form.submits), None)),
        plan.now,
        plan.now + CODE_SECONDS,
        choices=_questions(choice),
    )
    why = "the site asks the account's security question; answer with: harvest captcha"
    return LoginResult(Verdict.SECURITY_QUESTION, why, True, challenge)


def _questions(choice: Control | None) -> tuple[tuple[str, str], ...]:
    return tuple(one for one in (choice.options if choice else ()) if one[0] not in ("", "0"))


def ask_question(plan: LoginPlan, prepared: Prepared, result: LoginResult) -> Flow[LoginResult]:
    """The account has a security question: a fresh form that waits for its number and answer."""
    number, text = prepared.knowledge.security_question
    if not number:
        return result
    page = read_page((yield from ask(Request(prepared.form.page))), plan.encoding)
    found = choose_login_form(page.forms, prepared.knowledge)
    if found is None:
        return result
    select = next((one for one in found.form.controls if one.name == number), None)
    roles = {**_roles(found), number: FieldRole.CHOICE, text: FieldRole.ANSWER}
    challenge = Challenge(
        ChallengeKind.SECURITY_QUESTION,
        "the account's security question",
        fill(found.form, roles=roles, submit=found.submit),
        plan.now,
        plan.now + CODE_SECONDS,
        choices=_questions(select),
    )
    return replace(result, challenge=challenge)


def _roles(found: LoginForm) -> dict[str, FieldRole]:
    roles = {found.user.name: FieldRole.USER} if found.user is not None else {}
    return roles | ({found.password.name: FieldRole.PASSWORD} if found.password is not None else {})
