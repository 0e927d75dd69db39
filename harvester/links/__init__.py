"""What a page points to: extraction, joining, identity keys, feeds, and the codecs of download links."""

from harvester.links.decode import decode_link
from harvester.links.extract import extract_links, extract_text_links
from harvester.links.feeds import extract_feed
from harvester.links.hints import looks_like_download
from harvester.links.json_lists import extract_json_links
from harvester.links.keys import canonical_key, key_hash
from harvester.links.resolve import LinkMemo
from harvester.links.urls import join, parse_url
from harvester.text.bombs import defused

__all__ = [
    "LinkMemo",
    "canonical_key",
    "decode_link",
    "defused",
    "extract_feed",
    "extract_json_links",
    "extract_links",
    "extract_text_links",
    "join",
    "key_hash",
    "looks_like_download",
    "parse_url",
]
