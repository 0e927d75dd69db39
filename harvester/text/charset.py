"""From bytes to text: BOM, header, prescan, detector."""

from __future__ import annotations

from harvester.model.text import DecodedPage


def decode_page(body: bytes, content_type: str | None = None, override: str | None = None) -> DecodedPage:
    """Decode a page or text body; never raises, whatever the bytes.

    In this order: `override` (the site file's `encoding`), BOM, the charset of the Content-Type header,
    the declaration in the first bytes (meta, XML), a detector. GBK and GB2312 are read as gb18030.
    """
    raise NotImplementedError


def python_codec(label: str) -> str | None:
    """The Python codec for a WHATWG encoding label, or None when the label is unknown."""
    raise NotImplementedError
