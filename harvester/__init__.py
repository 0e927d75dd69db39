"""Harvest collects BitTorrent seed files from sites and forums and makes them searchable."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("harvest-bt")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+source"
