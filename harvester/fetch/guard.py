"""Which addresses may be connected to.

Asked at connect time, with the addresses that will be used: a name that pointed to a public address when it
was found and to a private one now is refused, and so is a redirect to it.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from harvester.errors import Refused

PRIVATE_ADDRESS = "private_address"
LOCAL_NAME = "local_name"
BAD_PORT = "bad_port"

# IANA IPv4 special-purpose registry, multicast, and cloud metadata services that sit on public addresses.
_CLOSED_V4 = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("168.63.129.16/32", "cloud metadata"),
    )
)

_GLOBAL_V6 = IPv6Network("2000::/3")  # all that IANA has given out; everything else is special
_CLOSED_V6 = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("2001:db8::/32", "documentation"),
        ("2001::/23", "protocol assignments"),
        ("3fff::/20", "documentation"),
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_MAPPED = IPv6Network("::ffff:0:0/96")
_COMPATIBLE = IPv6Network("::/96")
_6TO4 = IPv6Network("2002::/16")
_TEREDO = IPv6Network("2001::/32")
_ISATAP = {0x00005EFE, 0x02005EFE}

_LOCAL_NAMES = (
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "home.arpa",
    "ip6-localhost",
    "ip6-loopback",
)

# Ports whose services would take an HTTP request for commands (WHATWG Fetch, "bad port").
# fmt: off
_BAD_PORTS = frozenset([
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 10080, 11211, 27017,
])
# fmt: on


class Guard:
    """Refuses what is not on the public internet, but for the `allowed` (host, port) pairs.

    Those are the configured sites: exactly that host, as it stands in the URL, and exactly that port.
    """

    def __init__(self, allowed: frozenset[tuple[str, int]] = frozenset()) -> None:
        self._allowed = frozenset((host.lower().strip("[]"), port) for host, port in allowed)

    def allows(self, host: str, port: int) -> bool:
        """Whether `host` and `port` are those of a configured site."""
        return (host, port) in self._allowed

    def check_place(self, host: str, port: int) -> None:
        """Refuse what is clear before DNS: a bad port, a local name, a literal address that is closed."""
        if self.allows(host, port):
            return
        if port in _BAD_PORTS:
            raise Refused(f"{host}:{port}", BAD_PORT, f"port {port} is not one of the web")
        name = host.rstrip(".")
        if any(name == local or name.endswith(f".{local}") for local in _LOCAL_NAMES):
            raise Refused(host, LOCAL_NAME, f"{host} is a name of this machine or network")
        kind = closed_kind(name)
        if kind:
            raise Refused(host, PRIVATE_ADDRESS, f"{host} is a {kind} address")

    def open_addresses(self, host: str, port: int, addresses: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the `addresses` of `host` that may be connected to; `Refused` when none is left."""
        if self.allows(host, port):
            return addresses
        left = tuple(address for address in addresses if not closed_kind(address))
        if not left:
            kind = closed_kind(addresses[0]) if addresses else "missing"
            raise Refused(host, PRIVATE_ADDRESS, f"{host} points to a {kind} address")
        return left


@lru_cache(maxsize=16384)
def closed_kind(address: str) -> str:
    """What kind of closed address a literal is, in words; "" for a public one and for what is no literal."""
    try:
        parsed = ip_address(address.strip("[]").partition("%")[0])
    except (ValueError, AddressValueError):
        return ""
    return _closed_v4(parsed) if isinstance(parsed, IPv4Address) else _closed_v6(parsed)


def _closed_v4(address: IPv4Address) -> str:
    return next((kind for network, kind in _CLOSED_V4 if address in network), "")


def _closed_v6(address: IPv6Address) -> str:
    for embedded in _embedded(address):
        kind = _closed_v4(embedded)
        if kind:
            return f"{kind} (inside IPv6)"
    if address in _MAPPED or address in _NAT64 or address in _6TO4:
        return ""  # it leads to the IPv4 address just checked
    if address.is_loopback:
        return "loopback"
    if address.is_link_local:
        return "link-local"
    if address.is_multicast:
        return "multicast"
    if address.is_unspecified:
        return "unspecified"
    if address not in _GLOBAL_V6:
        return "private"
    return next((kind for network, kind in _CLOSED_V6 if address in network), "")


def _embedded(address: IPv6Address) -> list[IPv4Address]:
    """The IPv4 addresses that an IPv6 address may lead to."""
    number = int(address)
    low = IPv4Address(number & 0xFFFFFFFF)
    found = []
    if address in _MAPPED or address in _COMPATIBLE or address in _NAT64:
        found.append(low)
    if address in _6TO4:
        found.append(IPv4Address((number >> 80) & 0xFFFFFFFF))
    if address in _TEREDO:
        found.append(IPv4Address(~number & 0xFFFFFFFF))
    if (number >> 32) & 0xFFFFFFFF in _ISATAP:
        found.append(low)
    return found
