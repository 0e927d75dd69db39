"""A filled form as the request that sends it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harvester.access.form_filling import encode, encode_multipart
from harvester.model.account import FilledForm
from harvester.model.http import Request


def form_request(form: FilledForm, pairs: Sequence[tuple[str, str]]) -> Request:
    """The POST that sends a filled form; its redirects are reported, never followed."""
    if form.json:
        body = json.dumps(dict(pairs), ensure_ascii=False).encode()
        typed = (("Content-Type", "application/json; charset=utf-8"), ("Accept", "application/json"))
        return Request(form.url, "POST", (*typed, *form.headers), body, referer=form.page, secret=True)
    if form.multipart:
        body, content_type = encode_multipart(pairs, form.charset)
    else:
        body, content_type = encode(pairs, form.charset), "application/x-www-form-urlencoded"
    headers = (("Content-Type", content_type), *form.headers)
    return Request(form.url, "POST", headers, body, referer=form.page, secret=True)
