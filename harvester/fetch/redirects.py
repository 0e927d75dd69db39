"""What the next request of a redirect chain is: decided from values, sent by others."""

from __future__ import annotations

import re

import ada_url
from msgspec.structs import replace

from harvester.errors import Refused
from harvester.fetch.place import Origin, split_url
from harvester.model.http import Request

_REDIRECTS = frozenset([301, 302, 303, 307, 308])
_OUTSIDE_ASCII = re.compile(rb"[^\x21-\x7e]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40}):")
_DROPPED = re.compile(rb"[\t\r\n]")
_LONGEST = 16 * 1024
# What the caller asked that holds wherever the answer comes from; all else may be meant for one origin only.
_TRAVELS = frozenset(["accept", "accept-language", "range"])


def is_redirect(status: int, location: bytes | None) -> bool:
    """Whether an answer sends us elsewhere."""
    return status in _REDIRECTS and bool(location and location.strip())


def resolve_location(base: str, location: bytes) -> str:
    """The absolute target of a Location as received, without fragment.

    Raw bytes beyond ASCII (UTF-8, GBK) and blanks are percent-encoded as they are, then WHATWG rules join it
    to `base`, the URL that answered. A target in a scheme that is not fetched stays as it is.
    Raises `Refused` (`bad_url`).
    """
    cleaned = _DROPPED.sub(b"", location.strip())
    text = _OUTSIDE_ASCII.sub(lambda match: b"%%%02X" % match.group()[0], cleaned).decode("ascii")
    if len(text) > _LONGEST:
        raise Refused(base, "bad_url", "the redirect's target is too long")
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in ("http", "https"):
        return text  # a link in a download program's scheme, which need not be a URL by WHATWG's rules
    try:
        return ada_url.join_url(base, text).partition("#")[0]
    except ValueError:
        raise Refused(text[:200], "bad_url", "the redirect's target is no URL") from None


def next_request(request: Request, status: int, origin: Origin, target: str) -> Request:
    """The request for `target` after an answer with `status` from `origin`.

    301 and 302 turn a POST, 303 everything but HEAD into a GET without body. Validators belong to the URL
    that was left; on another origin only headers that cannot be secret go along.
    """
    method, body = request.method, request.body
    if (status in (301, 302) and method == "POST") or (status == 303 and method != "HEAD"):
        method, body = "GET", None
    next_origin, _ = split_url(target)
    kept = request.headers
    if not same_site(origin, next_origin):
        kept = tuple((name, value) for name, value in kept if name.lower() in _TRAVELS)
    kept = tuple(
        (name, value)
        for name, value in kept
        if not name.lower().startswith("if-")
        and (body is not None or not name.lower().startswith("content-"))
    )
    return replace(request, url=target, method=method, body=body, headers=kept)


def same_site(one: Origin, other: Origin) -> bool:
    """Whether credentials for `one` may go to `other`: the same origin, or its upgrade from http to https."""
    if one == other:
        return True
    return one.host == other.host and (one.scheme, one.port, other.scheme, other.port) == (
        "http",
        80,
        "https",
        443,
    )


def referer_for(referer: str, origin: Origin) -> str:
    """What of `referer` a request to `origin` shows (`strict-origin-when-cross-origin`), "" for nothing."""
    try:
        source, target = split_url(referer)
    except Refused:
        return ""
    if source == origin:
        return f"{source}{target}"
    if source.scheme == "https" and origin.scheme == "http":
        return ""
    return f"{source}/"
