"""What `/metrics` tells, to whom, and what it never tells."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from tests.web.collection import HOSTILE, Served, hex_of


def samples(web: Served) -> dict[tuple[str, ...], float]:
    answer = web.get("/metrics", "operate")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (one.name, *(one.labels[label] for label in sorted(one.labels))): one.value
        for family in text_string_to_metric_families(answer.text)
        for one in family.samples
    }


def test_metrics_need_a_key_of_the_operator(web: Served) -> None:
    assert web.get("/metrics").status_code == 401
    assert web.get("/metrics", "read").status_code == 403


def test_metrics_count_what_there_is_and_what_was_answered(own: Served) -> None:
    before = samples(own)
    assert before["harvest_index_torrents",] == 7
    assert before["harvest_index_behind",] == 0
    assert before["harvest_sites", "active"] == 1
    assert before["harvest_database_up",] == before["harvest_index_up",] == 1
    own.get("/api/v1/search", q="ubuntu")
    own.client.head("/sites")
    own.get("/nowhere")
    after = samples(own)
    assert after["harvest_http_requests_total", "GET", "/api/v1/search", "200"] == 1
    assert after["harvest_http_requests_total", "HEAD", "/sites", "200"] == 1
    assert after["harvest_http_requests_total", "GET", "none", "404"] == 1
    assert after["harvest_http_request_seconds_count", "/api/v1/search"] == 1


def test_no_word_address_or_path_of_anybody_is_in_a_metric(own: Served) -> None:
    own.get("/api/v1/search", q="secretword")
    own.get(f"/torrents/{hex_of(HOSTILE)}")
    own.get("/made/up/path")
    own.client.request("BREW", "/")
    text = own.get("/metrics", "operate").text
    for told in ("secretword", hex_of(HOSTILE), "made/up", "BREW", "testclient", "script"):
        assert told not in text
