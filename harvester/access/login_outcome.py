"""What became of a login: what the answer says, and the page that proves it."""

from __future__ import annotations

import re

from harvester.access.captcha import commercial
from harvester.access.flow import Flow, ask
from harvester.access.login_challenges import asks_again, asks_code, asks_question, code_form, question_form
from harvester.access.login_choice import choose_login_form
from harvester.access.login_plan import LoginPlan, LoginResult, Prepared, Read, base_of, get_page, joined
from harvester.access.membership import Seen, members_links, seen_as
from harvester.access.target import target_refusal
from harvester.access.verdicts import login_verdict, messages, tries_left
from harvester.access.wall_page import WallPage
from harvester.access.walls import recognise_wall
from harvester.model.account import Verdict
from harvester.model.http import Request
from harvester.model.wall import WallKind
from harvester.policy import never_fetch


def outcome(
    plan: LoginPlan, page: Read, prepared: Prepared | None, hops: int, *, json: bool = False
) -> LoginResult | None:
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
    question = question_form(page) if seen is not Seen.MEMBER else None
    if question is not None and (spoken is None or spoken[0] is Verdict.SECURITY_QUESTION):
        return asks_question(plan, *question)
    if spoken is not None and spoken[0] is not Verdict.OK and seen is not Seen.MEMBER:
        verdict, words = spoken
        if verdict is Verdict.CAPTCHA_REQUIRED or (
            verdict is Verdict.SECOND_FACTOR and prepared is not None and _has_code(prepared)
        ):
            return asks_again(plan, page, verdict, words, left)
        return LoginResult(verdict, f"the site says: {words}", True, tries_left=left)
    if mark := commercial(page.html):
        return LoginResult(Verdict.CHALLENGE, f"a commercial challenge came up ({mark})", True)
    if json and page.status in (401, 403, 422):
        verdict = Verdict.BAD_CREDENTIALS if page.status != 403 else Verdict.FORM_REFUSED
        return LoginResult(verdict, f"the site answered with status {page.status}", True, tries_left=left)
    if json and page.status >= 400:
        return LoginResult(Verdict.FORM_REFUSED, f"the site answered with status {page.status}", True)
    if page.status >= 500:
        return LoginResult(Verdict.UNREACHABLE, f"the site answered with status {page.status}", True)
    again = choose_login_form(page.forms)
    if again is not None and seen is not Seen.MEMBER and spoken is None and hops == 0:
        same = prepared is None or again.form.action.partition("?")[0] == prepared.form.url.partition("?")[0]
        if same and page.status == 419:
            return LoginResult(Verdict.UNKNOWN, "the form had expired when it was sent", True)
        if same and not _QUICK_FORM.search(f"{again.form.id} {again.form.place}"):
            return LoginResult(
                Verdict.BAD_CREDENTIALS, "the login form came back without a word", True, tries_left=left
            )
    return None


def _has_code(prepared: Prepared) -> bool:
    return prepared.source is not None and prepared.source.code is not None


_QUICK_FORM = re.compile(r"quick|lsform|header|modal|popup|sidebar|navbar", re.IGNORECASE)


def prove(plan: LoginPlan, page: Read, prepared: Prepared | None, moved: bool) -> Flow[LoginResult]:
    """Ask for the start page once more: it must show that we are members. `moved`: the site took the form."""
    onward = _refresh_target(page, plan)
    if onward:
        yield from ask(Request(onward, referer=page.url, secret=True))
    proof = yield from get_page(plan, plan.start)
    user = plan.login.user.reveal()
    seen, evidence = seen_as(proof.html, user=user, tree=proof.tree)
    if seen is Seen.MEMBER:
        return LoginResult(Verdict.OK, evidence if evidence != user else "the account's name", True)
    spoken = login_verdict(messages(WallPage(page.html, page.tree)))
    if seen is Seen.UNKNOWN:
        before = prepared.before if prepared is not None else None
        if before is not None and before[0] is Seen.GUEST:
            return LoginResult(Verdict.OK, "what guests are offered to log in with is gone", True)
        fresh = members_links(before[1].tree, proof.tree) if before is not None else []
        if fresh and moved:
            why = f"the start page shows {len(fresh)} links that guests are not shown"
            return LoginResult(Verdict.OK, why, True, member_link=fresh[0])
        if plan.probe:
            opened = yield from get_page(plan, plan.probe)
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
