"""Filling and encoding a form as a browser does (HTML Living Standard 4.10.21)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote_plus

from harvester.access.forms import Control, Form
from harvester.access.secrets import Login
from harvester.errors import AccessError
from harvester.model.account import FieldRole, FilledForm, FormField
from harvester.model.redact import MASK

_BUTTONS = frozenset({"submit", "image", "button", "reset"})


_LINE_END = re.compile(r"\r\n|\r|\n")


def fill(
    form: Form,
    *,
    roles: Mapping[str, FieldRole],
    values: Mapping[str, str] | None = None,
    ticked: frozenset[str] = frozenset(),
    submit: Control | None = None,
) -> FilledForm:
    """The form as a browser would send it.

    `roles` says by name which fields take secrets, `values` replaces what was served, `ticked` are
    checkboxes to be ticked. Fields that no person sees go out empty, buttons other than `submit` not at all.
    """
    values = values or {}
    fields: list[FormField] = []
    placed: set[str] = set()
    for control in form.controls:
        name = control.name
        if control.kind in _BUTTONS:
            fields.extend(_pressed(control) if control is submit else ())
        elif not name:
            continue
        elif name in roles and name not in placed and control.kind != "hidden":
            placed.add(name)
            fields.append(FormField(name, "", roles[name]))
        elif name in values:
            fields.append(FormField(name, values[name]))
        elif control.kind in ("checkbox", "radio"):
            if control.checked or name in ticked:
                fields.append(FormField(name, control.value or "on"))
        elif control.kind == "hidden" and name.lower() == "_charset_":
            fields.append(FormField(name, form.charset))
        elif control.kind == "password" or control.unseen:
            fields.append(FormField(name, ""))
        else:
            text = control.value
            fields.append(
                FormField(name, _LINE_END.sub("\r\n", text) if control.kind == "textarea" else text)
            )
    present = {control.name for control in form.controls}
    fields.extend(FormField(name, value) for name, value in values.items() if name not in present)
    fields.extend(FormField(name, "", role) for name, role in roles.items() if name not in placed)
    return FilledForm(form.action, form.page, tuple(fields), form.charset, form.multipart)


def _pressed(button: Control) -> Sequence[FormField]:
    if button.kind == "image":
        prefix = f"{button.name}." if button.name else ""
        return (FormField(f"{prefix}x", "5"), FormField(f"{prefix}y", "5"))
    return (FormField(button.name, button.value),) if button.name else ()


def encode(pairs: Sequence[tuple[str, str]], charset: str) -> bytes:
    """`application/x-www-form-urlencoded` in the page's charset, as browsers write it.

    What the charset lacks becomes a numeric character reference: 한 in GBK is `%26%2354620%3B`.
    """

    def one(text: str) -> str:
        return quote_plus(text.encode(charset, "xmlcharrefreplace"), safe="*-._")

    return "&".join(f"{one(name)}={one(value)}" for name, value in pairs).encode("ascii")


_BOUNDARY = "----HarvestFormBoundary7MA4YWxkTrZu0gW"


def encode_multipart(pairs: Sequence[tuple[str, str]], charset: str) -> tuple[bytes, str]:
    """`multipart/form-data` (RFC 7578) and its Content-Type."""
    body = bytearray()
    for name, value in pairs:
        shown = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{shown}"\r\n\r\n'
        body += head.encode(charset, "xmlcharrefreplace")
        body += value.encode(charset, "xmlcharrefreplace") + b"\r\n"
    body += f"--{_BOUNDARY}--\r\n".encode()
    return bytes(body), f"multipart/form-data; boundary={_BOUNDARY}"


def pairs_of(form: FilledForm, login: Login | None, answer: str = "") -> list[tuple[str, str]]:
    """The names and values that are sent: the one place where secrets become text."""
    pairs: list[tuple[str, str]] = []
    for one in form.fields:
        value = one.value
        if one.role is FieldRole.ANSWER:
            value = answer.partition("\t")[2] or answer
        elif one.role is FieldRole.CHOICE:
            value = answer.partition("\t")[0]
        elif one.role is not FieldRole.PLAIN:
            if login is None:
                raise AccessError("the form needs the account's secrets", hint="see: harvest account add")
            if one.role is FieldRole.USER:
                value = login.user.reveal()
            else:
                value = login.password.reveal()
                if one.role is FieldRole.PASSWORD_MD5:
                    digest = hashlib.md5(
                        value.encode(form.charset, "xmlcharrefreplace"), usedforsecurity=False
                    )
                    value = digest.hexdigest()
        pairs.append((one.name, value))
    return pairs


def described(form: FilledForm) -> list[tuple[str, str]]:
    """The names and values for a person's eye: secrets and one-time tokens masked."""
    shown: list[tuple[str, str]] = []
    for one in form.fields:
        if one.role is not FieldRole.PLAIN:
            shown.append((one.name, MASK))
        else:
            shown.append((one.name, MASK if _looks_secret(one.name, one.value) else one.value[:80]))
    return shown


_TOKEN_NAME = re.compile(r"token|csrf|hash|secret|sid$|session|_captcha|^[0-9a-f]{8,}$", re.IGNORECASE)


_TOKEN_VALUE = re.compile(r"[0-9A-Za-z+/=_-]{16,}")


def _looks_secret(name: str, value: str) -> bool:
    return bool(value) and bool(_TOKEN_NAME.search(name) or _TOKEN_VALUE.fullmatch(value))
