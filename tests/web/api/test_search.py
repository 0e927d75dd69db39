"""Searching through the API."""

from __future__ import annotations

import pytest

from tests.web.collection import Served, hex_of

KEYS = {"query", "count", "total", "torrents", "facets", "next"}
ROW_KEYS = {
    "infohash_v1", "infohash_v2", "md5", "name", "size", "files", "private", "created", "first_seen",
    "last_seen", "sources",
}  # fmt: skip


def test_an_answer_has_the_published_keys(web: Served) -> None:
    answer = web.get("/api/v1/search", q="ubuntu desktop").json()
    assert set(answer) == KEYS
    assert set(answer["torrents"][0]) >= ROW_KEYS
    assert answer["count"] == answer["total"] == 1


def test_the_total_counts_more_than_the_page(web: Served) -> None:
    answer = web.get("/api/v1/search", q="ubuntu", limit=1).json()
    assert (answer["count"], answer["total"]) == (1, 2)


def test_the_parts_of_a_name_that_match_are_marked(web: Served) -> None:
    row = web.get("/api/v1/search", q="SERVER").json()["torrents"][0]
    assert [part["text"] for part in row["name_parts"] if part["match"]] == ["server"]
    assert "".join(part["text"] for part in row["name_parts"]) == row["name"]


def test_filters_of_one_field_are_alternatives_and_fields_add_up(web: Served) -> None:
    def total(**filters: object) -> int:
        return int(web.get("/api/v1/search", **filters).json()["total"])

    everything = total()
    assert total(site="forum") == everything
    assert total(site=["forum", "nowhere"]) == everything
    assert total(site="nowhere") == 0
    assert 0 < total(site="forum", lang="zh") < everything


def test_a_facet_that_is_filtered_by_still_counts_its_other_values(web: Served) -> None:
    facets = web.get("/api/v1/facets", lang="zh").json()["facets"]
    everything = web.get("/api/v1/facets").json()["facets"]
    assert facets["lang"] == everything["lang"]
    assert len(facets["ext"]) <= len(everything["ext"])


def test_pages_by_date_lead_on_until_nothing_is_left(web: Served) -> None:
    seen: list[str] = []
    after: str | None = ""
    while after is not None:
        given = {"after": after} if after else {}
        answer = web.get("/api/v1/search", sort="date", limit=2, **given).json()
        seen += [row["infohash_v1"] for row in answer["torrents"]]
        after = answer["next"]
    assert len(seen) == len(set(seen)) == web.get("/api/v1/search").json()["total"]


def test_a_wrong_query_is_explained_at_its_position(web: Served) -> None:
    answer = web.get("/api/v1/search", q="ubuntu (server")
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:harvest:problem:query"
    assert answer.json()["position"] == 7


@pytest.mark.parametrize(
    "given",
    [
        {"after": "date.9223372036854775807", "sort": "date"},
        {"after": "date.1", "sort": "size"},
        {"after": "date.1"},
        {"offset": "10000", "limit": "100"},
        {"q": "size:>99999999999999999999GB"},
        {"q": "\x00"},
        {"q": "(" * 400},
    ],
)
def test_odd_requests_are_refused_or_answered_but_no_fault(web: Served, given: dict[str, str]) -> None:
    assert web.get("/api/v1/search", **given).status_code in (200, 400, 422)


def test_private_torrents_are_found_by_the_operator_only(web: Served) -> None:
    for scope in ("", "read"):
        assert web.get("/api/v1/search", scope, q="holiday").json()["total"] == 0
        assert web.get("/api/v1/search", scope, q=hex_of("Secret holiday")).json()["total"] == 0
        assert web.get("/api/v1/search", scope, private="yes").json()["total"] == 0
        assert "private" not in web.get("/api/v1/facets", scope).json()["facets"]
    for scope in ("operate", "admin"):
        assert web.get("/api/v1/search", scope, q="holiday").json()["total"] == 1
        assert "private" in web.get("/api/v1/facets", scope).json()["facets"]


def test_queries_are_counted_and_written_at_the_end(own: Served) -> None:
    own.get("/api/v1/search", q="ubuntu")
    own.get("/api/v1/search", q="Ubuntu ")
    own.client.__exit__(None, None, None)
    own.client.__enter__()
    assert [(one.query, one.asked, one.opened) for one in own.store.query_counts()] == [("ubuntu", 2, 0)]
