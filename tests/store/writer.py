"""A crawl of a made-up site, for `test_resume` to kill: `python -m tests.store.writer URL BLOBS PAGES`.

Page n links to 2n+1 and 2n+2 and holds one torrent. Prints the numbers of each batch once it is committed.
"""

from __future__ import annotations

import sys

from harvester.store import open_store
from tests.store.builders import NOW, found, source, torrent, visited, write


def main(url: str, blobs: str, pages: int) -> None:
    store = open_store(url, blobs)
    store.add_site("forum", start="https://forum.example/0", now=NOW)
    crawl = store.open_crawl("forum", "full", now=NOW)
    store.release("writer")
    if not crawl.resumed:
        write(store, crawl, found=[found("0")])
    while True:
        items = store.claim(crawl, now=NOW, limit=4, owner="writer", lease_seconds=600, per_host=4)
        if not items:
            break
        numbers = [int(item.url.rpartition("/")[2]) for item in items]
        links = [child for n in numbers for child in (2 * n + 1, 2 * n + 2) if child < pages]
        write(
            store,
            crawl,
            done=[item.ref for item in items],
            found=[found(str(child)) for child in (0, *links)],
            visited=[visited(str(n)) for n in numbers],
            torrents=[torrent(str(n), source(str(n)), raw=b"%d" % n * 500) for n in numbers],
            figures={"requests": len(items)},
        )
        print(*numbers, flush=True)
    store.finish_crawl(crawl, state="finished", reason="all done", now=NOW)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
