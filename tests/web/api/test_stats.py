"""What there is, in numbers."""

from __future__ import annotations

from tests.web.collection import Served


def test_what_is_private_is_counted_for_the_operator_only(web: Served) -> None:
    everyone, operator = web.get("/api/v1/stats").json(), web.get("/api/v1/stats", "operate").json()
    assert (everyone["torrents"], everyone["with_file"]) == (6, 5)
    assert (operator["torrents"], operator["with_file"]) == (7, 6)
    assert everyone["sites"] == 1


def test_growth_ends_with_what_there_is_now(web: Served) -> None:
    growth = web.get("/api/v1/stats").json()["growth"]
    assert growth[0]["torrents"] == 0
    assert growth[-1]["torrents"] == 6
    assert web.get("/api/v1/stats", site="nowhere").json()["growth"] == []
