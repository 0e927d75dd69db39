"""Whether a page was made for a member or for a guest."""

from __future__ import annotations

import re
from enum import StrEnum

from selectolax.lexbor import LexborHTMLParser

from harvester.access import wall_urls
from harvester.text.tree import parse_tree

_MAX = 400_000
"""Characters of a page that are looked at: navigation stands at the beginning or the end."""


class Seen(StrEnum):
    """For whom a page was made, as far as it shows."""

    MEMBER = "member"
    GUEST = "guest"
    UNKNOWN = "unknown"


# What the software itself writes into every page.
_MEMBER = re.compile(
    r"discuz_uid\s?=\s?'[1-9]\d{0,9}'|data-logged-in=[\"']true[\"']|SECURITYTOKEN\s?=\s?[\"']\d{6,12}-[0-9a-f]"
    r"|\bsmf_member_id\s?=\s?[1-9]|[\"']?isLoggedIn[\"']?\s?[:=]\s?true|\"session\":\s?\{\"userId\":\s?[1-9]|<body[^>]{0,300}\blogged-in\b",
)
_GUEST = re.compile(
    r"discuz_uid\s?=\s?'0'|data-logged-in=[\"']false[\"']|SECURITYTOKEN\s?=\s?[\"']guest[\"']|\bsmf_member_id\s?=\s?0\b|\"session\":\s?\{\"userId\":\s?0\b"
)
_LOGOUT_FORM = re.compile(
    r"<form\b[^>]{0,400}\baction=[\"']?[^\"'\s>]{0,200}?(?:log[_-]?(?:out|off)|sign[_-]?out)", re.I
)
_LOGOUT_WORDS = re.compile(
    r"^\W{0,3}(?:log ?-?out|sign ?-?out|log ?-?off|退出(?:登[录陆])?|注销|登出|登録解除|ログアウト|로그아웃|выход|выйти|abmelden|ausloggen"
    r"|d[ée]connexion|se d[ée]connecter|cerrar sesi[óo]n|salir|esci|uitloggen|wyloguj(?: si[ęe])?|odhl[áa]sit|logga ut|logg ut|sair|çıkış)"
    r"(?: \(.{0,40}\)| \[.{0,40}\]|\W{0,3})$",
    re.IGNORECASE,
)


def seen_as(
    html: str, *, user: str = "", link: str = "", tree: LexborHTMLParser | None = None
) -> tuple[Seen, str]:
    """For whom the page was made, and by what it shows. Linear in the page; the tree is a last resort.

    A link or button to log out is a member's, a login link or form without one a guest's; where the
    software says it outright, its word counts. `user` is the account's name, `link` the path of a link that
    was found to be shown to members only.
    """
    if link and f"{link}" in html:
        return Seen.MEMBER, f"a link that members see: {link}"[:80]
    if len(html) > _MAX:
        html, tree = html[: _MAX // 2] + html[-_MAX // 2 :], None
    if found := _MEMBER.search(html):
        return Seen.MEMBER, found.group()[:60]
    if found := _GUEST.search(html):
        return Seen.GUEST, found.group()[:60]
    if wall_urls.offers_logout(html):
        return Seen.MEMBER, "a link to log out"
    if _LOGOUT_FORM.search(html):
        return Seen.MEMBER, "a form to log out"
    return _by_tree(tree or parse_tree(html), user)


_MEMBERS_LINK = re.compile(
    r"subscri|unread|inbox|messages|/pm|usercp|/my[/_-]|/me(?:/|$)|account|settings|preferences|notification|watched|bookmark"
    r"|profile|/home\.php|control|alerts|conversations|password",
    re.IGNORECASE,
)
_ACCOUNT_LINK = re.compile(r"log[_-]?in|sign[_-]?(?:in|up)|regist|forgot|lost|recover", re.IGNORECASE)


def members_links(before: LexborHTMLParser, after: LexborHTMLParser) -> list[str]:
    """The paths of links that a page shows now and did not show before the login, the telling ones first."""
    known = _paths(before)
    fresh = [path for path in _paths(after) if path not in known and len(path) > 2]
    return sorted(
        (path for path in fresh if not _ACCOUNT_LINK.search(path)),
        key=lambda path: (not _MEMBERS_LINK.search(path), bool(re.search(r"\d", path)), len(path), path),
    )


def _paths(tree: LexborHTMLParser) -> dict[str, None]:
    hrefs = (node.attributes.get("href") or "" for node in tree.css("a[href]")[:3_000])
    return {href.partition("#")[0].partition("?")[0]: None for href in hrefs}


def _by_tree(tree: LexborHTMLParser, user: str) -> tuple[Seen, str]:
    login_link = False
    named = False
    for node in tree.css("a, button, input[type=submit i]")[:3_000]:
        words = (
            (node.attributes.get("value") or "") if node.tag == "input" else node.text(separator=" ")[:200]
        )
        words = " ".join(words.split())
        if _LOGOUT_WORDS.match(words):
            return Seen.MEMBER, f"it offers: {words[:40]}"
        named = named or (bool(user) and words.lower() == user.lower())
        login_link = login_link or (node.tag == "a" and wall_urls.is_login(node.attributes.get("href") or ""))
    if login_link:
        return Seen.GUEST, "a link to log in"
    if len(tree.css("input[type=password i]")) == 1:
        return Seen.GUEST, "a password field"
    if named:
        return Seen.MEMBER, "the account's name"
    return Seen.UNKNOWN, ""
