"""Whether huge pages of one host delay the others: time for a page, with and without a host of huge pages.

    ./dev bench slow_page [--bytes N] [--pages N] [--rounds N] [--json]

Ten hosts, one connection to each. In turns, the first host's pages are as small as all others, or of N bytes.
On the nine others the server takes the time between an answer and the next request, which is what the crawler
took for a page: reading it, its turn in the loop, and the wait for its batch.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks._harness import machine, say, table
from benchmarks.crawl_site import PAGE_BYTES

HOSTS = 10


def gaps(pages: int, huge: int) -> list[float]:
    """One crawl: the milliseconds for each page of the small hosts, in ascending order."""
    serve = ["benchmarks.crawl_site", "--pages", str(pages), "--hosts", str(HOSTS)]
    serve += ["--first-host-bytes", str(huge)]
    crawl = (
        "import sys; from pathlib import Path; from benchmarks.crawl_site import Site;"
        "from benchmarks.crawl_peers.harvest import crawl;"
        "pages, hosts, port = map(int, sys.argv[1:4]);"
        "report = crawl(Site(pages, hosts, port), Path(sys.argv[4]), connections=1);"
        "sys.exit(report.figures.pages != pages)"
    )
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryDirectory(prefix="harvest-bench-") as folder,
        subprocess.Popen([sys.executable, "-m", *serve], stdin=pipe, stdout=pipe, text=True) as server,
    ):
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        command = [sys.executable, "-c", crawl, str(pages), str(HOSTS), port, str(Path(folder) / "data")]
        failed = subprocess.run(command, check=False).returncode
        output, _ = server.communicate()
    if failed:
        raise SystemExit("the crawl did not read every page")
    return sorted(json.loads(output))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="bench slow_page", description=__doc__.partition("\n")[0])
    parser.add_argument("--bytes", type=int, default=3_000_000)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    sizes = (PAGE_BYTES, arguments.bytes)
    found: dict[int, list[list[float]]] = {size: [] for size in sizes}
    for _ in range(arguments.rounds):
        for size in sizes:
            found[size].append(gaps(arguments.pages, size))
    lines = []
    for size in sizes:
        shares = {
            name: round(statistics.median(run[int(share * (len(run) - 1))] for run in found[size]), 1)
            for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))
        }
        lines.append({"first_host_page_bytes": size, **shares})
    if arguments.json:
        print(json.dumps({"machine": machine(), "ms_for_a_page_of_another_host": lines}, indent=1))
        return
    say(f"machine: {machine()}")
    say(f"milliseconds for a page of 5 KB on nine hosts, medians of {arguments.rounds} rounds")
    rows = [["pages of the tenth host", "p50", "p95", "p99", "max"]]
    for line in lines:
        rows.append([f"{line['first_host_page_bytes']:,} bytes", *(f"{line[n]}" for n in rows[0][1:])])
    say(table(rows))


if __name__ == "__main__":
    main()
