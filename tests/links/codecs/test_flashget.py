from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.codecs.flashget import unwrap
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, b64, flashget


@pytest.mark.parametrize("suffix", ["&1926", "&ref=http://bbs.example.com/", "&amp;7", "&", "&%E7&x", "/"])
def test_what_follows_the_payload_is_ignored(suffix: str) -> None:
    assert decode_link(flashget(FILE) + suffix).url == FILE


def test_markers_are_compared_without_case() -> None:
    assert unwrap(b64(f"[FlashGet]{FILE}[flashGET]")).data == FILE.encode()


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b64("[FLASHGET]" + FILE), "bad_marker"),
        (b64(FILE + "[FLASHGET]"), "bad_marker"),
        (b64("[FLASHGET][FLASHGET]"), "empty"),
        (b64("[FLASHGET]"), "bad_marker"),
        (b64("nothing here"), "not_a_link"),
        ("&1926", "empty"),
    ],
)
def test_a_broken_payload_is_refused(payload: str, reason: str) -> None:
    with pytest.raises(LinkRejected) as refused:
        unwrap(payload)
    assert refused.value.reason == reason
