"""Answers of Discuz to `inajax=1`: XML around CDATA, and the verdict in a script inside it."""

from __future__ import annotations

import re

_VERDICT = re.compile(
    r"(?:errorhandle|succeedhandle)_\w{0,40}\('((?:[^'\\]|\\.){0,2000})'(?:, ?'((?:[^'\\]|\\.){0,2000})')?"
)


def unwrapped(html: str) -> str:
    """The page inside such an answer, the verdict put before it as a message box; any other page as it is."""
    start = html.find("<![CDATA[", 0, 500)
    if start < 0 or not html[:500].lstrip().startswith("<?xml"):
        return html
    inner = html[start + 9 :].rstrip().removesuffix("</root>").rstrip().removesuffix("]]>")
    said = message_in(inner)
    return f'<div id="messagetext">{said}</div>{inner}' if said else inner


def message_in(html: str) -> str:
    """What the handlers of such an answer are told, "" when there are none."""
    found = _VERDICT.search(html[:20_000])
    return " ".join(group for group in found.groups() if group) if found else ""
