"""The demo forum's login captcha, as Discuz does it: a script names the image, the image wants a Referer."""

from __future__ import annotations

import io
import random
import time
from collections.abc import Mapping

from PIL import Image, ImageDraw

from harvester.demo.server import Response

LETTERS = "BCEFGHJKMPQRTVWXY2346789"
SECONDS = 600.0
TRIES = 4


class Captchas:
    """Codes by their hash; `codes` may be read by whoever plays the operator."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}
        self._made: dict[str, float] = {}
        self._tries: dict[str, int] = {}
        self._random = random.Random(2132)

    def new_hash(self) -> str:
        """The hash of a captcha that is not drawn yet."""
        return "cS" + "".join(self._random.choice("abcdefXYZ0123456789") for _ in range(6))

    def answer(self, params: Mapping[str, str], headers: Mapping[str, str], origin: str) -> Response:
        """The script that puts the captcha in, or its image."""
        sechash = params.get("idhash", "")
        if any(word in headers.get("user-agent", "").lower() for word in ("bot", "crawl", "spider")):
            return Response(b"", 403)
        if params.get("action") == "update":
            code = "".join(self._random.choice(LETTERS) for _ in range(4))
            self.codes[sechash], self._made[sechash], self._tries[sechash] = code, time.monotonic(), 0
            script = (
                f"if($('seccode_{sechash}')) {{ sectpl['{sechash}'] = ['<input name=\"seccodehash\" type=\"hidden\" "
                f'value="{sechash}" /><input name="seccodemodid" type="hidden" value="{params.get("modid", "")}" />'
                f'<input name="seccodeverify" type="text" />\']; }} '
                f'\'<img width="100" height="30" src="misc.php?mod=seccode&update={self._random.randrange(99999)}'
                f'&idhash={sechash}" class="vm" alt="" />\';'
            )
            return Response(script.encode(), content_type="text/javascript")
        if not headers.get("referer", "").startswith(origin):
            return Response(b"Access Denied", content_type="text/plain")
        return Response(_drawn(self.codes.get(sechash, "????")), content_type="image/png")

    def is_right(self, fields: Mapping[str, str]) -> bool:
        """Whether a form's answer is right, in time, and not tried too often."""
        sechash = fields.get("seccodehash", "")
        if (
            fields.get("seccodemodid") not in ("member::logging", "forum::viewthread")
            or sechash not in self.codes
        ):
            return False
        self._tries[sechash] += 1
        in_time = time.monotonic() - self._made[sechash] <= SECONDS and self._tries[sechash] <= TRIES
        return in_time and fields.get("seccodeverify", "").upper() == self.codes[sechash]


def _drawn(code: str) -> bytes:
    image = Image.new("RGB", (100, 30), "#f0f4f8")
    ImageDraw.Draw(image).text((12, 8), " ".join(code), fill="#203040")
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()
