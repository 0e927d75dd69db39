"""Logging in, as a generator: find the form, fill it, send it, and prove that it worked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from msgspec.structs import replace

from harvester.access import wall_urls
from harvester.access.captcha import commercial, find_captcha
from harvester.access.flow import Flow, Wait, ask
from harvester.access.form_filling import fill, pairs_of
from harvester.access.forms import Form
from harvester.access.http_auth import authorised, http_auth
from harvester.access.json_login import json_form
from harvester.access.knowledge import LoginKnowledge, login_knowledge
from harvester.access.login_challenges import ask_question, asks
from harvester.access.login_choice import LoginForm, choose_login_form, choose_name_form, read_password_form
from harvester.access.login_finding import login_pages
from harvester.access.login_outcome import outcome, prove
from harvester.access.login_plan import LoginPlan, LoginResult, Prepared, Read, get_page, read_page
from harvester.access.login_steps import next_step, take_step
from harvester.access.membership import Seen, seen_as
from harvester.access.sending import form_request
from harvester.access.target import target_refusal
from harvester.access.verdicts import messages
from harvester.access.wall_page import WallPage
from harvester.access.walls import recognise_wall
from harvester.errors import AccessError
from harvester.model.account import Challenge, ChallengeKind, FieldRole, FilledForm, Verdict
from harvester.model.http import Request
from harvester.model.wall import WallKind, WallScope
from harvester.patterns.engines import Engine, PageEvidence, recognise_engine

MOST_PAGES = 6
"""Pages that are looked at for a login form."""
MOST_HOPS = 6


class _Ended(Exception):
    def __init__(self, result: LoginResult) -> None:
        self.result = result
        super().__init__()


def log_in(plan: LoginPlan) -> Flow[LoginResult]:
    """Log in: at most `MOST_PAGES` pages to find the form, one form sent, one page to prove it.

    Where the name is asked for first and the password on the page after it, two forms are sent, each once.
    Never sends twice. With a captcha or a second factor the result carries the challenge; `answer` goes on
    from there. Raises only what is thrown into it.
    """
    try:
        prepared = yield from prepare(plan)
        if isinstance(prepared, LoginResult):
            return prepared
        if prepared.http_auth:
            return (yield from authorised(plan, prepared))
        if prepared.captcha is not None:
            return asks(plan, prepared, prepared.captcha)
        return (yield from _send(plan, prepared.form, prepared))
    except _Ended as ended:
        return ended.result


def answer(plan: LoginPlan, challenge: Challenge, said: str) -> Flow[LoginResult]:
    """Go on with a login that waited for the operator's word."""
    if plan.now >= challenge.deadline:
        return LoginResult(
            Verdict.CAPTCHA_WRONG if challenge.kind is ChallengeKind.IMAGE else Verdict.UNKNOWN,
            "the answer came after the deadline; ask for a new one with: harvest captcha",
        )
    try:
        return (yield from _send(plan, challenge.form, None, said))
    except _Ended as ended:
        return ended.result


# Finding the form ------------------------------------------------------------------------------------


def prepare(plan: LoginPlan) -> Flow[Prepared | LoginResult]:
    """Find and fill the login form; a result instead when there is nothing to send."""
    start = yield from get_page(plan, plan.start)
    if start.asks or plan.http_auth:
        return (yield from http_auth(plan, start))
    before, evidence = seen_as(start.html, link=plan.member_link, tree=start.tree)
    if before is Seen.MEMBER:
        return LoginResult(Verdict.OK, f"already logged in: {evidence}")
    if plan.only_look:
        return LoginResult(Verdict.HELD, "the kept session has ended")
    engine = plan.engines.get(plan.engine) or _recognised(plan, start)
    knowledge = login_knowledge(engine)
    if (filled := json_form(start, knowledge)) is not None:
        refusal = target_refusal(filled.url, plan.hosts, allow_insecure=plan.allow_insecure)
        if refusal:
            return LoginResult(Verdict.REFUSED, refusal)
        return Prepared(filled, None, knowledge, (before, start), frozenset())
    found = yield from _look_for_form(plan, start, knowledge)
    if isinstance(found, LoginResult | Prepared):
        return found
    return (yield from _prepared(plan, *found, knowledge, (before, start)))


def _look_for_form(
    plan: LoginPlan, start: Read, knowledge: LoginKnowledge
) -> Flow[tuple[LoginForm, Read] | Prepared | LoginResult]:
    """The login form with the page it stands on; a form for the name alone where there is no other."""
    met: dict[str, Read] = {}
    for url in login_pages(plan, start, knowledge):
        if url in met or len(met) >= MOST_PAGES - 1:
            continue
        page = start if url == plan.start else (yield from get_page(plan, url, referer=plan.start))
        met[url] = page
        if page.asks:
            return (yield from http_auth(plan, page))
        _stop_at_walls(page)
        # The form that was read last is the one whose tokens are good.
        if (found := choose_login_form(page.forms, knowledge)) is not None:
            return found, page
        is_login = wall_urls.is_login(page.url) or url == plan.hint
        if is_login and (name_form := choose_name_form(page.forms)) is not None:
            return name_form, page
    if (quick := choose_login_form(start.forms, knowledge)) is not None:
        return quick, start
    return LoginResult(Verdict.NO_FORM, _no_form((start, *met.values())))


def _prepared(
    plan: LoginPlan,
    login: LoginForm,
    page: Read,
    knowledge: LoginKnowledge,
    before: tuple[Seen, Read] | None,
) -> Flow[Prepared | LoginResult]:
    form = login.form
    refusal = target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure)
    if form.method != "post":
        refusal = "the form would put the password into the address, or leaves it to a script"
    if urlsplit(page.url).scheme == "https" and urlsplit(form.action).scheme == "http":
        refusal = "a form on an https page leads to plain http"
    if refusal:
        return LoginResult(Verdict.REFUSED, refusal)
    if mark := commercial(page.html):
        return LoginResult(
            Verdict.CHALLENGE, f"the login page has a commercial challenge ({mark}); import cookies instead"
        )
    try:
        captcha = yield from find_captcha(login, page.html, page.tree, knowledge)
    except AccessError as error:
        return LoginResult(Verdict.CAPTCHA_REQUIRED, str(error))
    hashed = bool(knowledge.md5) and knowledge.md5 in form.script
    if not hashed and _hashes_unknown(form.script):
        return LoginResult(
            Verdict.NO_FORM,
            "the page hashes passwords in a way that is not known here; import cookies instead",
        )
    roles: dict[str, FieldRole] = {}
    if login.user is not None:
        roles[login.user.name] = FieldRole.USER
    if login.password is not None:
        roles[login.password.name] = FieldRole.PASSWORD_MD5 if hashed else FieldRole.PASSWORD
    values: dict[str, str] = {}
    if captcha is not None:
        roles[captcha.field] = FieldRole.ANSWER
        values.update(captcha.extra)
    ticked = frozenset({login.remember.name} if login.remember is not None else ())
    values.update(_lasting(form))
    filled = fill(form, roles=roles, values=values, ticked=ticked, submit=login.submit)
    told = frozenset(messages(WallPage(page.html, page.tree)).splitlines())
    return Prepared(filled, login, knowledge, before, told, captcha)


def _lasting(form: Form) -> dict[str, str]:
    """A select that asks for how long to stay logged in, at its longest (SMF: -1 or 3153600)."""
    for control in form.controls:
        if control.name == "cookielength" and control.kind == "select":
            offered = [value for value, _ in control.options]
            longest = next((one for one in ("-1", "3153600", "525600") if one in offered), control.value)
            return {control.name: longest}
    return {}


_KNOWN_HASHES = re.compile(r"md5hash\(|hashLoginPassword|pwmd5|hashAdminPassword")
_HASH_WORDS = re.compile(r"\bRSA|encrypt|\bAES|sha(?:1|256)\(|hash\w{0,20}\(|hex_md5", re.IGNORECASE)


def _hashes_unknown(script: str) -> bool:
    """Whether the form's script hashes passwords in a way that plain ones may not stand in for."""
    return bool(_HASH_WORDS.search(script)) and not _KNOWN_HASHES.search(script)


def _recognised(plan: LoginPlan, page: Read) -> Engine | None:
    found = recognise_engine(PageEvidence(page.html), plan.engines.values())
    return plan.engines.get(found.engine) if found is not None else None


def _stop_at_walls(page: Read) -> None:
    for wall in recognise_wall(page.url, page.status, {}, page.html, tree=page.tree):
        if wall.kind is WallKind.CHALLENGE:
            raise _Ended(
                LoginResult(Verdict.CHALLENGE, f"a CDN's challenge stands before it: {wall.evidence}")
            )
        if wall.kind is WallKind.BAN and wall.scope is WallScope.PAGE:
            raise _Ended(LoginResult(Verdict.ACCOUNT_DISABLED, f"the site has banned us: {wall.evidence}"))


_BY_SCRIPT = re.compile(
    r"<input\b[^>]{0,300}\btype\s?=\s?[\"']?password|id=[\"'](?:app|root|__next)[\"']", re.I
)


def _no_form(pages: Sequence[Read]) -> str:
    why = "no login form was found"
    if any(commercial(page.html) for page in pages):
        why += ", only a challenge"
    elif any(_BY_SCRIPT.search(page.html[:400_000]) for page in pages):
        why += "; it seems that a script asks for the password"
    return f"{why}; log in by browser and import the cookies: harvest account add SITE --cookies FILE"


# Sending ---------------------------------------------------------------------------------------------


def _send(plan: LoginPlan, form: FilledForm, prepared: Prepared | None, said: str = "") -> Flow[LoginResult]:
    refusal = target_refusal(form.url, plan.hosts, allow_insecure=plan.allow_insecure)
    if refusal:
        return LoginResult(Verdict.REFUSED, refusal)
    if prepared is not None:
        yield Wait(plan.patience)
    page, hops, cookies = yield from send_form(plan, form, said)
    if prepared is not None and prepared.password_follows:
        return (yield from _second_page(plan, page, prepared))
    if prepared is not None and (onward := next_step(page, plan)):
        return (yield from _next_step(plan, onward, page.url, prepared))
    result = outcome(plan, page, prepared, hops, json=form.json)
    if result is None:
        return (yield from prove(plan, page, prepared, bool(hops or cookies)))
    if result.verdict is Verdict.SECURITY_QUESTION and result.challenge is None and prepared is not None:
        return (yield from ask_question(plan, prepared, result))
    return result


def _second_page(plan: LoginPlan, page: Read, first: Prepared) -> Flow[LoginResult]:
    """The name was sent: the page that came must ask for the password, and for nothing that is not known."""
    found = next((read for form in page.forms if (read := read_password_form(form)) is not None), None)
    if found is None:
        result = outcome(plan, page, first, 0)
        return result or LoginResult(
            Verdict.FORM_REFUSED, "after the name, no page asked for the password", True
        )
    second = yield from _prepared(plan, found, page, LoginKnowledge(), first.before)
    if isinstance(second, LoginResult):
        return replace(second, sent=True)
    if second.captcha is not None:
        return replace(asks(plan, second, second.captcha), sent=True)
    return (yield from _send(plan, second.form, second))


def _next_step(plan: LoginPlan, url: str, referer: str, first: Prepared) -> Flow[LoginResult]:
    """The password was taken, and another page goes on with the login."""
    page = yield from get_page(plan, url, referer=referer)
    step = yield from take_step(plan, page, first.knowledge)
    if isinstance(step, LoginResult):
        return step
    return replace((yield from _send(plan, step, None)), sent=True)


def send_form(plan: LoginPlan, form: FilledForm, said: str = "") -> Flow[tuple[Read, int, bool]]:
    """Send a form and follow where it leads, every hop checked.

    The page at the end, the hops to it, and whether a cookie was set that may be a session's.
    """
    cookies = False
    request = form_request(form, pairs_of(form, plan.login, said))
    for hops in range(MOST_HOPS):
        response = yield from ask(request)
        cookies = cookies or any(map(_SESSION_COOKIE.match, response.headers.get_all("set-cookie")))
        if not response.next_url:
            return read_page(response, plan.encoding), hops, cookies
        refusal = target_refusal(response.next_url, plan.hosts, allow_insecure=plan.allow_insecure)
        if urlsplit(request.url).scheme == "https" and urlsplit(response.next_url).scheme == "http":
            refusal = "a redirect leads from https to plain http"
        if refusal and response.status in (307, 308) and request.method == "POST":
            raise _Ended(LoginResult(Verdict.REFUSED, f"not sent again: {refusal}", sent=True))
        if refusal:
            return read_page(replace(response, body=b""), plan.encoding), hops, cookies
        if response.status in (307, 308) and request.method == "POST":
            request = replace(request, url=response.next_url)
        else:
            request = Request(response.next_url, referer=request.url, secret=True)
    raise _Ended(LoginResult(Verdict.UNKNOWN, "the login goes round in redirects", sent=True))


_SESSION_COOKIE = re.compile(
    r"[^=]{0,60}(?:auth|_u|user|sess|sid|login|remember|member|uid|pass|token)[^=]{0,40}=[^;]{6}",
    re.IGNORECASE,
)
