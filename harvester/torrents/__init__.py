"""Torrent files: recognising, decoding and reading them."""

from harvester.torrents.flags import describe_flag
from harvester.torrents.metainfo import identify, parse_torrent
from harvester.torrents.recognition import recognise

__all__ = ["describe_flag", "identify", "parse_torrent", "recognise"]
