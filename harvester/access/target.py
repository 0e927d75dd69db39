"""Where secrets may go: the configured hosts, exactly, and over https."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from harvester.links import parse_url
from harvester.model.site import is_loopback


def target_refusal(url: str, hosts: Sequence[str], *, allow_insecure: bool = False) -> str:
    """Why a request with secrets may not go to `url`, "" when it may.

    `hosts` are those of the site file, `host` or `host:port`. Plain http is for loopback, and for sites
    whose file says `allow_insecure`.
    """
    parsed = parse_url(url)
    if parsed is None or "@" in urlsplit(url).netloc:
        return "the form leads to no web address"
    host = f"{parsed.host}:{parsed.port}" if parsed.port else parsed.host
    if host not in hosts:
        return f"the form leads to {host}, which is none of the site's hosts ({', '.join(hosts[:5])})"
    if parsed.scheme != "https" and not (allow_insecure or is_loopback(host)):
        return f"the form leads to {host} over plain http"
    return ""
