"""`python -m tests.replay.figures [NAME…]`: crawl the recorded sites as a guest and print what was found.

Each site is served on loopback and crawled by `harvest full` with nothing but its address. The exit code
is 1 when anything is missing that a guest may have or see, or a link was followed that changes something.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from harvester import wiring
from harvester.cli.options import settings_for
from tests.replay.harvest import harvested
from tests.replay.recording import REPOSITORY, site_names
from tests.replay.server import Replay
from tests.replay.truth import Report, check, load

COLUMNS = (
    ("attachments", lambda form, wall: form == "attachment" and wall == "none"),
    ("magnets", lambda form, wall: form == "magnet" and wall == "none"),
    ("plain hashes", lambda form, wall: form == "plainhash" and wall == "none"),
    ("thunder links", lambda form, wall: form == "thunder" and wall == "none"),
    ("walls seen", lambda form, wall: wall != "none"),
)


def crawl(name: str, folder: Path) -> tuple[Report, Replay]:
    """Crawl a recorded site into a data folder of its own; what was found, and what the server saw."""
    with Replay(name) as site:
        command = ["full", "--site", site.url, "--data", str(folder), "--delay", "0", "--json"]
        subprocess.run(
            [sys.executable, "-m", "harvester", *command],
            cwd=REPOSITORY,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with wiring.opened_store(settings_for(folder)) as store:
            return check(load(name), harvested(store), site), site


def row_of(name: str, report: Report, site: Replay) -> str:
    """One line of the table."""
    cells = []
    for _, belongs in COLUMNS:
        groups = [key for key in report.wanted if belongs(*key)]
        had, wanted = (sum(counts[key] for key in groups) for counts in (report.had, report.wanted))
        cells.append(f"{had} of {wanted}" if wanted else "-")
    cells.append(str(site.state.requests))
    return f"| {name} | {' | '.join(cells)} |"


def main(names: list[str]) -> int:
    """Print the table; 1 when something is wrong."""
    titles = [title for title, _ in COLUMNS]
    print(f"| site | {' | '.join(titles)} | requests |")
    print(f"|---|{'---|' * (len(titles) + 1)}")
    faults: list[str] = []
    for name in names or site_names():
        with tempfile.TemporaryDirectory() as folder:
            report, site = crawl(name, Path(folder) / "data")
        print(row_of(name, report, site), flush=True)
        faults += [f"missing: {row.form} ({row.wall}) of {row.page_url}" for row in report.missing]
        faults += [f"followed: {target}" for target in site.state.violations]
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
