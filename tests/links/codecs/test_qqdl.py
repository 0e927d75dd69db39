from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, b64, qqdl, thunder


@pytest.mark.parametrize("link", [qqdl(FILE), qqdl(FILE) + "/", qqdl(FILE).rstrip("="), "qqdl://" + FILE])
def test_the_payload_is_the_link(link: str) -> None:
    decoded = decode_link(link)
    assert (decoded.url, decoded.chain) == (FILE, ("qqdl",))


def test_it_may_hold_another_wrapper() -> None:
    assert decode_link(qqdl(thunder(FILE))).chain == ("qqdl", "thunder")


@pytest.mark.parametrize("inner", ["hello world", "\x01\x02", "javascript:alert(1)"])
def test_what_is_no_link_is_refused(inner: str) -> None:
    with pytest.raises(LinkRejected):
        decode_link("qqdl://" + b64(inner))
