"""Logging in, as a generator: find the form, fill it, send it, and prove that it worked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import ada_url
from selectolax.lexbor import LexborHTMLParser

from harvester.access import wall_urls
from harvester.access.captcha import Captcha, commercial, find_captcha
from harvester.access.flow import Flow, Wait, ask
from harvester.access.forms import Control, Form, encode, encode_multipart, fill, pairs_of, parse_forms
from harvester.access.knowledge import LoginKnowledge, login_knowledge
from harvester.access.login_choice import LoginForm, choose_login_form
from harvester.access.membership import Seen, members_links, seen_as
from harvester.access.secrets import Login
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
from harvester.model.http import Request, Response
from harvester.model.wall import WallKind, WallScope
from harvester.patterns.engines import Engine, PageEvidence, recognise_engine
from harvester.policy import never_fetch
from harvester.text.charset import decode_page
from harvester.text.tree import parse_tree

MOST_PAGES = 6
"""Pages that are looked at for a login form."""
MOST_HOPS = 6
CODE_SECONDS = 300.0
"""For how long a second factor is waited for."""

_LOGIN_LINK = re.compile(
    r"^\W{0,4}(?:log ?-?in|sign ?-?in|log ?-?on|member login|登[录陆入錄]|登录/注册|войти|вход|ログイン|로그인|anmelden|einloggen|connexion"
    r"|se connecter|iniciar sesi[óo]n|acceder|entrar|accedi|zaloguj.{0,5}|inloggen|giriş.{0,5}|přihl.{0,8})\W{0,4}$",
    re.IGNORECASE,
)
_KNOWN_PATHS = (
    *("login.php", "/login", "ucp.php?mode=login", "member.php?mod=logging&action=login"),
    *("index.php?action=login", "member.php?action=login", "/accounts/login/", "index.php?m=u&c=login"),
)
_CODE = re.compile(
    r"^(?:.*[_\[-])?(?:code|totp|otp|tfa|2fa|twofa|token|pin)(?:[_\]-].*)?$|(?:two|2)[_-]?(?:step|factor)|tfa_code|totp_code|auth_?code",
    re.IGNORECASE,
)
_CODE_PAGE = re.compile(
    r"two[- ]?(?:step|factor)|2fa|authenticator|verification code|one[- ]time|security code|两步验证|二步验证|二次验证|动态口令|двухфактор|двухэтап",
    re.IGNORECASE,
)
_TRUST = re.compile(r"trust|remember", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LoginPlan:
    """What a login needs to know.

    `start` is the site's start page, `hosts` where secrets may go, `hint` a login page that a wall led to,
    `probe` a URL that a guest may not see, `member_link` the path of a link that only members were shown. `patience` is the time between reading and sending a form in
    seconds (forums refuse faster ones). `now` is UTC seconds.
    """

    start: str
    hosts: tuple[str, ...]
    login: Login
    now: float
    engines: Mapping[str, Engine]
    engine: str = ""
    encoding: str = ""
    allow_insecure: bool = False
    hint: str = ""
    probe: str = ""
    member_link: str = ""
    patience: float = 3.0
    only_look: bool = False
    """Only see whether we are logged in; look for no form."""


@dataclass(frozen=True, slots=True)
class LoginResult:
    """What became of it: `why` in words for the operator, without secrets.

    `sent`: the secrets went out, so the site may have counted a try. `challenge` is what the operator has to
    answer; `tries_left` what the site still grants, where it says so.
    """

    verdict: Verdict
    why: str = ""
    sent: bool = False
    challenge: Challenge | None = None
    tries_left: int | None = None
    member_link: str = ""
    """The path of a link that came with the login, where the site shows its members nothing plainer."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A login form, ready to be sent; `captcha` waits for an answer, `told` is what the page said before."""

    form: FilledForm
    source: LoginForm
    knowledge: LoginKnowledge
    before: tuple[Seen, Read]
    """For whom the start page was made before the login, and that page."""
    told: frozenset[str]
    captcha: Captcha | None = None


class _Ended(Exception):
    def __init__(self, result: LoginResult) -> None:
        self.result = result
        super().__init__()


@dataclass(frozen=True, slots=True)
class Read:
    """A response as a page."""

    url: str
    html: str
    encoding: str
    tree: LexborHTMLParser
    status: int

    @property
    def forms(self) -> tuple[Form, ...]:
        """Its forms."""
        return parse_forms(self.html, self.url, self.encoding, tree=self.tree)


def read_page(response: Response, encoding: str = "") -> Read:
    """Decode and parse a response; an AJAX answer's inner page is unwrapped."""
    decoded = decode_page(response.body, response.headers.get("content-type"), encoding or None)
    html = decoded.text[:2_000_000]
    if html.lstrip()[:5] == "<?xml" and (start := html.find("<![CDATA[", 0, 500)) >= 0:
        html = html[start + 9 :].rpartition("]]>")[0]
    return Read(response.url, html, decoded.encoding, parse_tree(html), response.status)


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
            return _asks(plan, prepared, prepared.captcha)
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
            links.append((by_text + by_url, _join(_base(start), href)))
    links.sort(key=lambda link: -link[0])
    found += [url for rank, url in links[:2] if rank == 2]
    if knowledge.path:
        found.append(_join(start.url, knowledge.path))
    found += [url for _, url in links[:3]]
    found += [_join(start.url, path) for path in _KNOWN_PATHS if not links]
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
        return (yield from _ask_question(plan, prepared, result))
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
    code_form = _code_form(page)
    if code_form is not None and seen is not Seen.MEMBER:
        return _asks_code(plan, *code_form, text)
    if spoken is not None and spoken[0] is not Verdict.OK and seen is not Seen.MEMBER:
        verdict, words = spoken
        if verdict is Verdict.CAPTCHA_REQUIRED or (
            verdict is Verdict.SECOND_FACTOR and prepared is not None and prepared.source.code is not None
        ):
            return _asks_again(plan, page, verdict, words, left)
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
        url = _join(_base(page), found[1].strip())
    elif found := _WELCOME.search(page.html[:20_000].replace("\\/", "/")):
        url = found[1]
    if not url or never_fetch.refusal(url):
        return ""
    return "" if target_refusal(url, plan.hosts, allow_insecure=plan.allow_insecure) else url


def _get(plan: LoginPlan, url: str, *, referer: str = "") -> Flow[Read]:
    """A page; redirects within the site are followed by whoever drives the flow."""
    response = yield from ask(Request(url, referer=referer))
    return read_page(response, plan.encoding)


# Challenges ------------------------------------------------------------------------------------------


def _asks(plan: LoginPlan, prepared: Prepared, captcha: Captcha) -> LoginResult:
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


def _asks_again(plan: LoginPlan, page: Read, verdict: Verdict, words: str, left: int | None) -> LoginResult:
    """The same form wants one more field than it did: where that field is known, ask for it."""
    found = choose_login_form(page.forms)
    field = None
    if found is not None:
        field = found.code if verdict is Verdict.SECOND_FACTOR else None
    challenge = None
    if found is not None and field is not None:
        roles = {
            found.user.name: FieldRole.USER,
            found.password.name: FieldRole.PASSWORD,
            field.name: FieldRole.ANSWER,
        }
        form = fill(found.form, roles=roles, submit=found.submit)
        challenge = Challenge(
            ChallengeKind.SECOND_FACTOR,
            "the code of your second factor",
            form,
            plan.now,
            plan.now + CODE_SECONDS,
        )
    return LoginResult(verdict, f"the site says: {words}", True, challenge, left)


def _code_form(page: Read) -> tuple[Form, Control] | None:
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


def _asks_code(plan: LoginPlan, form: Form, control: Control, text: str) -> LoginResult:
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


def _ask_question(plan: LoginPlan, prepared: Prepared, result: LoginResult) -> Flow[LoginResult]:
    """The account has a security question: a fresh form that waits for its number and answer."""
    number, text = prepared.knowledge.security_question
    if not number:
        return result
    page = yield from _get(plan, prepared.form.page)
    found = choose_login_form(page.forms, prepared.knowledge)
    if found is None:
        return result
    select = next((one for one in found.form.controls if one.name == number), None)
    roles = {
        found.user.name: FieldRole.USER,
        found.password.name: FieldRole.PASSWORD,
        number: FieldRole.CHOICE,
        text: FieldRole.ANSWER,
    }
    challenge = Challenge(
        ChallengeKind.SECURITY_QUESTION,
        "the account's security question",
        fill(found.form, roles=roles, submit=found.submit),
        plan.now,
        plan.now + CODE_SECONDS,
        choices=tuple(one for one in (select.options if select else ()) if one[0] not in ("", "0")),
    )
    return replace(result, challenge=challenge)


def _base(page: Read) -> str:
    base = page.tree.css_first("base[href]")
    return _join(page.url, base.attributes.get("href") or "") if base is not None else page.url


def _join(base: str, url: str) -> str:
    try:
        return str(ada_url.join_url(base, url)).partition("#")[0]
    except ValueError:
        return ""
