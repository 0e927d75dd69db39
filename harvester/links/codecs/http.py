"""http, https and ftp: the links that a download scheme ends in, and redirectors that hide one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote_from_bytes, unquote, unquote_to_bytes

from harvester.errors import LinkRejected
from harvester.links.discuz import attachment_id
from harvester.links.payload import FinalCodec, Finished, decode_base64, is_link, percent_decoded
from harvester.links.urls import parse_url

SECRET_PARAMS = frozenset(
    {
        "passkey", "authkey", "torrent_pass", "torrentpass", "rsskey", "auth", "apikey", "api_key", "pid",
        "secure", "token", "access_token", "downhash", "download_key", "rss_key", "key", "pass", "password",
    }
)  # fmt: skip
_TARGET_NAMES = frozenset(["url", "u", "target", "to", "link", "goto", "go", "redirect", "r", "q", "dest"])
_LINK = re.compile(r"(https?|ftp):/{2}([^/?#\\]*)(.*)", re.IGNORECASE | re.DOTALL)
_KEPT = "!$%&'()*+,-./:;=?@[\\]^_`{|}~"
_TOKEN = re.compile(r"[A-Za-z0-9+/\-_]{16,}={0,2}")
MIN_SECRET = 8
"""A `key` or `pid` shorter than this is a number or a word."""


def finish(link: str, charset: str) -> Finished:
    """The URL as written, percent-encoded where it has to be, without its fragment."""
    address, mark, query = link.partition("?")
    split = _LINK.fullmatch(address.replace("\\", "/") + mark + query)
    if split is None:
        raise LinkRejected("not_a_link", "an http or ftp link has two slashes and a host")
    scheme, authority, rest = split[1].lower(), split[2], split[3].partition("#")[0]
    host = re.sub(r":[0-9]*$", "", authority.rpartition("@")[2])
    if not host:
        raise LinkRejected("no_host", "no host before the path")
    authority = _checked(scheme, authority, charset)
    quoted = quote_from_bytes(rest.encode("utf-8", "replace"), _KEPT)
    url = f"{scheme}://{authority}{quoted}"
    names = [pair.partition("=") for pair in quoted.partition("?")[2].split("&")]
    return Finished(
        url,
        percent_decoded(url, charset),
        discuz_aid=next((attachment_id(value) for name, _, value in names if name == "aid"), None),
        secret_params=tuple(dict.fromkeys(secret_names(n for n, _, v in names if len(v) >= MIN_SECRET))),
    )


def _checked(scheme: str, authority: str, charset: str) -> str:
    """The authority as written if WHATWG takes it, else as WHATWG spells it."""
    if "%" in authority:
        try:
            authority = unquote_to_bytes(authority).decode(charset)
        except UnicodeDecodeError as error:
            raise LinkRejected("not_a_link", "a host in no charset") from error
    parsed = parse_url(f"{scheme}://{authority}/")
    if parsed is None or not parsed.host or parsed.path != "/":
        raise LinkRejected("not_a_link", f"{authority[:80]!r} is no host")
    written = re.sub(r":[0-9]*$", "", authority.rpartition("@")[2])
    if written.lower() == parsed.host:
        return authority
    return parsed.href[len(scheme) + len("://") :].partition("/")[0]


def peel(link: str) -> str | None:
    """The link a redirector leads to: the value of a target parameter that is itself a link.

    The value may be base64; such a value is given back as it is, for the pipeline to open.
    """
    query = link.partition("#")[0].partition("?")[2]
    if not query:
        return None
    for pair in query.split("&"):
        name, equals, value = pair.partition("=")
        if not equals or name.lower() not in _TARGET_NAMES:
            continue
        target = unquote(value)
        if is_link(target) or is_link(unquote(target)):
            return target
        token = target.strip().replace(" ", "+")
        if _TOKEN.fullmatch(token):
            try:
                if is_link(decode_base64(token)):
                    return token
            except LinkRejected:
                continue
    return None


def secret_names(names: Iterable[str]) -> list[str]:
    """The parameter names whose values nobody else may see, in order."""
    return [name for name in names if name.lower() in SECRET_PARAMS]


CODEC = FinalCodec("http", ("http", "https"), finish, named_after_wrapper=False, peel=peel)
