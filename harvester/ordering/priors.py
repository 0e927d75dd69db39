"""What a link is worth before anything like it was fetched, from its words and its place on the page.

Weak evidence: one or two visits of a kind outweigh it. Numbers are torrents a request.
"""

from __future__ import annotations

import re
from functools import lru_cache

from harvester.model.order import PageLink

DOWNLOAD = 0.9
ROW = 0.25
"""The link that names the object of a row."""
PLAIN = 0.12
GOOD = 0.35
POOR = 0.02
VARIANT = 0.05
"""Another view of what is listed already: sorted, filtered, printed."""

_GOOD = re.compile(
    r"torrent|seed|release|download|browse|\bbt\b|种子|種子|下载|下載|发布|發佈|资源|資源|раздач|торрент|скачать"
    r"|descarg|télécharg|ダウンロード|\biso\b|\bfiles?\b"
)
_LIST = re.compile(r"forum|board|categor|archive|index|list|dataset|collection|版块|板块|论坛|раздел|\bcat\b")
_POOR = re.compile(
    r"\b(?:help|faq|rules?|terms|privacy|contact|about|imprint|legal|cookies?|register|signup|sign|login|logging|log|"
    r"logout|lost|lostpw|forgot|password|search|members?|memberlist|profile|user|users|uid|author|authorid|online|"
    r"whosonline|viewonline|team|staff|stats?|statistics|calendar|donate|advertis\w*|report|bookmarks?|favou?rites?|"
    r"print|printable|archiver|mobile|whoposted|polls?|avatar|gallery|groups?|friends?|pm|message|messages|compose|"
    r"reply|quote|post|posting|newreply|newthread|subscribe|mailto|share|tweet|facebook|language|lang|theme|style|"
    r"misc|space|home|ucp|usercp|account|settings|options|feed|rss|atom|comments?|replytocom|redirect|goto|findpost|"
    r"lastpost|unread|getnew|api|status|blog|news|wiki|invite|rank|medal|credits?|shop|task|plugin)\b"
    r"|用户|會員|会员|登录|登錄|注册|註冊|帮助|幫助|搜索|помощь|поиск|регистрация|профиль|войти"
)
_VARIANT = re.compile(
    r"[?&;](?:sort|order|orderby|order_by|sk|sd|st|dir|filter|view|mode|print|display|style|dateline|ascdesc|"
    r"direction|sortby|s?ort|o|type|time|day|daysprune|highlight|pid|p|post|action|typeid|specialtype)="
)


_FILE = re.compile(
    r"\.(?:txt|gpg|asc|sig|sign|sha\d*|md5|sums?|iso|img|zip|rar|7z|gz|bz2|xz|tgz|pdf|docx?|xlsx?|mp[34]|mkv|avi|flac|"
    r"ogg|exe|msi|apk|deb|rpm|jigdo|zsync|manifest|log|css|js|json|ics|vcf)(?:$|\?)"
    r"|/(?:(?:sha|md)\d*sums?|readme|changelog|manifest|license|copying)(?:$|[.?])"
)
"""Files that are neither pages nor torrents."""


@lru_cache(maxsize=16384)
def _of_words(url: str, anchor: str) -> float:
    path = url.partition("://")[2].partition("/")[2].lower()
    if _FILE.search("/" + path):
        return POOR
    words = re.sub(r"[\d_%+./=&?;-]+", " ", path)
    text = anchor.lower()
    if _POOR.search(words) or (len(text) <= 30 and _POOR.search(text)):
        return POOR
    if _GOOD.search(text) or _GOOD.search(words):
        return GOOD
    if _VARIANT.search("?" + path.partition("?")[2]):
        return VARIANT
    return PLAIN * 1.5 if _LIST.search(words) else PLAIN


def prior(link: PageLink, *, names_row: bool) -> float:
    """Torrents a request that a link of an unknown kind may give.

    `names_row`: it stands in a list of repeated rows, and is what the row is about.
    """
    if link.download:
        return DOWNLOAD
    value = _of_words(link.url[:300], link.anchor[:60])
    if link.depth <= 1 and value <= VARIANT:
        return value
    if names_row and value >= PLAIN:
        return max(value, ROW) + 0.03
    return value


_VIEW_NAMES = frozenset(
    [
        "sort",
        "order",
        "orderby",
        "order_by",
        "sortby",
        "sk",
        "sd",
        "st",
        "dir",
        "direction",
        "ascdesc",
        "filter",
        "view",
        "mode",
        "print",
        "display",
        "style",
        "layout",
        "theme",
        "lang",
        "language",
        "s",
        "o",
        "highlight",
        "daysprune",
        "dateline",
        "extra",
    ]
)


def is_variant(source: str, key: str) -> bool:
    """Whether a link shows its own page in another way: the same path, more parameters (canonical keys).

    Many a site has one path for everything: beside a page without parameters only such count that are named
    like a view of it.
    """
    path, _, query = key.partition("?")
    source_path, _, source_query = source.partition("?")
    if path != source_path or not query:
        return False
    pairs = set(query.split("&"))
    if source_query:
        return set(source_query.split("&")) < pairs
    return all(pair.partition("=")[0].lower() in _VIEW_NAMES for pair in pairs)
