"""A crawl killed again and again against one that is left alone.

    ./dev bench resume [--kills N] [--pages N] [--seed N]

Serves a site on loopback, crawls it once undisturbed, then once more with `harvest full` in a process that is
killed (SIGKILL) at random instants and started again. Fails when the results differ (torrents, sightings and
their counts, walls), when something is stored twice, or when more requests were repeated than the kills
times a batch and what is in flight.

The scope's depth is out of the way: which pages lie beyond it depends on the ways that were found, and a run
that goes on after a kill has not seen those that the one before saw.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from benchmarks._harness import machine, progress, say
from harvester import wiring
from harvester.crawl.committer import BATCH_VISITS
from harvester.crawl.options import CrawlOptions
from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.model.site import SiteFile
from harvester.patterns.sitefile import dump_site_file, site_from_url
from harvester.settings import Settings

WORDS = (
    "oak",
    "elm",
    "ash",
    "yew",
    "fir",
    "lime",
    "pine",
    "alder",
    "hazel",
    "birch",
    "maple",
    "cedar",
    "larch",
)
TORRENT_EVERY = 5


class TreeSite:
    """A tree of pages, three children each, links across; every fifth has a torrent that others show too."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.hits: Counter[str] = Counter()

    async def answer(self, request: Request) -> Response:
        """One page, or one torrent."""
        self.hits[request.target] += 1
        name = request.path.strip("/")
        if request.path == "/robots.txt":
            return Response(b"", status=404)
        if name.endswith(".torrent"):
            return Response(torrent(int(name[1:-8])), content_type="application/x-bittorrent")
        number = int(name.partition("-")[2] or 0)
        rng = random.Random(number)
        links = [3 * number + child for child in (1, 2, 3)] + [rng.randrange(self.pages) for _ in range(5)]
        shown = [number] if number % TORRENT_EVERY == 0 else []
        shown += [rng.randrange(self.pages) // TORRENT_EVERY * TORRENT_EVERY]
        text = " ".join(rng.choices(WORDS, k=150))
        anchors = "".join(f"<a href='/topic-{n}'>{rng.choice(WORDS)}</a> " for n in links if n < self.pages)
        files = "".join(f"<a href='/t{n}.torrent'>file {n}</a> " for n in shown)
        body = f"<title>Topic {number}</title><h1>Topic {number}</h1><p>{text}</p>{files}{anchors}"
        return Response(body.encode())


def torrent(number: int) -> bytes:
    """A small torrent of its own."""
    pieces = hashlib.sha1(str(number).encode(), usedforsecurity=False).digest()
    name = f"file-{number}".encode()
    return b"d4:infod6:lengthi1000e4:name%d:%b12:piece lengthi16384e6:pieces20:%bee" % (
        len(name),
        name,
        pieces,
    )


def contents(folder: Path) -> tuple[object, ...]:
    """What must be the same, whatever was killed."""
    with wiring.opened_store(Settings(data=folder)) as store:
        sightings = Counter(
            (one.infohash_v1, sighting.page_url, sighting.download_url, sighting.times)
            for one, sighting in store.iter_sightings()
        )
        found = {finding.kind for finding in store.check(now=time.time() + 10_000)} - {
            "orphan_blob",
            "unfinished_blob",
        }
        crawls = [(crawl.state, crawl.figures["torrents_new"]) for crawl in store.crawls()]
        return sightings, store.walls(), found, crawls


def _site(url: str) -> SiteFile:
    site = site_from_url(url)
    return replace(site, scope=replace(site.scope, depth=200))


def run(kills: int, pages: int, seed: int) -> int:
    """0 when nothing differs."""
    site, listener, rng = TreeSite(pages), loopback_socket(), random.Random(seed)
    url = f"{origin_of(listener)}/"
    with tempfile.TemporaryDirectory() as place, SiteThread([(site.answer, listener)]):
        whole, killed = Path(place, "whole"), Path(place, "killed")
        with wiring.opened_store(Settings(data=whole), create=True) as store:
            report = wiring.full_crawl(Settings(data=whole), store, _site(url), CrawlOptions())
        asked = site.hits.total()
        say(f"undisturbed: {asked:,} requests, {report.figures.torrents_new:,} torrents")
        description = Path(place, "site.yaml")
        description.write_text(dump_site_file(_site(url)), encoding="utf-8")
        command = [sys.executable, "-m", "harvester", "full", "--site", str(description), "--json"]
        command += ["--data", str(killed)]
        done, most = (
            0,
            max(2, 3 * asked // (2 * kills) - 30),
        )  # so that the crawl is not done before the kills are
        for number in range(kills):
            progress(number + 1, kills)
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            target = site.hits.total() + rng.randrange(most)
            while site.hits.total() < target and process.poll() is None:
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.02))
            done += process.poll() is None
            process.kill()
            process.wait()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        repeated = site.hits.total() - 2 * asked
        pairs = list(zip(contents(whole), contents(killed), strict=True))
        same = all(one == other for one, other in pairs)
        for one, other in pairs:
            if isinstance(one, Counter) and isinstance(other, Counter):
                for title, extra in (("missing", one - other), ("too many", other - one)):
                    if extra:
                        say(f"{title}: {extra.total():,} sightings, such as {next(iter(extra))}")
            elif one != other:
                say(f"undisturbed {one}, killed {other}")
    bound = done * (BATCH_VISITS + CrawlOptions().concurrency)
    say(
        f"killed {done} times: {repeated:,} requests repeated "
        f"({repeated / max(done, 1):.1f} a kill, {bound:,} allowed)"
    )
    say(f"torrents, sightings and walls: {'the same' if same else 'DIFFERENT'}")
    return 0 if same and repeated <= bound and done == kills else 1


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    say(machine())
    sys.exit(run(given.kills, given.pages, given.seed))


if __name__ == "__main__":
    main()
