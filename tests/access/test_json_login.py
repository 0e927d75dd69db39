"""A login as JSON carries the token of the page and goes where the engine file says."""

from __future__ import annotations

import json

from harvester.access.form_filling import pairs_of
from harvester.access.json_login import json_form
from harvester.access.knowledge import LoginKnowledge, login_knowledge
from harvester.access.login_plan import read_page
from harvester.access.sending import form_request
from harvester.patterns.engines import shipped_engines
from tests.access.driving import page
from tests.access.test_login import HOST, PLAN

FLARUM = login_knowledge(shipped_engines()["flarum"])


def test_the_request_is_what_the_software_expects() -> None:
    start = read_page(
        page(f"{HOST}/forum/", '<script>{"session":{"userId":0,"csrfToken":"abcdef0123456789"}}</script>')
    )
    form = json_form(start, FLARUM)
    assert form is not None
    request = form_request(form, pairs_of(form, PLAN.login))
    assert (request.url, request.method, request.secret) == (f"{HOST}/forum/login", "POST", True)
    assert ("X-CSRF-Token", "abcdef0123456789") in request.headers
    assert request.body is not None
    assert json.loads(request.body) == {
        "identification": "alice",
        "password": "s3cret-phrase",
        "remember": "true",
    }
    assert "abcdef0123456789" not in repr(form)


def test_software_with_a_form_has_no_such_login() -> None:
    assert json_form(read_page(page(HOST, "<p>x</p>")), LoginKnowledge()) is None
