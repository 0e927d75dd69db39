"""Replying to open what a thread hides: whether it is allowed, and how it is done."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from urllib.parse import urlsplit

import ada_url
from msgspec import Struct

from harvester.access.captcha import commercial
from harvester.access.flow import Flow, Wait, ask
from harvester.access.form_filling import fill, pairs_of
from harvester.access.forms import Control, Form
from harvester.access.knowledge import ReplyKnowledge
from harvester.access.login import form_request
from harvester.access.login_plan import Read, read_page
from harvester.access.target import target_refusal
from harvester.access.verdicts import flood_seconds, messages, reply_verdict
from harvester.access.wall_page import WallPage
from harvester.model.http import Request
from harvester.model.site import ReplyPolicy

DAY = 86_400.0
TEMPLATE_REST = 30 * DAY
"""Seconds for which a text is not posted again on the same site."""
MARGIN = 1.0
"""Seconds on top of a flood limit that a site names."""
MOST_HOPS = 5

_THREAD = re.compile(
    r"[?&;](?:tid|t|topic|topicid|threadid|showtopic)=(\d{1,12})"
    r"|/(?:threads?|topics?|t)[/-](?:(\d{1,12})(?:[-/.?#]|$)|[^/?#]{1,200}[.-](\d{1,12})(?:[/?#]|$))",
    re.IGNORECASE,
)


class PastReply(Struct, frozen=True):
    """A reply that was sent (or was about to be): when, in which thread, with which text."""

    at: float
    thread: str
    template: str


class Decision(StrEnum):
    """What is to be done about a thread that hides something."""

    GO = "go"
    WAIT = "wait"
    ASK = "ask"
    NO = "no"


class ReplyDecision(Struct, frozen=True):
    """`why` in words; `text` is what would be posted (`GO`, `ASK`); `until` UTC seconds for `WAIT`."""

    decision: Decision
    why: str = ""
    text: str = ""
    until: float = 0.0


def thread_of(url: str) -> str:
    """The identity of a thread on its site, whatever page of it the URL shows."""
    found = _THREAD.search(url)
    if found:
        return f"thread:{next(group for group in found.groups() if group)}"
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"


def template_mark(text: str) -> str:
    """Which of the operator's texts it was, for the audit log."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def board_of(policy: ReplyPolicy, places: Collection[str]) -> str:
    """The allowed board that a thread belongs to, "" for none; `places` are URLs of the thread and boards."""
    for prefix in policy.boards:
        for place in places:
            parts = urlsplit(place)
            path = f"{parts.path}?{parts.query}" if parts.query else parts.path
            if path.startswith(prefix) and not (prefix[-1:].isalnum() and path[len(prefix) :][:1].isdigit()):
                return prefix
    return ""


def may_reply(
    policy: ReplyPolicy,
    past: Sequence[PastReply],
    *,
    thread: str,
    board: str,
    stopped: Collection[str],
    approved: Collection[str],
    flood: float,
    now: float,
) -> ReplyDecision:
    """Whether to reply in a thread whose page says that a reply opens it.

    All of the operator's conditions hold: replying is allowed, on this board, under the daily cap, once a
    thread for ever, in the least gap and above the site's flood limit, with a text that rested for 30 days,
    and the first `approve_first` only after a person approved each.
    """
    refusal = _refusal(policy, past, thread, board, stopped, now)
    if refusal:
        return ReplyDecision(Decision.NO, refusal)
    rested = {reply.template for reply in past if reply.at > now - TEMPLATE_REST}
    text = next((one for one in policy.templates if template_mark(one) not in rested), "")
    if not text:
        return ReplyDecision(
            Decision.NO, "every template was posted within the last 30 days; write more of them"
        )
    if len(past) < policy.approve_first and thread not in approved:
        return ReplyDecision(
            Decision.ASK, "a person approves the first replies: harvest account approve", text
        )
    last = max((reply.at for reply in past), default=0.0)
    until = last + max(policy.min_gap, flood + MARGIN if flood else 0.0)
    if now < until:
        return ReplyDecision(Decision.WAIT, "the least gap between two replies", text, until)
    return ReplyDecision(Decision.GO, "", text)


def _refusal(
    policy: ReplyPolicy,
    past: Sequence[PastReply],
    thread: str,
    board: str,
    stopped: Collection[str],
    now: float,
) -> str:
    if not (policy.allowed and policy.rule_text and policy.templates):
        return "replying is not allowed in the site file (reply: allowed, templates, boards, rule_text)"
    if not board:
        return "the board is none of those where replying is allowed (reply: boards)"
    if board in stopped:
        return "an earlier reply on this board was refused or has to be moderated"
    if any(reply.thread == thread for reply in past):
        return "this thread has had its one reply"
    if sum(reply.at > now - DAY for reply in past) >= policy.per_day:
        return f"the cap of {policy.per_day} replies a day is reached (reply: per_day)"
    return ""


# Doing it --------------------------------------------------------------------------------------------


class ReplyPlan(Struct, frozen=True):
    """A reply to the thread on `page`; `links` are addresses of reply forms that the page names."""

    page: Read
    text: str
    hosts: tuple[str, ...]
    knowledge: ReplyKnowledge
    encoding: str = ""
    allow_insecure: bool = False
    patience: float = 3.0


class ReplyResult(Struct, frozen=True):
    """`verdict` is `posted`, `moderated`, `flood`, `closed`, `refused`, `captcha`, `too_short`, `no_form` or
    `unknown`; `seconds` is the flood limit where the site named it. `sent`: the reply went out."""

    verdict: str
    why: str = ""
    seconds: float = 0.0
    sent: bool = False


def post_reply(plan: ReplyPlan) -> Flow[ReplyResult]:
    """Reply once. Whether it opened the thread is for the next look at the page to tell."""
    found = reply_form(plan.page, plan.knowledge)
    if found is None:
        link = _reply_link(plan.page)
        if not link or target_refusal(link, plan.hosts, allow_insecure=True):
            return ReplyResult("no_form", "the page has no form to reply with")
        page = read_page((yield from ask(Request(link, referer=plan.page.url))), plan.encoding)
        found = reply_form(page, plan.knowledge)
        if found is None:
            word = reply_verdict(messages(WallPage(page.html, page.tree)))
            return ReplyResult(
                word if word not in ("", "posted") else "no_form", "no form to reply with was shown"
            )
    form, message = found
    if refusal := target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure):
        return ReplyResult("refused", refusal)
    if commercial(form.text) or _captcha_field(form, message) is not None:
        return ReplyResult("captcha", "the reply form has a captcha")
    filled = fill(form, roles={}, values={message.name: plan.text}, submit=_post_button(form))
    yield Wait(plan.patience)
    request = form_request(filled, pairs_of(filled, None))
    for _ in range(MOST_HOPS):
        response = yield from ask(request)
        if not response.next_url:
            break
        if target_refusal(response.next_url, plan.hosts, allow_insecure=plan.allow_insecure):
            return ReplyResult("unknown", "the site led elsewhere after the reply", sent=True)
        request = Request(response.next_url, referer=request.url, secret=True)
    page = read_page(response, plan.encoding)
    text = f"{messages(WallPage(page.html, page.tree))}\n{_ajax_message(page.html)}"
    said_before = set(messages(WallPage(plan.page.html, plan.page.tree)).splitlines())
    text = "\n".join(line for line in text.splitlines() if line not in said_before)
    word = reply_verdict(text)
    if not word and page.status == 419:
        word = "refused"
    elif not word and request.method == "GET" and page.status == 200:
        # The usual answer to a good reply is a redirect back into the thread.
        word = "posted" if thread_of(page.url) == thread_of(plan.page.url) else ""
    return ReplyResult(word or "unknown", text[:160], flood_seconds(text) if word == "flood" else 0.0, True)


_AJAX = re.compile(
    r"(?:errorhandle|succeedhandle)_\w{0,40}\('((?:[^'\\]|\\.){0,2000})'(?:, ?'((?:[^'\\]|\\.){0,2000})')?"
)


def _ajax_message(html: str) -> str:
    found = _AJAX.search(html[:20_000])
    return " ".join(group for group in found.groups() if group) if found else ""


_REPLY_WORDS = re.compile(
    r"repl|post|comment|answer|addreply|回[复復帖]|回覆|发表|發表|發佈|ответ|коммент|antwort|répon|respond|返信",
    re.IGNORECASE,
)
_NOT_REPLY = re.compile(
    r"search|login|logging|register|report|vote|poll|rate|delete|edit|lostp|contact|newsletter|attachpay|[?&/](?:new-?topic|newthread)",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"message|body|text|content|comment|reply|post", re.IGNORECASE)
_NOT_POST = re.compile(
    r"preview|draft|cancel|full|advanced|upload|poll|预览|預覽|草稿|高级|предпросмотр", re.IGNORECASE
)


def reply_form(page: Read, knowledge: ReplyKnowledge) -> tuple[Form, Control] | None:
    """The form of a page that takes a reply, and the control for its text."""
    best: tuple[int, Form, Control] | None = None
    for form in page.forms:
        named = f"{form.action} {form.id} {form.name}"
        areas = [one for one in form.controls if one.kind == "textarea" and one.name and not one.unseen]
        message = next((one for one in areas if one.name == knowledge.message), None) or next(
            (one for one in areas if _MESSAGE.search(one.name)), areas[0] if areas else None
        )
        if message is None or form.method != "post" or form.passwords:
            continue
        score = 10 if knowledge.form and knowledge.form in (form.id, form.name) else 0
        score += 3 if _REPLY_WORDS.search(named) else 0
        score -= 6 if _NOT_REPLY.search(named) and not re.search(r"repl", named, re.IGNORECASE) else 0
        if score > 0 and (best is None or score > best[0]):
            best = (score, form, message)
    return (best[1], best[2]) if best is not None else None


def _reply_link(page: Read) -> str:
    """Where the page says one can reply: the link inside the hidden block first."""
    selectors = (
        ".locked a[href*='reply' i], .hide a[href*='reply' i], [class*='hid' i] a[href*='reply' i]",
        "a[href*='action=reply' i], a[href*='mode=reply' i], a[href*='newreply' i], a[href*='do=newreply' i], "
        "a[href*='action=post;topic' i], a[href*='/reply' i]",
    )
    for selector in selectors:
        for node in page.tree.css(selector)[:20]:
            href = node.attributes.get("href") or ""
            if "repquote" not in href and "quote" not in href.lower():
                return _absolute(page, href)
    return ""


def _absolute(page: Read, href: str) -> str:

    base = page.tree.css_first("base[href]")
    try:
        root = (
            str(ada_url.join_url(page.url, base.attributes.get("href") or ""))
            if base is not None
            else page.url
        )
        return str(ada_url.join_url(root, href)).partition("#")[0]
    except ValueError:
        return ""


_CAPTCHA = re.compile(
    r"captcha|seccode|secver|imagestring|verif|vcode|gdcode|confirm_code|secanswer|_vv\[|humanverify", re.I
)


def _captcha_field(form: Form, message: Control) -> Control | None:
    for control in form.controls:
        if (
            control.is_text
            and control is not message
            and not control.unseen
            and _CAPTCHA.search(control.name)
        ):
            return control
    return None


def _post_button(form: Form) -> Control | None:
    plain = [one for one in form.submits if not _NOT_POST.search(f"{one.name} {one.value} {one.label}")]
    named = [one for one in plain if _REPLY_WORDS.search(f"{one.name} {one.value} {one.label}")]
    return next(iter(named or plain), None)
