from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from tests.links.vectors import ED2K, b64


@pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
def test_it_is_an_ed2k_file_in_other_words(charset: str) -> None:
    name = b64("演示 50% [1].rmvb", charset)
    decoded = decode_link(f"flashgetx://|mhts|{name}|733954048|{ED2K.upper()}|/")
    assert decoded.chain == ("flashgetx", "ed2k")
    assert decoded.ed2k is not None
    assert (decoded.ed2k.name, decoded.ed2k.size, decoded.ed2k.hash) == ("演示 50% [1].rmvb", 733954048, ED2K)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("flashgetx://|mhts|5ryU|0|" + ED2K + "|/", "bad_size"),
        ("flashgetx://|mhts|5ryU|1|abc|/", "bad_hash"),
        ("flashgetx://|mhts|5ryU|1|", "not_a_file_link"),
        ("flashgetx://|other|5ryU|1|" + ED2K + "|/", "not_a_file_link"),
        ("flashgetx://|mhts|!|1|" + ED2K + "|/", "bad_base64"),
        ("flashgetx://", "empty"),
    ],
)
def test_a_broken_one_is_refused(link: str, reason: str) -> None:
    with pytest.raises(LinkRejected) as refused:
        decode_link(link)
    assert refused.value.reason == reason
