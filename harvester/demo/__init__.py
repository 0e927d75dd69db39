"""The bundled demo sites: a small Chinese forum in GBK and a torrent index, on loopback.

    with start_demo() as sites:
        harvest(sites.forum_url, sites.index_url)

Everything they hold is made up from fixed seeds, under names of things that are published openly.
"""

from harvester.demo.server import SiteState
from harvester.demo.sites import DemoSite, DemoSites, start_demo
from harvester.demo.truth import TruthRow

__all__ = ["DemoSite", "DemoSites", "SiteState", "TruthRow", "start_demo"]
