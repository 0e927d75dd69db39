"""Sites that let the browser ask for the password: HTTP authentication (RFC 9110 11; RFC 7617, RFC 7616)."""

from __future__ import annotations

from urllib.parse import urlsplit

from harvester.access.flow import Flow, ask, authorise
from harvester.access.login_plan import (
    KNOWN_SCHEMES,
    LoginPlan,
    LoginResult,
    Prepared,
    Read,
    get_page,
    read_page,
)
from harvester.access.target import target_refusal
from harvester.model.account import FilledForm, Verdict
from harvester.model.http import Request

_REFUSED = "the site answered 401 to user name and password"


def http_auth(plan: LoginPlan, page: Read) -> Flow[Prepared | LoginResult]:
    """What a login by HTTP authentication would send; a result where it is at work already.

    `page` asked for it, or goes through with the credentials that every request carries.
    """
    if plan.http_auth and plan.probe and not page.asks:
        page = yield from get_page(plan, plan.probe)
    if not page.asks:
        return LoginResult(Verdict.OK, f"the site takes {plan.http_auth} authentication")
    if page.asks not in KNOWN_SCHEMES:
        return LoginResult(
            Verdict.NO_FORM,
            f"the site asks for {page.asks} authentication, which is not known here; import cookies instead",
        )
    if plan.http_auth:
        return LoginResult(Verdict.BAD_CREDENTIALS, _REFUSED, True)
    if plan.only_look:
        return LoginResult(Verdict.HELD, "the kept session has ended")
    if refusal := target_refusal(page.url, plan.hosts, allow_insecure=plan.allow_insecure):
        return LoginResult(Verdict.REFUSED, refusal.replace("the form leads to", "the password would go to"))
    form = FilledForm(page.url, page.url, ())
    return Prepared(form, None, before=None, told=frozenset(), http_auth=page.asks)


def authorised(plan: LoginPlan, prepared: Prepared) -> Flow[LoginResult]:
    """Ask once more with the credentials: anything but another 401 lets us in."""
    url = prepared.form.url
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    yield from authorise(origin, prepared.http_auth, plan.login)
    page = read_page((yield from ask(Request(url, secret=True))), plan.encoding)
    if page.status == 401:
        yield from authorise(origin, "", None)
        return LoginResult(Verdict.BAD_CREDENTIALS, _REFUSED, True)
    if page.status >= 500:
        return LoginResult(Verdict.UNREACHABLE, f"the site answered with status {page.status}", True)
    return LoginResult(
        Verdict.OK, f"the site takes {prepared.http_auth} authentication", True, http_auth=prepared.http_auth
    )
