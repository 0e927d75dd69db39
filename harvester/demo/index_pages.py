"""The HTML and RSS of the demo torrent index."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import formatdate
from html import escape

from harvester.demo.index_listing import CATEGORIES, Listing

_CSS = """
body{margin:0;background:#fafbfc;color:#222;font:14px/1.5 system-ui,sans-serif}a{color:#176;text-decoration:none}
a:hover{text-decoration:underline}header{background:#154c43;color:#fff;padding:12px 20px}header a{color:#fff}
header h1{display:inline;font-size:20px;margin-right:24px}main{max-width:1080px;margin:16px auto;padding:0 14px}
table{width:100%;border-collapse:collapse;background:#fff}td,th{padding:6px 9px;border:1px solid #e3e7ea}
th{background:#eef3f1;text-align:left}tr.success{background:#f0faf0}.pagination a,.pagination b{margin-right:8px}
.panel{background:#fff;border:1px solid #e3e7ea;padding:12px 16px;margin-bottom:14px}footer{color:#999;padding:20px}
"""


def size_text(size: int) -> str:
    """`4.2 GiB`, as index sites write it."""
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} TiB"


def page(title: str, body: str, extra: str = "") -> str:
    """A whole page around `body` (HTML)."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} :: Open Index</title>
<link rel="alternate" type="application/rss+xml" title="RSS" href="/?page=rss">{extra}
<style>{_CSS}</style></head>
<body><header><h1><a href="/">Open Index</a></h1><a href="/">Browse</a> &nbsp; <a href="/?page=rss">RSS</a> &nbsp;
<a href="/rules">Rules</a> &nbsp; <a href="/help">Help</a> &nbsp; <a href="/login">Log in</a></header>
<main>{body}</main><footer>Demo site; everything on it is made up.</footer></body></html>
"""


def list_body(listings: Sequence[Listing], query: dict[str, str], number: int, pages: int) -> str:
    """A page of the list, with its sort links and pager."""
    kept = "".join(
        f"&amp;{escape(name)}={escape(value)}" for name, value in query.items() if name in ("c", "s", "o")
    )
    sorts = "".join(
        f'<th><a href="/?s={key}&amp;o=desc">{label}</a></th>'
        for key, label in (
            ("size", "Size"),
            ("id", "Date"),
            ("seeders", "Seeders"),
            ("downloads", "Downloads"),
        )
    )
    rows = "".join(_row(listing) for listing in listings)
    flips = "".join(
        f"<b>{i}</b>" if i == number else f'<a href="/?p={i}{kept}">{i}</a>' for i in range(1, pages + 1)
    )
    if number < pages:
        flips += f'<a rel="next" href="/?p={number + 1}{kept}">next</a>'
    categories = " ".join(f'<a href="/?c={code}">{name}</a>' for code, name in CATEGORIES.items())
    return (
        f'<p>{categories}</p><table class="torrent-list"><thead><tr><th>Category</th><th>Name</th><th>Link</th>{sorts}'
        f'</tr></thead><tbody>{rows}</tbody></table><p class="pagination">{flips}</p>'
    )


def _row(listing: Listing) -> str:
    links = f'<a href="{escape(listing.magnet)}">magnet</a>'
    if not listing.magnet_only:
        links = f'<a href="/download/{listing.number}.torrent">torrent</a> {links}'
    return (
        f'<tr class="{"success" if listing.number % 9 == 0 else "default"}">'
        f'<td><a href="/?c={listing.category}">{CATEGORIES[listing.category]}</a></td>'
        f'<td><a href="/view/{listing.number}#comments" class="comments">{listing.number % 4}</a> '
        f'<a href="/view/{listing.number}" title="{escape(listing.title)}">{escape(listing.title)}</a></td>'
        f"<td>{links}</td><td>{size_text(listing.seed.size)}</td>"
        f'<td data-timestamp="{listing.published}">{formatdate(listing.published)[5:16]}</td>'
        f"<td>{listing.number * 7 % 240}</td><td>{listing.number * 31 % 4000}</td></tr>"
    )


def view_body(listing: Listing) -> str:
    """A torrent's own page."""
    seed = listing.seed
    files = "".join(f"<li>{escape(path)} ({size_text(size)})</li>" for path, size in seed.files)
    download = (
        ""
        if listing.magnet_only
        else f'<a href="/download/{listing.number}.torrent">Download Torrent</a> or '
    )
    return f"""<div class="panel"><h2>{escape(listing.title)}</h2>
<p>Category: <a href="/?c={listing.category}">{CATEGORIES[listing.category]}</a> | Submitter:
<a href="/user/{listing.user}">{listing.user}</a> | File size: {size_text(seed.size)} |
Info hash: <kbd>{seed.infohash}</kbd></p>
<p>{download}<a href="{escape(listing.magnet)}">Magnet</a></p></div>
<div class="panel"><h3>File list</h3><ul>{files}</ul></div>
<div class="panel" id="comments"><h3>Comments</h3><p>Thanks, seeding.</p>
<p><a href="/view/{listing.number}/report">Report</a> | <a href="/view/{listing.number}/vote?up=1">Vote up</a> |
<a href="/view/{listing.number}/delete?token=2f6c1f">Delete</a></p></div>"""


def rss(origin: str, listings: Sequence[Listing]) -> str:
    """The feed: enclosures and magnets, with the zero length that such feeds are known for."""
    items = "".join(
        f"<item><title>{escape(listing.title)}</title><link>{origin}/download/{listing.number}.torrent</link>"
        f'<guid isPermaLink="true">{origin}/view/{listing.number}</guid>'
        f"<pubDate>{formatdate(listing.published, usegmt=True)}</pubDate>"
        f'<enclosure url="{origin}/download/{listing.number}.torrent" length="0" type="application/x-bittorrent"/>'
        f"<torrent:infoHash>{listing.seed.infohash}</torrent:infoHash></item>"
        for listing in listings
        if not listing.magnet_only
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:torrent="http://xmlns.ezrss.it/0.1/">'
        f"<channel><title>Open Index</title><link>{origin}/</link><description>RSS feed</description>{items}"
        "</channel></rss>"
    )
