"""A login form that stands where content was expected, as against a quick form in a header."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from harvester.access.wall_page import WallPage, text_of

_LOGIN_WORDS = re.compile(
    r"\b(?:log ?-?in|sign ?-?in|log ?-?on)\b|登[录陆入錄]|\bвход\b|войти|авторизац|ログイン|로그인"
    r"|anmelden|connexion|iniciar sesi",
    re.IGNORECASE,
)
_QUICK = re.compile(
    r"(?:^|[\s_-])(?:quick\w*|lsform|headerspace|fastlogin|header|head|hd|nav|navbar|topbar|sidebar|side"
    r"|footer|modal|popup|dropdown|offcanvas|menu|userpanel)(?:$|[\s_-])",
    re.IGNORECASE,
)
_MAX_FORMS = 20
_MAX_ANCESTORS = 30


def login_form(page: WallPage, *, refused: bool) -> str:
    """The evidence that the page is a login form in place of what was asked for, or an empty string.

    The form holds exactly one password field (two are a registration), is not a quick form in a header,
    menu or dialogue, and the page presents itself as a login page: by its title or heading, or by holding
    next to nothing else. With `refused` (status 401 or 403) the form itself is enough.
    """
    for form in page.tree.css("form")[:_MAX_FORMS]:
        passwords = form.css("input[type=password i]")
        if len(passwords) != 1 or "quick" in (passwords[0].attributes.get("name") or "") or _is_quick(form):
            continue
        if refused:
            return "a login form with a refusal"
        for selector in ("title", "h1", "h2", "h3", "legend"):
            for _, text in page.nodes(selector):
                if len(text) <= 120 and _LOGIN_WORDS.search(text):
                    return f"a login form under {selector}: {text}"
        if len(page.text) - len(text_of(form)) <= 200 and page.tree.css_first("h1, h2, h3, article") is None:
            return "a login form and nothing else"
    return ""


def _is_quick(form: LexborNode) -> bool:
    node: LexborNode | None = form
    for _ in range(_MAX_ANCESTORS):
        if node is None or node.tag in ("body", "html"):
            return False
        if node.tag in ("header", "nav", "aside", "footer", "dialog"):
            return True
        attributes = node.attributes
        named = f"{attributes.get('id') or ''} {attributes.get('class') or ''}"
        style = attributes.get("style") or ""
        if _QUICK.search(named) or "display:none" in style.replace(" ", "").lower():
            return True
        node = node.parent
    return False
