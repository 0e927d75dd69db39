"""What a URL says about a wall: addresses of login, second factor, ban; attachments; the log-out link."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# After these comes the address to return to, which says nothing about the page itself.
_RETURN = re.compile(
    r"(?:[?&;]|^)(?:next|return(?:to|_to|url)?|redirect(?:_to|_uri)?|referer|referrer|url|from|back(?:url)?|forward|jumpurl|goto|continue|service|_xfRedirect)=[^&;]*",
    re.IGNORECASE,
)
_LOGIN_PATH = re.compile(
    # A whole segment: a thread called "log-in-problems" is no login page.
    r"(?:^|/)(?:(?:user|users|wp|account|member|members|auth|forum)[._-])?"
    r"(?:log[_-]?in|log[_-]?on|sign[_-]?in|logging|takelogin|sso)(?:\.[a-z]{2,5})?(?=$|[/;])",
    re.IGNORECASE,
)
_LOGIN_QUERY = re.compile(
    r"(?:^|[&;])(?:action|act|mode|do|c|mod|m|a|page|op|q|route|view|p)=(?:user[/.])?(?:log[_-]?in2?|logging|sign[_-]?in|login_form)(?=$|[&;/])",
    re.IGNORECASE,
)
_SECOND_FACTOR = re.compile(
    r"(?:^|[/=])(?:two[_-]?(?:factor|step)(?:[_-](?:challenge|auth\w*|verification|login))?|2fa|tfa|logintfa|otp|mfa)"
    r"(?:\.[a-z]{2,5})?(?=$|[/&;])",
    re.IGNORECASE,
)
_BANNED = re.compile(r"(?:^|[/=])(?:banned|blocked|ban)(?:\.[a-z]{2,5})?(?=$|[/&;])", re.IGNORECASE)
_RULES = re.compile(r"downloadnotice\.php", re.IGNORECASE)
_DOWNLOAD = re.compile(
    r"attach|download|dlattach|/dl(?:\.php|/|\?|$)|\.torrent(?:$|\?)|/file\.php|getfile|down\.php",
    re.IGNORECASE,
)
_ACCOUNT_PAGE = re.compile(
    r"(?:^|[/=])(?:regist(?:er|ration)|sign[_-]?up|join|lost[_-]?(?:pass\w*|pw)|forgot\w*|recover|reset|contact)"
    r"(?:[_-]password)?(?:\.[a-z]{2,5})?(?=$|[/&;])",
    re.IGNORECASE,
)

_LOGOUT = re.compile(r"log[_-]?(?:out|off)|sign[_-]?(?:out|off)", re.IGNORECASE)
_IN_HREF = re.compile(r"""href\s*=\s*["']?[^"'\s>]*$""", re.IGNORECASE)


def offers_logout(html: str) -> bool:
    """Whether the source of a page holds a link to log out, which only a member sees."""
    for count, match in enumerate(_LOGOUT.finditer(html)):
        if _IN_HREF.search(html[max(0, match.start() - 200) : match.start()]):
            return True
        if count > 100:
            break
    return False


def _split(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url[:4_000])
    except ValueError:
        return "", ""
    return parts.path, _RETURN.sub("", parts.query)


def is_login(url: str) -> bool:
    """Whether the address is that of a login page."""
    path, query = _split(url)
    return bool(_LOGIN_PATH.search(path) or _LOGIN_QUERY.search(query))


def is_second_factor(url: str) -> bool:
    """Whether the address asks for a second factor."""
    path, query = _split(url)
    return bool(_SECOND_FACTOR.search(path) or _SECOND_FACTOR.search(query))


def is_banned(url: str) -> bool:
    """Whether the address is that of a ban notice."""
    path, query = _split(url)
    return bool(_BANNED.search(path) or _BANNED.search(query))


def is_rules_page(url: str) -> bool:
    """Whether the address is that of rules to be accepted before a download (NexusPHP)."""
    return bool(_RULES.search(_split(url)[0]))


def is_download(url: str) -> bool:
    """Whether the address looks like that of an attachment or torrent file."""
    path, query = _split(url)
    return bool(_DOWNLOAD.search(f"{path}?{query}"))


def is_account_page(url: str) -> bool:
    """Whether the address is that of a page for logging in, registering, or a lost password."""
    path, query = _split(url)
    return bool(_ACCOUNT_PAGE.search(path) or _ACCOUNT_PAGE.search(query) or is_login(url))
