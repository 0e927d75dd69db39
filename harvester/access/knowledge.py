"""What an engine file says about logging in and replying, as values.

The sections `login` and `reply` of `rules/engines/*.yaml` are free-form to the reader of those files; here
they get their meaning. Whatever is left out is found out from the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from harvester.patterns.engines import Engine


class LoginKnowledge(Struct, frozen=True):
    """How the software logs its members in.

    `path` is relative to the site's start page. `user`, `password` and `captcha_input` are field names,
    `captcha_image` is a CSS selector of the image. `captcha_script` is a page whose answer names the image
    (Discuz), with `{hash}` for what the login page names. `md5` hashes the password when the form's script
    has that word. `member` is text (RE2) that only members' pages hold, `guest` only guests'.
    """

    path: str = ""
    user: str = ""
    password: str = ""
    captcha_image: str = ""
    captcha_input: str = ""
    captcha_found: str = ""
    captcha_script: str = ""
    captcha_fields: tuple[tuple[str, str], ...] = ()
    md5: str = ""
    security_question: tuple[str, str] = ("", "")
    """Names of the fields that take a security question's number and its answer."""
    valid: float = 600.0
    """Seconds for which a captcha or a login form is good."""


class ReplyKnowledge(Struct, frozen=True):
    """How the software takes a reply: the form's id, the text's field, the least gap in seconds."""

    path: str = ""
    form: str = ""
    message: str = ""
    flood: float = 0.0


def login_knowledge(engine: Engine | None) -> LoginKnowledge:
    """The `login` section of an engine file."""
    if engine is None:
        return LoginKnowledge()
    section = engine.login
    question = section.get("security_question")
    pair = (
        tuple(map(str, question)) if isinstance(question, list | tuple) and len(question) == 2 else ("", "")
    )
    fields = section.get("captcha_fields")
    pairs = fields.items() if isinstance(fields, Mapping) else ()
    return LoginKnowledge(
        **{name: _text(section, name) for name in _LOGIN_TEXTS},
        captcha_fields=tuple((str(name), str(value)) for name, value in pairs),
        security_question=(pair[0], pair[1]),
        valid=_number(section, "valid", 600.0),
    )


def reply_knowledge(engine: Engine | None) -> ReplyKnowledge:
    """The `reply` section of an engine file."""
    if engine is None:
        return ReplyKnowledge()
    section = engine.reply
    return ReplyKnowledge(
        **{name: _text(section, name) for name in ("path", "form", "message")},
        flood=_number(section, "flood", 0.0),
    )


_LOGIN_TEXTS = (
    *("path", "user", "password", "captcha_image", "captcha_input", "captcha_script"),
    *("captcha_found", "md5"),
)


def _text(section: Mapping[str, object], name: str) -> str:
    value = section.get(name, "")
    return value if isinstance(value, str) else ""


def _number(section: Mapping[str, object], name: str, default: float) -> float:
    value = section.get(name, default)
    return float(value) if isinstance(value, int | float) else default
