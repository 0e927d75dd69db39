"""Captchas in front of a form: told apart, their image made safe to show. Solving is for the operator."""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Callable, Mapping

import ada_url
import re2
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from harvester.access.flow import Flow, ask
from harvester.access.forms import Form
from harvester.access.knowledge import LoginKnowledge
from harvester.access.login_choice import LoginForm
from harvester.errors import AccessError
from harvester.model.http import Request, Response

MAX_BYTES = 2 << 20
MAX_SIDE = 2_000
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP")

_COMMERCIAL = re.compile(
    r"class=[\"'][^\"']{0,200}(?:g-recaptcha|h-captcha|cf-turnstile|smart-captcha|frc-captcha|geetest_|nc-container)"
    r"|data-sitekey=|\bid=[\"'](?:geetest|nc_1_wrapper)|initGeetest|grecaptcha\.(?:execute|render)|turnstile\.render|hcaptcha\.render"
    r"|new TencentCaptcha",
    re.IGNORECASE,
)
_IMAGE = (
    "img[src*='seccode'], img[src*='regimage'], img[src*='captcha' i], img[src*='mode=confirm'], img[src*='verif' i], "
    "img[src*='imagehash'], img[src*='ck.php'], img[src*='cap_'], img[src*='vcode'], img[src*='securimage'], img[src*='a=get'], "
    "img[src*='type=hv'], img[alt*='CAPTCHA' i], img[id*='captcha' i], img[class*='captcha' i], img[src^='data:image']"
)
_SOURCE = re.compile(r"""\bsrc=\\?["']([^"'\\<>]{1,1000})\\?["']""", re.IGNORECASE)
_QUESTION = re.compile(r"[?？=]|\bwhat\b|\bhow\b|等于|多少|\bcombien\b|сколько", re.IGNORECASE)

Solver = Callable[[str, bytes], str]
"""A plugged-in solver: kind (`image`, `question`) and the PNG (or the question as UTF-8); "" when it cannot."""


class Captcha(Struct, frozen=True):
    """What a form asks a person: an image (`image` is a safe PNG) or a question in words.

    `field` is the name that takes the answer, `extra` are fields that a script would have added.
    """

    field: str
    prompt: str = ""
    image: bytes = b""
    extra: tuple[tuple[str, str], ...] = ()


def commercial(html: str) -> str:
    """The mark of a commercial challenge in a page, "" when there is none. Such are never answered."""
    found = _COMMERCIAL.search(html[:2_000_000])
    return found.group()[:80] if found else ""


def find_captcha(
    login: LoginForm, html: str, tree: LexborHTMLParser, knowledge: LoginKnowledge
) -> Flow[Captcha | None]:
    """The captcha of a login form, its image fetched; None when it has none.

    `AccessError` when there is one that cannot be shown.
    """
    return find_form_captcha(
        login.form,
        login.answer.name if login.answer is not None else "",
        login.answer.label if login.answer is not None else "",
        html,
        tree,
        knowledge,
    )


def find_form_captcha(
    form: Form, field: str, label: str, html: str, tree: LexborHTMLParser, knowledge: LoginKnowledge
) -> Flow[Captcha | None]:
    """The captcha of any form whose answer goes into `field` ("" when the form shows none)."""
    if knowledge.captcha_found and (found := re2.search(knowledge.captcha_found, html[:2_000_000])):
        return (yield from _by_script(form, found.groupdict(), knowledge))
    if not field:
        return None
    selector = knowledge.captcha_image or _IMAGE
    node = tree.css_first(selector) or (tree.css_first(_IMAGE) if selector != _IMAGE else None)
    if node is not None:
        source = node.attributes.get("src") or ""
        return Captcha(field, image=(yield from _image(form, source)))
    if _QUESTION.search(label):
        return Captcha(field, prompt=label)
    return None


def _by_script(
    form: Form, groups: Mapping[str, str | None], knowledge: LoginKnowledge
) -> Flow[Captcha | None]:
    """A captcha that a script puts into the form: fetch what the script would, then the image it names."""
    names = {name: value or "" for name, value in groups.items()}
    extra = tuple((name, value.format_map(names)) for name, value in knowledge.captcha_fields)
    url = _join(form.page, knowledge.captcha_script.format_map(names))
    script = yield from ask(Request(url, referer=form.page))
    text = script.body[:200_000].decode("utf-8", "replace")
    source = next((one for one in _SOURCE.findall(text) if "seccode" in one or "captcha" in one), "")
    if not source:
        raise AccessError(
            "the captcha could not be loaded",
            why="its script names no image",
            hint="log in by browser and import the cookies: harvest account add SITE --cookies FILE",
        )
    image = yield from _image(form, source.replace("&amp;", "&"))
    return Captcha(knowledge.captcha_input, image=image, extra=extra)


def _image(form: Form, source: str) -> Flow[bytes]:
    if source.startswith("data:image"):
        try:
            return safe_image(base64.b64decode(source.partition(",")[2][: MAX_BYTES * 2]))
        except ValueError as error:
            raise AccessError("the captcha's image cannot be read", why=str(error)) from None
    request = Request(_join(form.page, source), headers=(("Accept", "image/*"),), referer=form.page)
    response: Response = yield from ask(request)
    if response.status != 200:
        raise AccessError("the captcha's image did not come", why=f"status {response.status}")
    return safe_image(response.body)


def _join(base: str, url: str) -> str:
    try:
        return str(ada_url.join_url(base, url)).partition("#")[0]
    except ValueError:
        raise AccessError("the captcha's address is no URL") from None


def safe_image(content: bytes) -> bytes:
    """The image as a PNG that we made ourselves; `AccessError` for what is no image, or too large."""
    from PIL import Image  # heavy, and most sites have no captcha

    if len(content) > MAX_BYTES:
        raise AccessError("the captcha's image is too large", why=f"{len(content):,} bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
                if max(image.size) > MAX_SIDE:
                    raise AccessError(
                        "the captcha's image is too large", why=f"{image.width} x {image.height} pixels"
                    )
                shown = image.convert("RGB")
    except (
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise AccessError("the captcha's image cannot be read", why=str(error)[:200]) from None
    written = io.BytesIO()
    shown.save(written, "PNG")
    return written.getvalue()
