"""Forms that were sent from a page of this server, by the browser that got it."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request

from harvester.web.authentication import Principal, principal_of
from harvester.web.problems import Problem
from harvester.web.services import services_of
from harvester.web.sessions import same

_MAX_FIELDS = 10


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form that was sent from this site; `Problem` 403 when it came from elsewhere."""
    origin = request.headers.get("origin")
    where = request.headers.get("sec-fetch-site", "same-origin")
    expected = {f"http://{request.headers.get('host', '')}", f"https://{request.headers.get('host', '')}"}
    own = services_of(request).settings.web_url
    if own:
        expected.add("/".join(own.split("/")[:3]))
    if where not in ("same-origin", "none") or (origin is not None and origin not in expected):
        raise forged()
    body = (await request.body()).decode("utf-8", "replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise Problem(400, "bad-request", "this is no form of ours") from error
    return {name: values[0] for name, values in fields.items()}


Form = Annotated[dict[str, str], Depends(_form)]


def owned(request: Request, form: dict[str, str]) -> Principal:
    """The logged-in principal whose form this is; `Problem` 403 when it is nobody's or another's."""
    principal = principal_of(request)
    if principal.session is None or not same(principal.session.csrf, form.get("csrf", "")):
        raise forged()
    return principal


def forged() -> Problem:
    """403: somebody else made this form up."""
    return Problem(
        403, "forged", "this form was not sent from this site, or is too old", hint="load the page again"
    )
