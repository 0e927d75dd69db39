"""What a page is about: title, heading, main text, language, fingerprint."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from harvester.model.text import PageText


def analyse(
    html: str, *, tree: LexborHTMLParser | None = None, url: str = "", declared_language: str = ""
) -> PageText:
    """Analyse a page; `tree` is its parsed tree where the caller has one (it is only read)."""
    raise NotImplementedError
