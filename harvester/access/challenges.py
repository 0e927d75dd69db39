"""Challenges of CDNs and commercial captchas: seen, named, and never solved or gone around."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser

from harvester.access import wall_urls
from harvester.access.wall_markers.marker import OPENS_BY
from harvester.model.wall import Wall, WallKind, WallScope

# Header -> part of its value (empty: its presence is enough); each is sent with a challenge only.
_HEADERS = (
    ("cf-mitigated", "challenge"),
    ("x-amzn-waf-action", ""),
    ("x-sucuri-block", ""),
    ("x-datadome-response", ""),
    ("x-vercel-mitigated", "challenge"),
)
# Servers that answer 403, 429 or 503 in the site's place: with these a refusal is theirs.
_CDN_SERVERS = ("ddos-guard", "qrator", "sucuri", "akamaighost", "yunjiasu", "safeline")

# Structures of an interstitial page: nothing else carries them.
_INTERSTITIALS = (
    "#challenge-form",
    "#challenge-running",
    "#challenge-stage",
    "#cf-challenge-running",
    "#cf-error-details[data-challenge]",
    "#ddg-captcha, .ddg-captcha, #ddg-l10n-title",
    "#sucuri_cloudproxy_form",
    "#px-captcha",
    "iframe[src*='_Incapsula_Resource']",
    "iframe[src*='captcha-delivery.com']",
    "#aliyunCaptcha-window-embed, .nc_wrapper",
)
# Scripts that interstitials load, and that ordinary pages of the same CDN may load as well.
_SCRIPTS = (
    "script[src*='/cdn-cgi/challenge-platform'], script[src*='captcha-delivery.com'], "
    "script[src*='awsWafCaptcha'], script[src*='_Incapsula_Resource']"
)
_INTERSTITIAL_TITLES = (
    "just a moment",
    "attention required",
    "ddos-guard",
    "checking your browser",
    "请稍候",
    "один момент",
)
# A widget to be solved. Its script alone (on every page of a site that uses it for registration) is no wall.
_WIDGETS = (
    ".g-recaptcha",
    ".h-captcha",
    ".cf-turnstile",
    ".geetest_holder, .geetest_captcha, #geetest, [id^=geetest]",
    ".smart-captcha",
    ".frc-captcha",
    "#nc_1_wrapper, .nc-container",
)

TRIGGER = (
    r"challenge-form|challenge-running|challenge-stage|cdn-cgi/challenge-platform|g-recaptcha|h-captcha|cf-turnstile"
    r"|geetest|smart-captcha|frc-captcha|nc-container|nc_1_wrapper|px-captcha|_Incapsula_Resource|captcha-delivery"
    r"|ddg-captcha|ddg-l10n|sucuri_cloudproxy|awsWafCaptcha|aliyunCaptcha|nc_wrapper|cf-error-details"
)
"""RE2 pattern of what must be in the source for a page to be looked at."""


def _wall(evidence: str) -> Wall:
    return Wall(WallKind.CHALLENGE, WallScope.PAGE, evidence[:200], "cdn", OPENS_BY[WallKind.CHALLENGE])


def by_headers(status: int, headers: Mapping[str, str]) -> Wall | None:
    """A challenge that the headers alone tell."""
    for name, part in _HEADERS:
        value = headers.get(name)
        if value is not None and part in value.lower():
            return _wall(f"{name}: {value}")
    if status in (403, 429, 503):
        server = headers.get("server", "").lower()
        for name in _CDN_SERVERS:
            if name in server and "retry-after" not in headers:
                return _wall(f"status {status}, server: {server}")
    return None


def by_page(url: str, status: int, tree: LexborHTMLParser, *, short: bool) -> Wall | None:
    """A challenge in the page; `short`: the page says little besides.

    A widget in a form of a page with content, or on a page for registering, is no wall before the page.
    """
    for selector in _INTERSTITIALS:
        if tree.css_first(selector) is not None:
            return _wall(selector)
    refused = status in (403, 429, 503)
    title = tree.css_first("title")
    heading = title.text()[:200].strip().lower() if title is not None else ""
    if tree.css_first(_SCRIPTS) is not None and (refused or heading.startswith(_INTERSTITIAL_TITLES)):
        return _wall(f"{_SCRIPTS.split(',')[0]}, status {status}")
    if wall_urls.is_account_page(url):
        return None
    for selector in _WIDGETS:
        if (refused or short) and tree.css_first(selector) is not None:
            return _wall(selector)
    return None
