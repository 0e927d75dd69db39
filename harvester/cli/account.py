"""`harvest account`: the operator's own accounts, one a site."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.console import Console

from harvester import wiring
from harvester.access.form_filling import described
from harvester.access.imports import read_cookies
from harvester.access.lockout import hint_for
from harvester.access.login_plan import LoginResult, Prepared
from harvester.access.standing import standing
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table, safe
from harvester.errors import AccessError, NotFound, UsageError
from harvester.fetch.sessions import AccountFiles, refuse_secrets_file_open_to_others
from harvester.model.account import AccountState, Verdict
from harvester.model.redact import redact_url
from harvester.model.site import Account, SiteFile
from harvester.model.stored import Event
from harvester.patterns.sitefile import dump_site_file
from harvester.search.records import timestamp
from harvester.settings import Settings

account = typer.Typer(help="Use your own account on a site.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="SITE", help="A site's name, its URL, or its file.")]


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.add_typer(account, name="account")


def _files(settings: Settings) -> AccountFiles:
    return wiring.account_files(settings)


def _site(settings: Settings, wanted: str) -> SiteFile:
    return wiring.find_site(wanted, wiring.SiteFolder(settings))


@account.command("add")
def add(
    site: Name,
    user_env: Annotated[str, typer.Option(help="Environment variable that holds the user name.")] = "",
    password_env: Annotated[str, typer.Option(help="Environment variable that holds the password.")] = "",
    keyring: Annotated[
        str, typer.Option(help="Keyring service instead, with entries user and password.")
    ] = "",
    cookies: Annotated[
        Path | None,
        typer.Option(help="A browser's cookie file (Netscape format); - reads a header or file from stdin."),
    ] = None,
    data: Data = None,
) -> None:
    """Tell Harvest about an account: where its secrets are, or the cookies of a browser that is logged in.

    The secrets themselves are never asked for, stored or passed as arguments.
    """
    settings = settings_for(data)
    folder = wiring.SiteFolder(settings)
    found = wiring.find_site(site, folder)
    if cookies is not None:
        _import_cookies(settings, found, cookies)
        return
    if not (user_env or password_env or keyring):
        user_env, password_env, keyring = _ask_where(found.site)
    named = Account(user_env, password_env, keyring, found.account.allow_insecure)
    if not named.configured:
        raise UsageError(
            "the account names no credentials",
            hint="give --user-env and --password-env, or --keyring, or --cookies FILE",
        )
    changed = replace(found, account=named)
    path = folder.keep(changed, dump_site_file(changed))
    with wiring.opened_store(settings, create=True) as store:
        store.add_site(found.site, start=found.start[0], now=time.time())
    typer.echo(
        f"{found.site}: the account is named in {path}. Try it with: harvest account test {found.site}"
    )
    for name in filter(None, (user_env, password_env)):
        if not os.environ.get(name):
            typer.echo(f"{name} is not set in this shell; it must be where harvest runs", err=True)


def _ask_where(site: str) -> tuple[str, str, str]:
    """Lead a person through it; only names are asked for."""
    if not sys.stdin.isatty():
        return "", "", ""
    base = "".join(one if one.isalnum() else "_" for one in site).upper()
    typer.echo(
        "Harvest reads user name and password from environment variables, or from your system's keyring."
    )
    if typer.confirm("Are they in the keyring?", default=False):
        return "", "", typer.prompt("Name of the keyring service", default=f"harvest-{site}")
    user = typer.prompt("Variable with the user name", default=f"{base}_USER")
    password = typer.prompt("Variable with the password", default=f"{base}_PASSWORD")
    typer.echo(f"Set them before harvest runs, such as: read -rs {password}; export {user}=… {password}")
    return user, password, ""


def _import_cookies(settings: Settings, site: SiteFile, source: Path) -> None:
    if str(source) == "-":
        text = sys.stdin.read(1_000_001)
    else:
        refuse_secrets_file_open_to_others(source)
        text = source.read_text(encoding="utf-8", errors="replace")
    found = read_cookies(text, site.hosts)
    _files(settings).change(
        site.site,
        lambda state: replace(
            state,
            cookies=found,
            imported=True,
            proved_at=0.0,
            ended_at=0.0,
            frozen="",
            challenge=None,
            member_link="",
        ),
    )
    folder = wiring.SiteFolder(settings)
    if site.site not in folder.names():  # so that it is known by its name from now on
        folder.keep(site, dump_site_file(site))
    with wiring.opened_store(settings, create=True) as store:
        store.add_site(site.site, start=site.start[0], now=time.time())
        store.record(_event("cookie_import", site.site, cookies=len(found)))
    typer.echo(
        f"{site.site}: {len(found)} cookies are kept for the next crawl. "
        f"See whether they are good: harvest account test {site.site}"
    )


def _event(kind: str, site: str, **detail: object) -> Event:
    return Event(time.time(), kind, site, detail)


@account.command("test")
def try_account(
    site: Name,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")
    ] = False,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Log in once, if the kept session is not good any more, and say what came of it."""
    settings = settings_for(data)
    found = _site(settings, site)
    state = _files(settings).load(found.site)
    if not found.account.configured and not state.cookies:
        raise UsageError(f"{found.site} has no account", hint=f"harvest account add {site}")
    with wiring.opened_store(settings, create=True) as store:
        if dry_run:
            _show(
                wiring.at_the_desk(settings, store, found, lambda desk: desk.show()), found, as_json=as_json
            )
            return
        result = wiring.at_the_desk(settings, store, found, lambda desk: desk.test())
    report(result, found.site, as_json=as_json)


def report(result: LoginResult, site: str, *, as_json: bool) -> None:
    """Print what became of a login; anything but a good one is an error."""
    if as_json:
        print(
            json.dumps(
                {"site": site, "verdict": result.verdict.value, "why": result.why, "sent": result.sent}
            )
        )
    if result.verdict is not Verdict.OK:
        raise AccessError(f"{site}: not logged in", why=result.why, hint=_hint(result, site))
    if not as_json:
        typer.echo(f"{site}: logged in ({result.why})")


def _hint(result: LoginResult, site: str) -> str:
    hint = hint_for(result.verdict, site)
    return "" if hint in result.why or "harvest " in result.why else hint


def _show(prepared: Prepared | LoginResult, site: SiteFile, *, as_json: bool) -> None:
    """The exact request, with secrets and one-time tokens masked."""
    if isinstance(prepared, LoginResult):
        if prepared.verdict is Verdict.OK:
            typer.echo(f"{site.site}: nothing would be sent: {prepared.why}")
            return
        raise AccessError(
            f"{site.site}: nothing can be sent", why=prepared.why, hint=_hint(prepared, site.site)
        )
    form, fields = prepared.form, described(prepared.form)
    if prepared.http_auth:
        said = f"Authorization: {prepared.http_auth.capitalize()} *** with every request to its host"
        typer.echo(
            json.dumps({"url": redact_url(form.url), "header": said})
            if as_json
            else f"GET {redact_url(form.url)}\n{said}\nnothing was sent"
        )
        return
    if as_json:
        shown = {"method": "POST", "url": redact_url(form.url), "referer": redact_url(form.page)}
        shown |= {"charset": form.charset, "fields": fields, "captcha": prepared.captcha is not None}  # type: ignore[dict-item]
        print(json.dumps(shown, ensure_ascii=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"POST {redact_url(form.url)}", markup=False)
    console.print(f"Referer: {redact_url(form.page)}", markup=False)
    console.print(f"the fields, {'as JSON' if form.json else 'in ' + form.charset}:", markup=False)
    for name, value in fields:
        console.print(f"  {safe(name)} = {safe(value)}", markup=False)
    if prepared.captcha is not None:
        console.print(f"and the answer to a captcha in {prepared.captcha.field}", markup=False)
    if prepared.password_follows:
        console.print("and the password to the page that comes after it", markup=False)
    console.print("nothing was sent", markup=False)


@account.command("list")
def list_accounts(data: Data = None, as_json: Json = False) -> None:
    """List the accounts, and how each is doing."""
    settings = settings_for(data)
    files, folder = _files(settings), wiring.SiteFolder(settings)
    rows = []
    for name in sorted({*files.sites(), *(name for name in folder.names() if _is_configured(folder, name))}):
        try:
            rows.append({"site": name, **_row(name, files.load(name))})
        except AccessError as error:
            rows.append({"site": name, "state": str(error)})
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        return
    if not rows:
        typer.echo("no account yet; add one with: harvest account add SITE", err=True)
        return
    columns = (("site", "left"), ("state", "left"), ("last login", "left"), ("waits for you", "left"))
    keys = ("site", "state", "last_login", "waits_for_you")
    print_table(
        Console(highlight=False), columns, ([str(row.get(key) or "-") for key in keys] for row in rows)
    )


def _is_configured(folder: wiring.SiteFolder, name: str) -> bool:
    try:
        return folder.read(name).account.configured
    except (NotFound, UsageError):
        return False


def _row(site: str, state: AccountState) -> dict[str, object]:
    doing = standing(state, site, time.time())
    waits = []
    if state.challenge is not None:
        waits.append(f"{state.challenge.kind.value}: harvest captcha {site}")
    if state.proposed:
        waits.append(f"{len(state.proposed)} replies: harvest account approve {site}")
    if state.frozen:
        waits.append(doing.next_step)
    last = state.attempts[-1] if state.attempts else None
    return {
        "state": doing.words,
        "last_login": f"{timestamp(last.at)} {last.verdict.value}" if last else None,
        "waits_for_you": ", ".join(waits) or None,
        "next_step": doing.next_step or None,
    }


@account.command("forget")
def forget(site: Name, data: Data = None) -> None:
    """Forget the session and cookies of an account. What protects it from lock-out is kept."""
    settings = settings_for(data)
    files = _files(settings)
    name = site if site in files.sites() else _site(settings, site).site
    if name not in files.sites():
        raise NotFound(f"nothing is kept of an account on {name}", hint="see: harvest account list")
    files.change(name, _forgotten)
    with wiring.opened_store(settings, create=True) as store:
        store.record(_event("session_forgotten", name))
    typer.echo(f"{name}: the session is forgotten; what protects the account from lock-out is kept")


def _forgotten(state: AccountState) -> AccountState:
    state = replace(state, cookies=(), imported=False, proved_at=0.0, ended_at=0.0, member_link="")
    return replace(state, http_auth="", challenge=None, proposed=())


@account.command("approve")
def approve(
    site: Name,
    every: Annotated[
        bool, typer.Option("--all", help="Approve all of them without asking for each.")
    ] = False,
    data: Data = None,
) -> None:
    """See the replies that wait for your word, and approve or drop each."""
    settings = settings_for(data)
    files, name = _files(settings), _site(settings, site).site
    waiting = files.load(name).proposed
    if not waiting:
        typer.echo(f"{name}: no reply waits")
        return
    approved = []
    for one in waiting:
        typer.echo(f"{redact_url(one.url)}\n  {safe(one.text)}")
        if every or typer.confirm("Post it?", default=False):
            approved.append(one.thread)
    dropped = [one.thread for one in waiting if one.thread not in approved]
    wiring.Challenges(settings).decide_replies(name, approved, dropped)
    typer.echo(
        f"{name}: {len(approved)} approved, {len(waiting) - len(approved)} dropped; the next crawl posts them"
    )


@account.command("log")
def show_log(
    site: Annotated[str | None, typer.Argument(metavar="[SITE]", help="Only of this site.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many lines.")] = 50,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """The audit log: every login, reply, captcha and refusal, the newest last."""
    settings = settings_for(data)
    name = _site(settings, site).site if site else None
    events: list[Event] = []
    with suppress(NotFound), wiring.opened_store(settings) as store:
        events = wiring.account_events(store, name, limit)
    console = Console(highlight=False, soft_wrap=True)
    for one in reversed(events):
        record = {"at": timestamp(one.at), "site": one.site, "kind": one.kind, **one.detail}
        if as_json:
            print(json.dumps(record, ensure_ascii=False))
        else:
            words = safe(wiring.event_words(one))
            console.print(f"{record['at']}  {one.site}  {one.kind}  {words}", markup=False)
    if not events and not as_json:
        typer.echo("nothing was done with an account yet", err=True)
