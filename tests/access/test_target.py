"""Secrets go to the configured hosts and nowhere else."""

from __future__ import annotations

import pytest

from harvester.access.target import target_refusal

HOSTS = ("forum.example.org", "alias.example.org:8443")


@pytest.mark.parametrize(
    "url",
    ["https://forum.example.org/login", "https://FORUM.example.org:443/x", "https://alias.example.org:8443/"],
)
def test_the_sites_own_hosts_over_https_are_fine(url: str) -> None:
    assert target_refusal(url, HOSTS) == ""


@pytest.mark.parametrize(
    "url",
    [
        "http://forum.example.org/login",
        "https://evil.example/login",
        "https://sub.forum.example.org/",
        "https://forum.example.org.evil.example/",
        "https://forum.example.org:8443/",
        "https://alias.example.org/",
        "https://forum.example.org@evil.example/",
        "https://user:pw@forum.example.org/",
        "javascript:alert(1)",
        "",
    ],
)
def test_anything_else_is_refused_with_its_reason(url: str) -> None:
    assert target_refusal(url, HOSTS)


def test_plain_http_is_for_loopback_and_for_those_who_asked_for_it() -> None:
    assert target_refusal("http://127.0.0.1:80/login", ("127.0.0.1",)) == ""
    assert target_refusal("http://forum.example.org/", HOSTS, allow_insecure=True) == ""
