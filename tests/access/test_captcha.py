"""Images from the network are checked and made anew before anybody sees them."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image

from harvester.access.captcha import commercial, safe_image
from harvester.errors import AccessError
from tests.access.recordings import SITES


def test_recorded_captchas_become_pngs_of_our_own() -> None:
    for path in sorted((SITES / "discuz35_captcha").glob("*.png")):
        content = path.read_bytes()
        made = safe_image(content + b"trailing payload")
        assert made.startswith(b"\x89PNG")
        assert b"trailing payload" not in made
        with Image.open(io.BytesIO(made)) as image:
            assert image.size == (100, 30)


def _bomb() -> bytes:
    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>Access Denied</html>",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"<svg onload=x>",
        b"x" * (3 << 20),
        _bomb(),
    ],
)
def test_what_is_no_image_or_too_large_is_refused(content: bytes) -> None:
    with pytest.raises(AccessError):
        safe_image(content)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="g-recaptcha" data-sitekey="x">',
        "<div class='h-captcha'>",
        '<div class="cf-turnstile">',
        '<div id="geetest">',
        "<script>grecaptcha.execute('x')</script>",
    ],
)
def test_commercial_challenges_are_known(html: str) -> None:
    assert commercial(html)
    assert not commercial("<p>about captcha and recaptcha</p>")
