"""What is remembered about the operator's account on one site, between requests and between runs.

Values only. They are kept in a file of mode 0600, never in the database; the secrets themselves (user name
and password) are in neither.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from harvester.model.http import Cookie
from harvester.model.redact import shown

ACCOUNT = "member"
"""The name of the operator's account in `JarKey.account`; the user name itself is kept out of it."""


class Verdict(StrEnum):
    """What became of an attempt to log in. The values are stable words for the audit log."""

    OK = "ok"
    BAD_CREDENTIALS = "bad_credentials"
    CAPTCHA_REQUIRED = "captcha_required"
    CAPTCHA_WRONG = "captcha_wrong"
    SECOND_FACTOR = "second_factor"
    SECURITY_QUESTION = "security_question"
    LOCKED_OUT = "locked_out"
    FORM_REFUSED = "form_refused"
    """The site did not take the form itself: a token, its age, a trap."""
    ACCOUNT_DISABLED = "account_disabled"
    MUST_ACCEPT_RULES = "must_accept_rules"
    CHALLENGE = "challenge"
    NO_FORM = "no_form"
    """No login form was found, or it is not one that can be filled safely."""
    ROBOTS = "robots"
    REFUSED = "refused"
    """Not sent on purpose: the password would have gone elsewhere, or in clear."""
    HELD = "held"
    """Not sent: too soon, too often, or frozen."""
    UNREACHABLE = "unreachable"
    UNKNOWN = "unknown"


class ChallengeKind(StrEnum):
    """What the operator is asked for."""

    IMAGE = "image"
    QUESTION = "question"
    SECOND_FACTOR = "second_factor"
    SECURITY_QUESTION = "security_question"


class FieldRole(StrEnum):
    """Whose value a form field takes; only `PLAIN` values are ever stored."""

    PLAIN = "plain"
    USER = "user"
    PASSWORD = "password"  # noqa: S105 - the role of a form field, no secret
    PASSWORD_MD5 = "password_md5"  # noqa: S105 - the role of a form field, no secret
    ANSWER = "answer"
    CHOICE = "choice"
    """Which of several questions is answered; an answer to such a form is `CHOICE<tab>ANSWER`."""


class FormField(Struct, frozen=True):
    """One name and value of a filled form, in the form's order; `value` is "" for every secret role."""

    name: str
    value: str = ""
    role: FieldRole = FieldRole.PLAIN

    def __repr__(self) -> str:
        return shown(self, hiding={"value"})


class FilledForm(Struct, frozen=True):
    """A form as it will be sent, but for the secrets.

    `url` is the resolved action, `page` where the form stood (the Referer), `charset` the Python codec its
    values are encoded in, `multipart` whether it asked for `multipart/form-data`.
    """

    url: str
    page: str
    fields: tuple[FormField, ...]
    charset: str = "utf-8"
    multipart: bool = False
    json: bool = False
    """Sent as a JSON object, with `headers` beside it."""
    headers: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return shown(self, hiding={"headers"})


class PendingReply(Struct, frozen=True):
    """A reply that a captcha holds up: the thread's key and page, its board, and which text it is."""

    thread: str
    url: str
    board: str
    template: str


class Challenge(Struct, frozen=True):
    """A question that only the operator can answer; the form waits for it.

    `image` is a PNG made by us ("" bytes for a question in words), `deadline` UTC seconds after which the
    site will not take an answer, `answer` what the operator said ("" until then).
    """

    kind: ChallengeKind
    prompt: str
    form: FilledForm
    since: float
    deadline: float
    image: bytes = b""
    answer: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    reply: PendingReply | None = None
    """The reply whose form asks, None for a login."""

    def __repr__(self) -> str:
        return shown(self, hiding={"image", "answer"})


class Attempt(Struct, frozen=True):
    """One login that was sent, and what became of it."""

    at: float
    verdict: Verdict


class AccountState(Struct, frozen=True):
    """All that is kept about the account of one site.

    `salt` (random) and `mark` identify the secrets that `frozen` speaks of without holding them: other
    secrets have another mark. `frozen` is why no login is tried ("" when one may be), `held_until` the time
    (UTC seconds) before which none is. `wanted` asks a running crawl for a fresh challenge. `approved` are
    threads whose reply a person approved, `declined` those whose reply was not to be posted, `member_link`
    the path of a link that only members are shown.
    `http_auth` is the scheme where credentials go out with every request, "" where a session does.
    `proved_at` is when a page last showed that we are logged in, `ended_at` when one showed that the session
    was over and no other had begun (0 otherwise).
    """

    cookies: tuple[Cookie, ...] = ()
    imported: bool = False
    proved_at: float = 0.0
    attempts: tuple[Attempt, ...] = ()
    salt: str = ""
    mark: str = ""
    frozen: str = ""
    held_until: float = 0.0
    challenge: Challenge | None = None
    wanted: bool = False
    proposed: tuple[ProposedReply, ...] = ()
    approved: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    stopped_boards: tuple[str, ...] = ()
    flood_seconds: float = 0.0
    member_link: str = ""
    http_auth: str = ""
    ended_at: float = 0.0

    def __repr__(self) -> str:
        return shown(self, hiding={"salt", "mark"})


class ProposedReply(Struct, frozen=True):
    """A reply that waits for the operator's word: the thread's key and page, and the text."""

    thread: str
    url: str
    text: str
    since: float
