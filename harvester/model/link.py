"""What a page points to: links, the pages they were found on, and decoded download links."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from harvester.model.magnet import Magnet


class LinkKind(StrEnum):
    """What a link is, as far as its URL and its place tell; nothing was fetched to know it."""

    PAGE = "page"
    """http(s), nothing known against it being a page."""
    DOWNLOAD = "download"
    """http(s) that looks like a download (`.torrent`, attachment shapes): a hint for ordering only."""
    ASSET = "asset"
    """http(s) image, script, style or font: never worth a request of a crawl."""
    MAGNET = "magnet"
    INFOHASH = "infohash"
    """A bare infohash beside a label; the URL is the magnet made of it."""
    ED2K = "ed2k"
    """Recorded, not fetched, and no torrent."""
    FTP = "ftp"
    """Recorded, not fetched."""


class LinkSource(StrEnum):
    """Where in a page a link was found."""

    HREF = "href"
    """`<a href>`, the common case; also `<area href>`."""
    FRAME = "frame"
    """`<frame src>`, `<iframe src>`."""
    FORM = "form"
    """`<form action>`; kept apart from the other links in `PageLinks.forms`."""
    META = "meta"
    """Meta refresh, `<link rel=next|prev|canonical|alternate>`, `<base>` excluded."""
    ATTRIBUTE = "attribute"
    """Any other attribute of any element."""
    TEXT = "text"
    SCRIPT = "script"
    """A string literal of a script or of an event handler."""
    FEED = "feed"
    """RSS, Atom or RDF: enclosures, torrent elements, item links."""


class Row(Struct, frozen=True):
    """A place in a list of repeated siblings (table rows, list items, posts).

    `group` numbers the lists of one page from 0 in document order, `index` the elements of one list
    from 0. Links with an equal `Row` describe one object.
    """

    group: int
    index: int


class Link(Struct, frozen=True):
    """One link of a page, decoded and absolute.

    `url` is the fetch URL (byte for byte as found, see `docs/links.md`), `key` its identity
    (`harvester.links.keys.canonical_key`). `anchor` is its text, white space folded, at most 200
    characters; an image's alt or title where there is no text. `tag_path` is the chain of elements
    down to it, each as `tag` or `tag.first-class`, joined by `/` (`html/body/table.list/tr/td/a`); at
    most the 12 innermost. `chain` names the codecs it came through, outermost first (`("thunder",)`,
    empty for a plain link). `rel` holds the lower-case words of its `rel` attribute. `title` is a name
    the page or the codec gives for the file behind it (`thunderrestitle`, a feed item's title), or "".
    `method` is what a script sends when the link is clicked (`data-method`, `hx-post`, a handler that posts).
    """

    url: str
    key: str
    kind: LinkKind = LinkKind.PAGE
    source: LinkSource = LinkSource.HREF
    anchor: str = ""
    tag_path: str = ""
    row: Row | None = None
    rel: frozenset[str] = frozenset()
    chain: tuple[str, ...] = ()
    title: str = ""
    method: str = "GET"


class RejectedLink(Struct, frozen=True):
    """A link that looked like an encoded download and is none: its text (at most 200 characters), why."""

    text: str
    reason: str


class PageLinks(Struct, frozen=True):
    """Everything a page points to.

    `links` are in document order, no `url` twice (the first place is kept, and the longest anchor). `forms`
    are the actions of its forms, never mixed with the links. `base` is what relative links were resolved
    against. `refresh` is the target of a meta refresh and `refresh_delay` its seconds. `truncated` says that
    a bound (bytes, links, depth) cut the page. `marks` are the icons of rows, as numbers that are equal for
    equal icons, sorted; a row without any is not in it, and it is None where icons were not looked at.
    """

    base: str
    links: tuple[Link, ...] = ()
    forms: tuple[Link, ...] = ()
    canonical: str | None = None
    next: str | None = None
    refresh: str | None = None
    refresh_delay: float = 0.0
    feeds: tuple[str, ...] = ()
    rejected: tuple[RejectedLink, ...] = ()
    truncated: bool = False
    marks: Mapping[Row, tuple[int, ...]] | None = None


class Ed2kFile(Struct, frozen=True):
    """An ed2k file link: `hash` is 32 lower-case hex (MD4), `aich` base32 in upper case or None."""

    name: str
    size: int
    hash: str
    aich: str | None = None
    part_hashes: tuple[str, ...] = ()


class DiscuzAid(Struct, frozen=True):
    """The inside of a Discuz attachment id, `base64(aid|key|time|uid|tid)`; absent numbers are 0."""

    aid: int
    key: str
    time: int
    uid: int
    tid: int


class Decoded(Struct, frozen=True):
    """A download link, unwrapped.

    `url` is http, https, ftp, magnet or ed2k, ASCII only. `chain` names what it came through, outermost
    first, and ends with the scheme family (`http`, `ftp`, `magnet`, `ed2k`) unless a codec already
    gave a plain http or ftp URL. `display` is for people: percent-encoding undone where it is text.
    `lenient` says that the wrapper broke its own format and was understood all the same.
    `payload_encoding` is the charset of the innermost byte payload (`utf-8`, `gb18030`), None for ASCII.
    `alternatives` are other spellings worth a try when `url` fails (UTF-8 for a GBK path).
    `fetch_allowed` is False where no HTTP request may be made of it: not http(s), or a host that is a
    literal private, loopback or link-local address. `secret_params` names query parameters (of the
    URL or of a magnet's trackers) whose values must not be shown.
    """

    url: str
    chain: tuple[str, ...]
    display: str = ""
    lenient: bool = False
    payload_encoding: str | None = None
    alternatives: tuple[str, ...] = ()
    fetch_allowed: bool = True
    magnet: Magnet | None = None
    ed2k: Ed2kFile | None = None
    discuz_aid: DiscuzAid | None = None
    file_name: str | None = None
    file_size: int | None = None
    secret_params: tuple[str, ...] = ()
