"""Errors as problem documents."""

from __future__ import annotations

import pytest
from starlette.exceptions import HTTPException

from harvester.errors import NotFound, QueryError, StoreBusy, StoreDamaged, UsageError
from harvester.web.problems import document, problem_of
from tests.web.collection import Served


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (QueryError("a (", 2, "this ( is not closed"), 400, "query"),
        (UsageError("no"), 400, "bad-request"),
        (NotFound("no"), 404, "not-found"),
        (StoreBusy("no"), 503, "unavailable"),
        (StoreDamaged("/secret/place is damaged"), 500, "server"),
        (HTTPException(405), 405, "method-not-allowed"),
        (RuntimeError("/secret/place"), 500, "server"),
    ],
)
def test_every_error_has_its_status_and_kind_and_tells_no_secret(
    error: Exception, status: int, kind: str
) -> None:
    told = document(problem_of(error))
    assert (told["status"], told["type"]) == (status, f"urn:harvest:problem:{kind}")
    assert "/secret/place" not in str(told)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/nowhere", 404), ("/api/v1/search?limit=x", 422), ("/api/v1/search?q=(", 400)],
)
def test_the_api_answers_errors_as_problem_documents_whatever_is_accepted(
    web: Served, path: str, status: int
) -> None:
    answer = web.client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(answer.json()) >= {"type", "title", "status", "detail"}


def test_a_wrong_method_is_a_problem_document_too(web: Served) -> None:
    answer = web.client.put("/api/v1/search")
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert answer.headers["allow"] == "GET"


def test_what_was_sent_is_not_sent_back(web: Served) -> None:
    answer = web.get("/api/v1/search", limit="<script>alert(1)</script>")
    assert "script" not in answer.text


def test_a_person_gets_a_page(web: Served) -> None:
    answer = web.client.get("/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "<h1>" in answer.text
