"""Which addresses may be connected to."""

from __future__ import annotations

import pytest

from harvester.errors import Refused
from harvester.fetch.guard import Guard, closed_kind


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "168.63.129.16",
        "203.0.113.9",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "fc00::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "[::ffff:7f00:1]",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "2002:c0a8:101::1",
        "2001:0:1:2:3:4:80ff:fffe",
        "2001:db8::1",
        "100::1",
        "2001:4860::5efe:10.0.0.1",
    ],
)
def test_an_address_off_the_public_internet_is_closed(address):
    assert closed_kind(address)


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "172.15.0.1",
        "172.32.0.1",
        "100.128.0.1",
        "1.1.1.1",
        "2606:4700:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2a00:1450:4001:81b::200e",
    ],
)
def test_a_public_address_is_open(address):
    assert closed_kind(address) == ""


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("127.0.0.1", "private_address"),
        ("::ffff:7f00:1", "private_address"),
        ("10.0.0.1.", "private_address"),
        ("localhost", "local_name"),
        ("localhost.", "local_name"),
        ("a.localhost", "local_name"),
        ("metadata.google.internal", "local_name"),
        ("printer.local", "local_name"),
    ],
)
def test_a_host_that_is_closed_before_dns_is_refused_with_its_reason(host, reason):
    with pytest.raises(Refused) as caught:
        Guard().check_place(host, 80)
    assert caught.value.reason == reason


@pytest.mark.parametrize("port", [22, 25, 6379, 11211])
def test_a_port_of_another_service_is_refused(port):
    with pytest.raises(Refused) as caught:
        Guard().check_place("example.org", port)
    assert caught.value.reason == "bad_port"


def test_a_configured_site_is_allowed_by_host_and_port_together():
    guard = Guard(frozenset({("127.0.0.1", 8080), ("localhost", 81), ("[::1]", 82)}))
    guard.check_place("127.0.0.1", 8080)
    guard.check_place("localhost", 81)
    guard.check_place("::1", 82)
    for host, port in (("127.0.0.1", 8081), ("127.0.0.2", 8080), ("localhost", 8080), ("::1", 8080)):
        with pytest.raises(Refused):
            guard.check_place(host, port)


def test_of_mixed_addresses_only_the_public_ones_are_left():
    assert Guard().open_addresses("a.example", 80, ("10.0.0.1", "8.8.8.8", "::1")) == ("8.8.8.8",)


def test_a_name_with_only_private_addresses_is_refused():
    with pytest.raises(Refused, match="loopback"):
        Guard().open_addresses("a.example", 80, ("127.0.0.1", "::1"))


def test_a_configured_name_may_point_anywhere():
    guard = Guard(frozenset({("forum.example", 80)}))
    assert guard.open_addresses("forum.example", 80, ("10.0.0.1",)) == ("10.0.0.1",)
    with pytest.raises(Refused):
        guard.open_addresses("forum.example", 81, ("10.0.0.1",))
