"""ETags."""

from __future__ import annotations

import pytest

from tests.web.collection import Served


@pytest.mark.parametrize("path", ["/api/v1/search?q=ubuntu", "/api/v1/sites", "/api/v1/stats"])
def test_what_a_client_has_is_not_sent_again(web: Served, path: str) -> None:
    tag = web.get(path).headers["etag"]
    for told in (tag, f'"other", W/{tag}', "*"):
        again = web.client.get(path, headers={"If-None-Match": told})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert web.client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_another_content_has_another_tag(web: Served) -> None:
    one, other = web.get("/api/v1/search", q="server"), web.get("/api/v1/search", q="desktop")
    assert one.headers["etag"] != other.headers["etag"]


def test_the_operators_answer_has_another_tag_than_everybodys(web: Served) -> None:
    one, other = web.get("/api/v1/search"), web.get("/api/v1/search", "operate")
    assert one.headers["etag"] != other.headers["etag"]
