from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from tests.links.vectors import ED2K, thunder

AICH = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def test_it_is_recorded_and_not_fetched() -> None:
    decoded = decode_link(f"ed2k://|file|演示 (1).mkv|1048576|{ED2K.upper()}|/")
    assert decoded.url == f"ed2k://|file|%E6%BC%94%E7%A4%BA%20(1).mkv|1048576|{ED2K}|/"
    assert decoded.ed2k is not None
    assert decoded.ed2k.name == "演示 (1).mkv"
    assert not decoded.fetch_allowed


def test_a_percent_encoded_name_stays_as_it_is_and_is_read_in_utf8_or_gbk() -> None:
    for written in ("%E6%BC%94", "%D1%DD"):
        decoded = decode_link(f"ed2k://|file|{written}.mkv|5|{ED2K}|/")
        assert decoded.url == f"ed2k://|file|{written}.mkv|5|{ED2K}|/"
        assert decoded.ed2k is not None
        assert decoded.ed2k.name == "演.mkv"


def test_aich_and_part_hashes_are_kept_and_sources_are_not() -> None:
    link = f"ed2k://|file|a|5|{ED2K}|p={ED2K}:{ED2K.upper()}|h={AICH.lower()}|/|sources,192.0.2.1:4662|/"
    decoded = decode_link(link)
    assert decoded.ed2k is not None
    assert (decoded.ed2k.aich, decoded.ed2k.part_hashes) == (AICH, (ED2K, ED2K))
    assert decoded.url == f"ed2k://|file|a|5|{ED2K}|p={ED2K}:{ED2K}|h={AICH}|/"

    swapped = f"ed2k://|file|a|5|{ED2K}|h={AICH}|p={ED2K}|/"
    assert decode_link(swapped).url == swapped


@pytest.mark.parametrize(
    "link",
    [f"ed2k://%7Cfile%7Ca%7C5%7C{ED2K}%7C/", f"ED2K://|FILE|a|5|{ED2K}|", f"ed2k://|file|a|5|{ED2K}",
     thunder(f"ed2k://|file|a|5|{ED2K}|/"), f"ed2k://|file|a|5|{ED2K}|h=broken|/"],
)  # fmt: skip
def test_spellings_of_one_file_are_one_link(link: str) -> None:
    assert decode_link(link).url == f"ed2k://|file|a|5|{ED2K}|/"


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("ed2k://|server|192.0.2.1|4661|/", "not_a_file_link"),
        ("ed2k://|serverlist|http://example.com/s.met|/", "not_a_file_link"),
        ("ed2k://|file|a|5|", "not_a_file_link"),
        (f"ed2k://|file||5|{ED2K}|/", "not_a_file_link"),
        (f"ed2k://|file|a|-5|{ED2K}|/", "bad_size"),
        (f"ed2k://|file|a|99999999999999999999|{ED2K}|/", "bad_size"),
        (f"ed2k://|file|a|5|{ED2K}0|/", "bad_hash"),
        (f"ed2k://|file|a|5|{'0' * 32}|/", "null_hash"),
        (f"ed2k://|file|a%00b|5|{ED2K}|/", "ok"),
    ],
)
def test_what_names_no_file_is_refused(link: str, reason: str) -> None:
    if reason == "ok":  # an escaped control character is left escaped
        assert decode_link(link).ed2k is not None
        return
    with pytest.raises(LinkRejected) as refused:
        decode_link(link)
    assert refused.value.reason == reason
