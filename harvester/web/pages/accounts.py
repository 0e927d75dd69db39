"""The operator's accounts: how each is doing, what sites ask of a person, and the answers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from harvester import wiring
from harvester.access.login_plan import LoginResult
from harvester.access.standing import Standing, standing
from harvester.errors import AccessError, NotFound, UsageError
from harvester.model.account import AccountState, Challenge, Verdict
from harvester.model.redact import redact_url
from harvester.model.site import SiteFile
from harvester.model.stored import Event
from harvester.web.authentication import principal_of
from harvester.web.keys import Scope
from harvester.web.pages.forms import Form, owned
from harvester.web.pages.rendering import page, require
from harvester.web.problems import Problem, not_found
from harvester.web.services import Services, services_of

router = APIRouter()

LOGGED = 5
"""Lines of the audit log that are shown of each account."""
_NEVER_KEPT = {"Cache-Control": "no-store"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the page shows it; `token` says which one it is, so that no answer goes to another."""

    challenge: Challenge
    token: str
    answered: bool
    seconds_left: int


@dataclass(frozen=True, slots=True)
class Card:
    """One account on the page; `fault` stands for everything else where its file cannot be read."""

    site: str
    fault: str = ""
    standing: Standing | None = None
    asked: Asked | None = None
    replies: tuple[tuple[str, str, str], ...] = ()
    """Of each reply that waits: thread, address, text."""
    busy: bool = False
    message: str = ""
    may_ask: bool = False
    """Whether a fresh question may be asked for."""
    log: tuple[tuple[float, str, str], ...] = ()

    @property
    def waits(self) -> bool:
        """Whether it waits for a person."""
        return (self.asked is not None and not self.asked.answered) or bool(self.replies)


@router.get("/accounts", response_class=HTMLResponse)
def accounts_page(request: Request) -> Response:
    """All accounts, those that wait for a person first."""
    if principal_of(request).scope is None:
        return RedirectResponse("/login?back=/accounts", 303, headers=_NEVER_KEPT)
    require(request, Scope.OPERATE)
    services = services_of(request)
    cards = [_card(services, name) for name in _names(services)]
    cards.sort(key=lambda card: (not card.waits, not card.fault, card.site))
    response = page(request, "accounts.html", {"cards": cards, "busy": any(card.busy for card in cards)})
    response.headers.update(_NEVER_KEPT)
    return response


@router.get("/accounts/{name}/image/{token}")
def image(request: Request, name: str, token: str) -> Response:
    """The picture that a site asks about: a PNG made by us, to be kept nowhere."""
    require(request, Scope.OPERATE)
    challenge = wiring.Challenges(services_of(request).settings).current(_known(request, name))
    if challenge is None or not challenge.image or _token_of(challenge) != token:
        raise not_found()
    return Response(challenge.image, media_type="image/png", headers=_NEVER_KEPT)


@router.post("/accounts/{name}/answer")
def answer(request: Request, name: str, form: Form) -> Response:
    """Take the answer, and go on with the login where no crawl of the site does it."""
    services, site = _mine(request, name, form)
    challenges = wiring.Challenges(services.settings, services.store)
    waiting = challenges.files.load(site.site).challenge
    said = form.get("answer", "")
    if form.get("choice"):
        said = f"{form['choice']}\t{said}"
    if waiting is None or _token_of(waiting) != form.get("token"):
        return _back(services, site, "The question has changed: answer the one that is shown now.")
    try:
        challenges.give(site.site, said, asked=waiting)
    except (AccessError, UsageError) as error:
        return _back(services, site, str(error))
    return _begin(services, site, lambda: _told(challenges.send(site)))


@router.post("/accounts/{name}/ask")
def ask(request: Request, name: str, form: Form) -> Response:
    """Ask the site for a fresh question, or log in where it asks for none."""
    services, site = _mine(request, name, form)
    challenges = wiring.Challenges(services.settings, services.store)
    return _begin(services, site, lambda: _told(challenges.ask_anew(site)))


@router.post("/accounts/{name}/reply")
def reply(request: Request, name: str, form: Form) -> Response:
    """Approve or decline one reply, or all that wait."""
    services, site = _mine(request, name, form)
    challenges = wiring.Challenges(services.settings, services.store)
    waiting = {one.thread for one in challenges.files.load(site.site).proposed}
    chosen = waiting if form.get("thread") == "*" else waiting & {form.get("thread", "")}
    approved = chosen if form.get("say") == "post" else set()
    challenges.decide_replies(site.site, approved, chosen - approved)
    detail = {"by": principal_of(request).name, "approved": len(approved), "declined": len(chosen - approved)}
    services.store.record(Event(time.time(), "reply_decided", site.site, detail))
    return _back(services, site, "")


# --- what the routes share ------------------------------------------------------------------------------


def _mine(request: Request, name: str, form: dict[str, str]) -> tuple[Services, SiteFile]:
    """The site of a form that the operator sent."""
    require(request, Scope.OPERATE)
    owned(request, form)
    services = services_of(request)
    return services, wiring.find_site(_known(request, name), services.folder, services.store)


def _known(request: Request, name: str) -> str:
    """The name, when there is such an account."""
    if name not in _names(services_of(request)):
        raise not_found()
    return name


def _names(services: Services) -> list[str]:
    """The sites of which an account is configured or kept."""
    configured = (name for name in services.folder.names() if _site(services, name, only_accounts=True))
    return sorted({*wiring.account_files(services.settings).sites(), *configured})


def _site(services: Services, name: str, *, only_accounts: bool = False) -> SiteFile | None:
    try:
        site = services.folder.read(name)
    except (NotFound, UsageError):
        return None
    return site if site.account.configured or not only_accounts else None


def _card(services: Services, name: str) -> Card:
    jobs = services.accounts
    try:
        state = wiring.account_files(services.settings).load(name)
    except AccessError as error:
        return Card(name, fault=str(error))
    site = _site(services, name)
    return Card(
        site=name,
        standing=standing(state, name, time.time()),
        asked=_asked(state),
        replies=tuple((one.thread, redact_url(one.url), one.text) for one in state.proposed),
        busy=jobs.is_running(name),
        message=jobs.message(name),
        may_ask=site is not None and site.account.configured,
        log=_log(services, name),
    )


def _asked(state: AccountState) -> Asked | None:
    challenge = state.challenge
    left = challenge.deadline - time.time() if challenge is not None else 0.0
    if challenge is None or left <= 0:
        return None
    return Asked(challenge, _token_of(challenge), bool(challenge.answer), int(left))


def _token_of(challenge: Challenge) -> str:
    told = f"{challenge.since!r} {challenge.kind.value} {challenge.prompt}".encode()
    return hashlib.sha256(told + challenge.image).hexdigest()[:24]


def _log(services: Services, name: str) -> tuple[tuple[float, str, str], ...]:
    events = wiring.account_events(services.store, name, LOGGED)
    return tuple((one.at, one.kind, wiring.event_words(one)) for one in events)


def _begin(services: Services, site: SiteFile, work: Callable[[], str]) -> Response:
    if not services.accounts.begin(site.site, work):
        raise Problem(409, "busy", "an action of this account is under way", hint="wait until it has ended")
    return RedirectResponse(f"/accounts#{site.site}", 303, headers=_NEVER_KEPT)


def _back(services: Services, site: SiteFile, message: str) -> Response:
    if message:
        services.accounts.note(site.site, message)
    return RedirectResponse(f"/accounts#{site.site}", 303, headers=_NEVER_KEPT)


def _told(result: LoginResult | None) -> str:
    """What came of an action, for the person who began it."""
    if result is None:
        return "The crawl that is running takes it up."
    if result.verdict is Verdict.OK:
        return f"Logged in: {result.why}."
    if result.challenge is not None and not result.sent:
        return ""
    raise AccessError("not logged in", why=result.why)
