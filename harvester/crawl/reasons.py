"""The stable words by which a crawl counts what it left, met and failed at, in sentences for people.

The words are a public contract (`--json`, the database); the sentences may change.
"""

from __future__ import annotations

_SENTENCES = {
    # links and pages that were left
    "off_site": "links to other sites: recorded, not followed",
    "torrent_elsewhere": "torrents on other hosts",
    "url_too_long": "URLs longer than any real one",
    "not_a_url": "links that are no URL",
    "scheme": "links of another kind than http",
    "too_deep": "pages further from the start than the site file allows",
    "excluded_path": "paths that the site file leaves out",
    "outside_path": "paths outside those the site file names",
    "file_type": "files of a kind that is not collected (archives, videos, images)",
    "already_read": "URLs whose page was read under another address",
    "near_duplicate": "pages that say the same as one read before; their links were followed",
    "gone": "pages that are gone (404, 410)",
    "soft_404": "pages that say 'not found' without a 404",
    "not_a_torrent": "downloads that turned out to be no torrent",
    "redirect_off_site": "redirects to another site: recorded, not followed",
    "max_requests": "stopped by the limit of requests",
    # what is refused for safety
    "private_address": "refused: the address belongs to a private network",
    "local_name": "refused: the name belongs to this machine or network",
    "bad_port": "refused: the port is not one of the web",
    "bad_url": "refused: an address that no browser would open",
    "bad_request": "refused: a request that cannot be written down",
    "downgrade": "refused: a redirect from https to http with an account",
    # robots.txt
    "robots": "closed by the site's robots.txt",
    "robots_unavailable": "the site's robots.txt does not answer: closed for now",
    "reply_not_allowed": "replies are not allowed by the site file",
    # torrents
    "broken_torrent": "torrent files that are broken",
    "empty": "empty answers",
}
_GROUPS = {
    "action": "links that would change something on the site ({}): never followed",
    "rule": "left by a rule of the site ({})",
    "trap": "a trap: {}",
    "type": "files that are neither page nor torrent ({})",
    "magnet": "magnet links that cannot be read ({})",
    "robots": "closed by the site's robots.txt ({})",
}
_TRAPS = {
    "pagination_repeats": "a list whose further pages repeat themselves",
    "copies": "pages that are copies of each other",
    "growing_number": "a number in the URL that only grows",
    "barren": "pages that lead only to more of their kind",
    "path_depth": "more folders than a site for people has",
    "repeated_segments": "folders that repeat themselves (/a/b/a/b/)",
    "dot_segments": "relative links that were never resolved (/././)",
    "repeated_parameters": "one parameter again and again",
    "several_sessions": "several session ids in one URL",
    "escaped_again": "a URL that is escaped once more on every page",
    "nested_urls": "URLs inside URLs inside URLs",
    "huge_page_number": "a page number beyond any list",
    "calendar": "a calendar without an end",
    "impossible_year": "a year that no page was written in",
}
_WALLS = {
    "login": "behind a login",
    "reply": "shown to those who replied",
    "pay": "shown to those who paid points",
    "permission": "for members of a higher rank",
    "captcha": "behind a captcha",
    "second_factor": "behind a second factor",
    "challenge": "behind a browser challenge, which is never bypassed",
    "ban": "the account or address is banned",
    "moderation": "waiting for a moderator",
    "referer": "shown only when one comes from the right page",
    "robots": "downloads closed by robots.txt, until the site file says otherwise",
    "password": "behind a board's own password",
}
_ERRORS = {
    "dns": "the name has no address",
    "connect": "no connection",
    "timeout": "no answer in time",
    "too_large": "more bytes than a page or torrent has",
    "truncated": "the answer ended early",
    "bad_response": "the answer is not HTTP, or cannot be decoded",
    "redirects": "redirects without an end",
    "refused": "refused on purpose",
    "empty": "an empty file instead of a torrent",
    "broken_torrent": "a broken torrent file",
}


def why_left(reason: str) -> str:
    """A sentence for a reason of `Left`; a reason nobody foresaw is its own."""
    known = _SENTENCES.get(reason)
    if known is not None:
        return known
    group, _, detail = reason.partition(":")
    if group == "trap" and detail in _TRAPS:
        return _GROUPS["trap"].format(_TRAPS[detail])
    if detail and group in _GROUPS:
        return _GROUPS[group].format(detail.replace("_", " "))
    return reason.replace("_", " ")


def which_wall(kind: str) -> str:
    """A few words for a kind of wall."""
    return _WALLS.get(kind, kind.replace("_", " "))


def what_failed(kind: str) -> str:
    """A few words for a kind of error."""
    if kind.startswith("http_"):
        return f"the site answered {kind[5:]}"
    return _ERRORS.get(kind, kind.replace("_", " "))
