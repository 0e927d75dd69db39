"""The OpenAPI document, and whatever can be asked by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS

from tests.web.collection import Served, hex_of, served

ONE = "/api/v1/torrents/{digest}"
SITE = "/api/v1/sites/{name}"
OPERATIONS = [
    ("/api/v1/search", "GET"),
    ("/api/v1/facets", "GET"),
    (ONE, "GET"),
    (f"{ONE}.torrent", "GET"),
    (f"{ONE}/files", "GET"),
    (f"{ONE}/sightings", "GET"),
    (f"{ONE}/history", "GET"),
    (f"{ONE}/magnet", "GET"),
    ("/api/v1/sites", "GET"),
    (SITE, "GET"),
    (f"{SITE}/rules", "GET"),
    (f"{SITE}/parked", "GET"),
    (f"{SITE}/pause", "POST"),
    (f"{SITE}/resume", "POST"),
    ("/api/v1/rules", "GET"),
    ("/api/v1/crawls", "GET"),
    ("/api/v1/crawls/{crawl_id}", "GET"),
    ("/api/v1/stats", "GET"),
    ("/api/v1/health", "GET"),
    ("/api/v1/blocks", "GET"),
    ("/api/v1/blocks", "POST"),
    ("/api/v1/blocks/{kind}", "DELETE"),
]
KNOWN = {"digest": hex_of("Ubuntu 24.04 server"), "name": "forum", "crawl_id": 1, "kind": "word"}
"""What is there, so that not every answer is that nothing is."""
WANTED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("openapi"), raising=False, web_rate_limit=0) as web:
        yield web


@pytest.fixture(scope="module")
def schema(shared: Served) -> Any:
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", shared.client.app)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_nothing_that_can_be_asked_is_a_server_error(
    schema: Any, shared: Served, path: str, method: str
) -> None:
    checks = CHECKS.get_by_names(list(WANTED))

    @given(case=schema[path][method].as_strategy(), known=st.booleans())
    @settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def ask(case: Any, known: bool) -> None:
        if known:
            case.path_parameters.update({name: KNOWN[name] for name in case.path_parameters})
        case.call_and_validate(headers=shared.header("admin"), checks=checks)

    ask()


def test_the_document_names_every_route_with_its_errors(web: Served) -> None:
    paths = web.get("/api/v1/openapi.json").json()["paths"]
    assert {(path, method.upper()) for path, one in paths.items() for method in one} == set(OPERATIONS)
    for operations in paths.values():
        for operation in operations.values():
            assert {"401", "404", "422", "429", "503"} <= set(operation["responses"])
            assert "application/problem+json" in operation["responses"]["404"]["content"]
            assert operation.get("security") or operation["tags"] == ["health"]
            assert operation["summary"]


def test_the_document_has_examples_for_what_people_start_with(web: Served) -> None:
    document = web.get("/api/v1/openapi.json").json()
    parameters = {one["name"]: one for one in document["paths"]["/api/v1/search"]["get"]["parameters"]}
    assert "ubuntu" in str(parameters["q"])
    assert document["components"]["schemas"]["TorrentRow"]["properties"]["name"]["examples"]
    assert document["components"]["schemas"]["NewBlock"]["properties"]["reason"]["examples"]
