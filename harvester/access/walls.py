"""Recognise and name the walls in an answer."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser

from harvester.model.wall import Wall


def recognise_wall(
    url: str,
    status: int,
    headers: Mapping[str, str],
    html: str,
    *,
    engine: str = "",
    final_url: str = "",
    tree: LexborHTMLParser | None = None,
) -> list[Wall]:
    """The walls that an answer shows, the most decisive first; an empty list when there is none.

    `url` is what was asked for, `final_url` where redirects led (empty: nowhere else), `headers` have
    lower-case names, `html` is the decoded body (empty for a redirect or a binary body), `engine` a hint
    (`discuz`, `phpbb`, …). Never raises; time is bounded by the size of the body.
    """
    raise NotImplementedError
