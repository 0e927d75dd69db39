"""Logging in, as a generator: find the form, fill it, send it, and prove that it worked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from msgspec.structs import replace

from harvester.access import wall_urls
from harvester.access.captcha import commercial, find_captcha
from harvester.access.flow import Flow, Wait, ask
from harvester.access.form_filling import encode, encode_multipart, fill, pairs_of
from harvester.access.forms import Form
from harvester.access.knowledge import LoginKnowledge, login_knowledge
from harvester.access.login_challenges import ask_question, asks, asks_again, asks_code, code_form
from harvester.access.login_choice import LoginForm, choose_login_form
from harvester.access.login_plan import LoginPlan, LoginResult, Prepared, Read, base_of, joined, read_page
from harvester.access.membership import Seen, members_links, seen_as
from harvester.access.target import target_refusal
from harvester.access.verdicts import login_verdict, messages, tries_left
from harvester.access.wall_page import WallPage
from harvester.access.walls import recognise_wall
from harvester.errors import AccessError
from harvester.model.account import (
    Challenge,
    ChallengeKind,
    FieldRole,
    FilledForm,
    Verdict,
)
from harvester.model.http import Request
from harvester.model.wall import WallKind, WallScope
from harvester.patterns.engines import Engine, PageEvidence, recognise_engine
from harvester.policy import never_fetch

MOST_PAGES = 6
"""Pages that are looked at for a login form."""
MOST_HOPS = 6

_LOGIN_LINK = re.compile(
    r"^\W{0,4}(?:log ?-?in|sign ?-?in|log ?-?on|member login|登[录陆入錄]|登录/注册|войти|вход|ログイン|로그인|anmelden|einloggen|connexion"
    r"|se connecter|iniciar sesi[óo]n|acceder|entrar|accedi|zaloguj.{0,5}|inloggen|giriş.{0,5}|přihl.{0,8})\W{0,4}$",
    re.IGNORECASE,
)
_KNOWN_PATHS = (
    *("login.php", "/login", "ucp.php?mode=login", "member.php?mod=logging&action=login"),
    *("index.php?action=login", "member.php?action=login", "/accounts/login/", "index.php?m=u&c=login"),
)


class _Ended(Exception):
    def __init__(self, result: LoginResult) -> None:
        self.result = result
        super().__init__()


def log_in(plan: LoginPlan) -> Flow[LoginResult]:
    """Log in: at most `MOST_PAGES` pages to find the form, one form sent, one page to prove it.

    Never sends twice. With a captcha or a second factor the result carries the challenge; `answer` goes on
    from there. Raises only what is thrown into it.
    """
    try:
        prepared = yield from prepare(plan)
        if isinstance(prepared, LoginResult):
            return prepared
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
    start = yield from _get(plan, plan.start)
    before, evidence = seen_as(start.html, link=plan.member_link, tree=start.tree)
    if before is Seen.MEMBER:
        return LoginResult(Verdict.OK, f"already logged in: {evidence}")
    if plan.only_look:
        return LoginResult(Verdict.HELD, "the kept session has ended")
    engine = plan.engines.get(plan.engine) or _recognised(plan, start)
    knowledge = login_knowledge(engine)
    best: tuple[LoginForm, Read] | None = None
    met: set[str] = set()
    for url in _candidates(plan, start, knowledge):
        if url in met or len(met) >= MOST_PAGES - 1:
            continue
        met.add(url)
        page = start if url == plan.start else (yield from _get(plan, url, referer=plan.start))
        _stop_at_walls(page)
        found = choose_login_form(page.forms, knowledge)
        if found is not None and (best is None or found.score > best[0].score):
            best = (found, page)
        if best is not None and best[1] is page:
            break  # the form that was read last is the one whose tokens are good
    if best is None:
        quick = choose_login_form(start.forms, knowledge)
        if quick is None:
            return LoginResult(Verdict.NO_FORM, _no_form(start))
        best = (quick, start)
    return (yield from _prepared(plan, *best, knowledge, (before, start)))


def _candidates(plan: LoginPlan, start: Read, knowledge: LoginKnowledge) -> Sequence[str]:
    """Where a login form may be, the likeliest first; the start page itself where it is a login page."""
    found: list[str] = []
    if wall_urls.is_login(start.url) and choose_login_form(start.forms, knowledge) is not None:
        found.append(plan.start)
    if plan.hint:
        found.append(plan.hint)
    links: list[tuple[int, str]] = []
    for node in start.tree.css("a[href]")[:3_000]:
        href = (node.attributes.get("href") or "").strip()
        if href.lower().startswith(("javascript:", "mailto:", "#")):
            continue
        by_text = bool(_LOGIN_LINK.match(" ".join(node.text(separator=" ")[:100].split())))
        by_url = wall_urls.is_login(href)
        if by_text or by_url:
            links.append((by_text + by_url, joined(base_of(start), href)))
    links.sort(key=lambda link: -link[0])
    found += [url for rank, url in links[:2] if rank == 2]
    if knowledge.path:
        found.append(joined(start.url, knowledge.path))
    found += [url for _, url in links[:3]]
    found += [joined(start.url, path) for path in _KNOWN_PATHS if not links]
    if choose_login_form(start.forms, knowledge) is not None and not links:
        found.insert(0, plan.start)
    return [url for url in found if url and not target_refusal(url, plan.hosts, allow_insecure=True)]


def _prepared(
    plan: LoginPlan, login: LoginForm, page: Read, knowledge: LoginKnowledge, before: tuple[Seen, Read]
) -> Flow[Prepared | LoginResult]:
    form = login.form
    refusal = target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure)
    if form.method != "post":
        refusal = "the form would put the password into the address"
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
    roles = {
        login.user.name: FieldRole.USER,
        login.password.name: FieldRole.PASSWORD_MD5 if hashed else FieldRole.PASSWORD,
    }
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


def _no_form(start: Read) -> str:
    if commercial(start.html):
        return "no login form was found, only a challenge; import cookies: harvest account add SITE --cookies FILE"
    return (
        "no login form was found; log in by browser and import the cookies: "
        "harvest account add SITE --cookies FILE"
    )


# Sending ---------------------------------------------------------------------------------------------


def form_request(form: FilledForm, pairs: Sequence[tuple[str, str]]) -> Request:
    """The POST that sends a filled form; its redirects are reported, never followed."""
    if form.multipart:
        body, content_type = encode_multipart(pairs, form.charset)
    else:
        body, content_type = encode(pairs, form.charset), "application/x-www-form-urlencoded"
    headers = (("Content-Type", content_type),)
    return Request(form.url, "POST", headers, body, referer=form.page, secret=True)


def _send(plan: LoginPlan, form: FilledForm, prepared: Prepared | None, said: str = "") -> Flow[LoginResult]:
    refusal = target_refusal(form.url, plan.hosts, allow_insecure=plan.allow_insecure)
    if refusal:
        return LoginResult(Verdict.REFUSED, refusal)
    if prepared is not None:
        yield Wait(plan.patience)
    page, hops, cookies = yield from send_form(plan, form, said)
    result = _verdict(plan, page, prepared, hops)
    if result is not None and result.verdict is Verdict.SECURITY_QUESTION and prepared is not None:
        return (yield from ask_question(plan, prepared, result))
    if result is not None:
        return result
    return (yield from _prove(plan, page, prepared, bool(hops or cookies)))


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


def _verdict(plan: LoginPlan, page: Read, prepared: Prepared | None, hops: int) -> LoginResult | None:
    """What the answer says by itself; None when only the proof will tell."""
    told = prepared.told if prepared is not None else frozenset()
    text = "\n".join(
        line for line in messages(WallPage(page.html, page.tree)).splitlines() if line not in told
    )
    seen, _ = seen_as(page.html, tree=page.tree)
    spoken = login_verdict(text)
    left = tries_left(text)
    asking = code_form(page)
    if asking is not None and seen is not Seen.MEMBER:
        return asks_code(plan, *asking, text)
    if spoken is not None and spoken[0] is not Verdict.OK and seen is not Seen.MEMBER:
        verdict, words = spoken
        if verdict is Verdict.CAPTCHA_REQUIRED or (
            verdict is Verdict.SECOND_FACTOR and prepared is not None and prepared.source.code is not None
        ):
            return asks_again(plan, page, verdict, words, left)
        return LoginResult(verdict, f"the site says: {words}", True, tries_left=left)
    if mark := commercial(page.html):
        return LoginResult(Verdict.CHALLENGE, f"a commercial challenge came up ({mark})", True)
    if page.status >= 500:
        return LoginResult(Verdict.UNREACHABLE, f"the site answered with status {page.status}", True)
    again = choose_login_form(page.forms)
    if again is not None and seen is not Seen.MEMBER and again.password.name and spoken is None and hops == 0:
        same = prepared is None or again.form.action.partition("?")[0] == prepared.form.url.partition("?")[0]
        if same and page.status == 419:
            return LoginResult(Verdict.UNKNOWN, "the form had expired when it was sent", True)
        if same and not _QUICK_FORM.search(f"{again.form.id} {again.form.place}"):
            return LoginResult(
                Verdict.BAD_CREDENTIALS, "the login form came back without a word", True, tries_left=left
            )
    return None


_QUICK_FORM = re.compile(r"quick|lsform|header|modal|popup|sidebar|navbar", re.IGNORECASE)


def _prove(plan: LoginPlan, page: Read, prepared: Prepared | None, moved: bool) -> Flow[LoginResult]:
    """Ask for the start page once more: it must show that we are members. `moved`: the site took the form."""
    onward = _refresh_target(page, plan)
    if onward:
        yield from ask(Request(onward, referer=page.url, secret=True))
    proof = yield from _get(plan, plan.start)
    user = plan.login.user.reveal()
    seen, evidence = seen_as(proof.html, user=user, tree=proof.tree)
    if seen is Seen.MEMBER:
        return LoginResult(Verdict.OK, evidence if evidence != user else "the account's name", True)
    spoken = login_verdict(messages(WallPage(page.html, page.tree)))
    if seen is Seen.UNKNOWN:
        if prepared is not None and prepared.before[0] is Seen.GUEST:
            return LoginResult(Verdict.OK, "what guests are offered to log in with is gone", True)
        fresh = members_links(prepared.before[1].tree, proof.tree) if prepared is not None else []
        if fresh and moved:
            why = f"the start page shows {len(fresh)} links that guests are not shown"
            return LoginResult(Verdict.OK, why, True, member_link=fresh[0])
        if plan.probe:
            opened = yield from _get(plan, plan.probe)
            walls = recognise_wall(plan.probe, opened.status, {}, opened.html, final_url=opened.url)
            if opened.status == 200 and not any(wall.kind is WallKind.LOGIN for wall in walls):
                return LoginResult(Verdict.OK, "what was closed is open now", True)
        if spoken is not None and spoken[0] is Verdict.OK:
            return LoginResult(Verdict.OK, f"the site says: {spoken[1]}", True)
    why = "nothing shows whether the login worked" if seen is Seen.UNKNOWN else f"still a guest: {evidence}"
    return LoginResult(Verdict.UNKNOWN, why, True)


_REFRESH = re.compile(r"^\s*\d{0,3}\s*;\s*url\s*=\s*['\"]?([^'\"]{1,1000})", re.IGNORECASE)
_WELCOME = re.compile(r"\"(https?:[^\"\s<>]{1,500}?login[^\"\s<>]{0,300}_statu=[^\"\s<>]{1,300})\"")


def _refresh_target(page: Read, plan: LoginPlan) -> str:
    """Where a page sends its visitor by itself after a login: some software sets its cookie only there."""
    url = ""
    meta = page.tree.css_first("meta[http-equiv=refresh i]")
    if meta is not None and (found := _REFRESH.match(meta.attributes.get("content") or "")):
        url = joined(base_of(page), found[1].strip())
    elif found := _WELCOME.search(page.html[:20_000].replace("\\/", "/")):
        url = found[1]
    if not url or never_fetch.refusal(url):
        return ""
    return "" if target_refusal(url, plan.hosts, allow_insecure=plan.allow_insecure) else url


def _get(plan: LoginPlan, url: str, *, referer: str = "") -> Flow[Read]:
    """A page; redirects within the site are followed by whoever drives the flow."""
    response = yield from ask(Request(url, referer=referer))
    return read_page(response, plan.encoding)
