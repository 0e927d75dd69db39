"""The encoding that a document declares in its first bytes (HTML Standard, 13.2.3.2), read leniently.

Lenient where real pages are wrong in a way that leaves no doubt: `http-equiv` misspelt (`httpequiv`,
`http_equiv`, `equiv`), its value cut short, the attributes in any order, an XML declaration in front.
"""

from __future__ import annotations

import re

from harvester.text.encoding_labels import encoding_name

PRESCAN_BYTES = 4096
"""How far is read first. The standard says 1024; forums with long style blocks put the meta later."""

LATE_BYTES = 65_536
"""How far is read when nothing else tells: browsers, too, obey a late meta and parse again."""

_START = re.compile(rb"<(?:!--|meta[\s/]|[a-z/!?])", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""[\s/]*(?:(?P<end>>)|(?P<name>[^\s/>=][^\s/>=]*)"""
    rb"""(?:\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s>"'][^\s>]*))?)?)"""
)
_CONTENT_CHARSET = re.compile(rb"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))", re.IGNORECASE)
_XML = re.compile(rb"<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_HTTP_EQUIV = frozenset({b"http-equiv", b"httpequiv", b"http_equiv", b"http-equive", b"http-equv", b"equiv"})


def declared_encoding(body: bytes, limit: int = PRESCAN_BYTES) -> tuple[str, bool] | None:
    """The WHATWG name declared in the first `limit` bytes, and whether by an XML declaration; or None.

    A declaration of UTF-16 is read as UTF-8 (a document whose declaration can be read is not UTF-16) and
    `x-user-defined` as windows-1252, as the standard says.
    """
    head = body[:limit]
    lower = head.lower()
    if b"charset" not in lower and b"encoding" not in lower:
        # No declaration is without one of these words.
        return None
    position = 0
    while match := _START.search(head, position):
        opening = match.group().lower()
        if opening == b"<!--":
            # The dashes of the opening may serve the end as well: `<!-->` is a whole comment.
            end = head.find(b"-->", match.start() + 2)
            position = end + 3 if end >= 0 else len(head)
        elif opening.startswith(b"<meta") and len(opening) == 6:
            found, position = _meta(head, match.end() - 1)
            if found is not None:
                return _as_declared(found), False
        elif opening in (b"<!", b"<?") or (
            opening == b"</" and not head[match.end() : match.end() + 1].isalpha()
        ):
            end = head.find(b">", match.end())
            position = end + 1 if end >= 0 else len(head)
        else:
            position = _skip_tag(head, match.end())
    if xml := _XML.match(head.lstrip(b" \t\r\n")):
        name = encoding_name(xml.group(1).decode("latin-1"))
        return (_as_declared(name), True) if name else None
    return None


def _as_declared(name: str) -> str:
    if name.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of the tag whose name ends at `position` (first of a name wins), and where it ends."""
    found: dict[bytes, bytes] = {}
    while (match := _ATTRIBUTE.match(head, position)) is not None:
        position = match.end()
        if match.group("end"):
            return found, position
        value = match.group("double") or match.group("single") or match.group("bare") or b""
        found.setdefault(match.group("name").lower(), value)
    # No `>` before the end of what is read: the tag is incomplete and says nothing.
    return {}, len(head)


def _meta(head: bytes, position: int) -> tuple[str | None, int]:
    attributes, position = _attributes(head, position)
    label: bytes | None = attributes.get(b"charset")
    name = encoding_name(label.decode("latin-1")) if label is not None else None
    if name is not None or not _is_content_type(attributes):
        return name, position
    if match := _CONTENT_CHARSET.search(attributes.get(b"content", b"")):
        raw = match.group(1) or match.group(2) or match.group(3) or b""
        name = encoding_name(raw.decode("latin-1"))
    return name, position


def _is_content_type(attributes: dict[bytes, bytes]) -> bool:
    for name in _HTTP_EQUIV & attributes.keys():
        if attributes[name].lower().startswith(b"content"):
            return attributes[name].lower() in (b"content-type", b"content_type", b"contenttype", b"content")
    return False


def _skip_tag(head: bytes, position: int) -> int:
    while position < len(head) and head[position] not in b" \t\n\r\f/>":
        position += 1
    _, position = _attributes(head, position)
    return position
