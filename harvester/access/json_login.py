"""Logins that a script sends as JSON: only for software whose engine file says how."""

from __future__ import annotations

import re2

from harvester.access.knowledge import LoginKnowledge
from harvester.access.login_plan import Read, base_of, joined
from harvester.model.account import FieldRole, FilledForm, FormField


def json_form(page: Read, knowledge: LoginKnowledge) -> FilledForm | None:
    """The login as the software's own script would send it; None for software that has a form."""
    if not knowledge.json_path:
        return None
    headers: tuple[tuple[str, str], ...] = ()
    if knowledge.token_found and (found := re2.search(knowledge.token_found, page.html[:2_000_000])):
        headers = ((knowledge.token_header, found[1]),)
    fields = (
        FormField(knowledge.user, "", FieldRole.USER),
        FormField(knowledge.password, "", FieldRole.PASSWORD),
        FormField("remember", "true"),
    )
    return FilledForm(
        joined(base_of(page), knowledge.json_path), page.url, fields, json=True, headers=headers
    )
