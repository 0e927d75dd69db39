"""Templates: escaping, languages, what every page is given."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope as AsgiScope

from harvester import __version__, wiring
from harvester.model.stored import StoredTorrent
from harvester.search.present import human_size
from harvester.web.authentication import Principal, check, cookie, principal_of
from harvester.web.keys import Scope
from harvester.web.pages.texts import LANGUAGES, choose_language, translated
from harvester.web.problems import Problem
from harvester.web.services import services_of

LANGUAGE_COOKIE = "harvest_language"
_BREAKS = re.compile(r"([._/]+)(?=\w)")
_HERE = Path(__file__).parents[1]


class _Static(StaticFiles):
    """Our own CSS and JavaScript, which change with the version only: addresses carry it."""

    def file_response(
        self, full_path: Any, stat_result: Any, scope: AsgiScope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "public, max-age=3600"
        return response


def static_files() -> StaticFiles:
    """The folder of assets."""
    return _Static(directory=_HERE / "static")


def page(request: Request, template: str, context: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """A rendered page in the reader's language."""
    principal = principal_of(request)
    language = language_of(request)
    shared = {
        "language": language,
        "languages": LANGUAGES,
        "principal": principal,
        "operator": principal.is_operator,
        "waiting": wiring.Challenges(services_of(request).settings).waiting() if principal.is_operator else 0,
        "admin": principal.may(Scope.ADMIN),
        "csrf": principal.session.csrf if principal.session else "",
        "version": __version__,
        "here": _here(request),
        "now": time.time(),
        "query": "",
    }
    text = _environment.get_template(template).render(shared | dict(context))
    headers = {"Vary": "Cookie, Accept-Language", "Content-Language": language}
    return HTMLResponse(text, status, headers=headers)


def error_page(request: Request, problem: Problem) -> Response:
    """A problem for a person."""
    context = {
        "status": problem.status_code,
        "title": HTTPStatus(problem.status_code).phrase,
        "detail": problem.detail,
        "hint": problem.hint,
    }
    response = page(request, "error.html", context, problem.status_code)
    response.headers.update(problem.headers or {})
    return response


def require(request: Request, scope: Scope) -> Principal:
    """The principal of a page, who has `scope`; `Problem` otherwise."""
    principal = principal_of(request)
    check(services_of(request), principal, scope)
    return principal


def language_of(request: Request) -> str:
    """The reader's choice, else what the browser asks for."""
    headers: Headers = request.headers
    return choose_language(cookie(headers, LANGUAGE_COOKIE), headers.get("accept-language", ""))


def local_path(path: str) -> str:
    """`path` when it leads to a page of this server, else `/`: no open redirect."""
    fine = path.startswith("/") and not path.startswith(("//", "/\\")) and len(path) <= 1000
    return path if fine and path.isascii() and path.isprintable() and "\\" not in path else "/"


def _here(request: Request) -> str:
    """The address of this page on this server, for forms that lead back."""
    path = quote(request.url.path, safe="/.-_~")
    return f"{path}?{request.url.query}" if request.url.query else path


# --- what templates call --------------------------------------------------------------------------------


@pass_context
def _t(context: Context, text: str, **values: object) -> str:
    return translated(text, context["language"]).format(**values)


@pass_context
def _name(context: Context, kind: str, value: str) -> str:
    """What a facet's value is called."""
    known = translated(f"{kind}:{value}", context["language"])
    return value if known.startswith(f"{kind}:") else known


@pass_context
def _count(context: Context, number: int, one: str, many: str) -> str:
    text = translated(one if number == 1 else many, context["language"])
    return text.format(n=f"{number:,}")


@pass_context
def _ago(context: Context, seconds: float | None) -> str:
    """How long ago, in one unit."""
    if seconds is None:
        return ""
    passed = max(0.0, float(context["now"]) - seconds)
    for length, one, many in (
        (365 * 86400, "{n} year ago", "{n} years ago"),
        (30 * 86400, "{n} month ago", "{n} months ago"),
        (86400, "{n} day ago", "{n} days ago"),
        (3600, "{n} hour ago", "{n} hours ago"),
        (60, "{n} minute ago", "{n} minutes ago"),
    ):
        if passed >= length:
            return _count(context, int(passed // length), one, many)
    return translated("just now", context["language"])


def _date(seconds: float | None) -> str:
    """`2026-11-30`, "" when there is none."""
    return _moment(seconds)[:10]


def _moment(seconds: float | None) -> str:
    """`2026-11-30 14:05 UTC`, "" when there is none."""
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return ""


def _infohash(torrent: StoredTorrent) -> str:
    digest = torrent.infohash_v1 or torrent.infohash_v2 or b""
    return digest.hex()


def _link(path: str, **values: object) -> str:
    """An address with its query; lists repeat, empty values are left out."""
    given = {name: value for name, value in values.items() if value not in (None, "", (), [])}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path


def _breakable(text: str) -> Markup:
    """The text, escaped, with places where a line may break: release names have no blanks."""
    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(text))))  # noqa: S704 - escaped right here


def shortened(text: str, length: int = 300) -> str:
    """The text, or its beginning: a hostile torrent's name can be as long as a book."""
    return text if len(text) <= length else f"{text[:length]}…"


def _web_address(url: str) -> str:
    """The URL when a browser may be sent there, else "": no javascript: and the like."""
    return url if url.lower().startswith(("http://", "https://")) else ""


_environment = Environment(
    loader=FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals.update(t=_t, count=_count, ago=_ago, link=_link, value_name=_name, infohash=_infohash)
_environment.filters.update(
    breakable=_breakable,
    shortened=shortened,
    size=human_size,
    date=_date,
    moment=_moment,
    web_address=_web_address,
    thousands=lambda n: f"{n:,}",
)
