"""Driving a flow in a test: a script of answers instead of a network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import parse_qsl

import ada_url

from harvester.access.flow import Authorise, Flow, Wait
from harvester.model.http import SECRET, Headers, Request, Response

T = TypeVar("T")
Reply = str | tuple[int, str] | bytes
"""A page, a status with a page (or a Location for 3xx), or a body that is no page."""
Site = Callable[[Request], Reply]


def page(url: str, reply: Reply, *, charset: str = "utf-8", cookie: str = "") -> Response:
    """A response as the fetcher would give it."""
    fields = {"content-type": f"text/html; charset={charset}"}
    if cookie:
        fields["set-cookie"] = cookie
    if isinstance(reply, bytes):
        return Response(url, 200, Headers.of(content_type="image/png"), reply)
    status, text = reply if isinstance(reply, tuple) else (200, reply)
    headers = Headers((name.encode(), value.encode()) for name, value in fields.items())
    if 300 <= status < 400:
        return Response(url, status, headers, next_url=ada_url.join_url(url, text), stopped=SECRET)
    return Response(url, status, headers, text.encode(charset, "xmlcharrefreplace"))


def drive(flow: Flow[T], site: Site, *, charset: str = "utf-8") -> tuple[T, list[Request]]:
    """Run a flow against `site`; its result, and its requests in order. Redirects of a GET are followed."""
    asked: list[Request] = []
    try:
        step = next(flow)
        while True:
            if isinstance(step, Wait | Authorise):
                step = flow.send(None)
                continue
            asked.append(step)
            response = page(step.url, site(step), charset=charset)
            while response.next_url and not step.secret:
                response = page(response.next_url, site(Request(response.next_url)), charset=charset)
            step = flow.send(response)
    except StopIteration as stop:
        return stop.value, asked


def form_of(request: Request, charset: str = "utf-8") -> dict[str, str]:
    """The fields of a sent form."""
    assert request.body is not None
    return dict(parse_qsl(request.body.decode("ascii"), keep_blank_values=True, encoding=charset))


def by_path(pages: Mapping[str, Reply]) -> Site:
    """A site that answers by method and path: `GET /login`, `POST /login`; anything else is 404."""

    def answer(request: Request) -> Reply:
        path = "/" + request.url.split("/", 3)[3] if request.url.count("/") > 2 else "/"
        return pages.get(f"{request.method} {path}", (404, "<p>nothing here</p>"))

    return answer
