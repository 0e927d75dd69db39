"""What a login needs to know, what becomes of it, and a response as the page it is."""

from __future__ import annotations

from collections.abc import Mapping

import ada_url
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from harvester.access.captcha import Captcha
from harvester.access.forms import Form, parse_forms
from harvester.access.knowledge import LoginKnowledge
from harvester.access.login_choice import LoginForm
from harvester.access.membership import Seen
from harvester.access.secrets import Login
from harvester.model.account import Challenge, FilledForm, Verdict
from harvester.model.http import Response
from harvester.patterns.engines import Engine
from harvester.text.charset import decode_page
from harvester.text.tree import parse_tree


class LoginPlan(Struct, frozen=True):
    """What a login needs to know.

    `start` is the site's start page, `hosts` where secrets may go, `hint` a login page that a wall led to,
    `probe` a URL that a guest may not see, `member_link` the path of a link that only members were shown.
    `patience` is the time between reading and sending a form in seconds (forums refuse faster ones). `now`
    is UTC seconds.
    """

    start: str
    hosts: tuple[str, ...]
    login: Login
    now: float
    engines: Mapping[str, Engine]
    engine: str = ""
    encoding: str = ""
    allow_insecure: bool = False
    hint: str = ""
    probe: str = ""
    member_link: str = ""
    patience: float = 3.0
    only_look: bool = False
    """Only see whether we are logged in; look for no form."""


class LoginResult(Struct, frozen=True):
    """What became of it: `why` in words for the operator, without secrets.

    `sent`: the secrets went out, so the site may have counted a try. `challenge` is what the operator has to
    answer; `tries_left` what the site still grants, where it says so.
    """

    verdict: Verdict
    why: str = ""
    sent: bool = False
    challenge: Challenge | None = None
    tries_left: int | None = None
    member_link: str = ""
    """The path of a link that came with the login, where the site shows its members nothing plainer."""


class Prepared(Struct, frozen=True):
    """A login form, ready to be sent; `captcha` waits for an answer, `told` is what the page said before."""

    form: FilledForm
    source: LoginForm
    knowledge: LoginKnowledge
    before: tuple[Seen, Read]
    """For whom the start page was made before the login, and that page."""
    told: frozenset[str]
    captcha: Captcha | None = None


class Read(Struct, frozen=True):
    """A response as a page."""

    url: str
    html: str
    encoding: str
    tree: LexborHTMLParser
    status: int

    @property
    def forms(self) -> tuple[Form, ...]:
        """Its forms."""
        return parse_forms(self.html, self.url, self.encoding, tree=self.tree)


def read_page(response: Response, encoding: str = "") -> Read:
    """Decode and parse a response; an AJAX answer's inner page is unwrapped."""
    decoded = decode_page(response.body, response.headers.get("content-type"), encoding or None)
    html = decoded.text[:2_000_000]
    if html.lstrip()[:5] == "<?xml" and (start := html.find("<![CDATA[", 0, 500)) >= 0:
        html = html[start + 9 :].rpartition("]]>")[0]
    return Read(response.url, html, decoded.encoding, parse_tree(html), response.status)


def base_of(page: Read) -> str:
    base = page.tree.css_first("base[href]")
    return joined(page.url, base.attributes.get("href") or "") if base is not None else page.url


def joined(base: str, url: str) -> str:
    try:
        return str(ada_url.join_url(base, url)).partition("#")[0]
    except ValueError:
        return ""
