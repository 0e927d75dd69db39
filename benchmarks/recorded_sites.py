"""What a guest's crawl of each recorded forum takes: the table of the README.

    python -m benchmarks.recorded_sites            print it
    python -m benchmarks.recorded_sites --write    put it into the README

Needs the recordings (`HARVEST_SHARED`, or `../shared` beside the checkout). Loopback only.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.crawl.harvesting import crawl, harvested, store_in
from tests.replay.server import Replay
from tests.replay.truth import Report, check, load

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- recorded sites: begin -->\n", "<!-- recorded sites: end -->\n"
TITLES = {
    "discuz35": "Discuz! X3.5",
    "phpbb": "phpBB 3.3",
    "mybb": "MyBB 1.8",
    "machina": "django-machina 1.3",
}
COLUMNS = ("attachment", "magnet", "plainhash", "thunder")


def _cell(report: Report, form: str, *, open_to_guests: bool) -> str:
    keys = [key for key in report.wanted if key[0] == form and (key[1] == "none") == open_to_guests]
    wanted = sum(report.wanted[key] for key in keys)
    return f"{sum(report.had[key] for key in keys)} of {wanted}" if wanted else "-"


def _walled(report: Report) -> str:
    keys = [key for key in report.wanted if key[1] != "none"]
    wanted = sum(report.wanted[key] for key in keys)
    return f"{sum(report.had[key] for key in keys)} of {wanted}" if wanted else "-"


def cells(report: Report) -> list[str]:
    """What of a forum's truth was had, a cell a form, and the walls."""
    return [*(_cell(report, form, open_to_guests=True) for form in COLUMNS), _walled(report)]


def row(name: str) -> str:
    """Crawl one recorded forum as a guest; its line of the table."""
    with Replay(name) as site, tempfile.TemporaryDirectory() as folder:
        crawled = crawl(Path(folder), site.url)
        with store_in(Path(folder)) as store:
            report = check(load(name), harvested(store), site)
        counted = [str(crawled.figures.requests), str(site.state.unrecorded.total())]
        return f"| {TITLES[name]} | " + " | ".join([*cells(report), *counted]) + " |"


def table() -> str:
    """The whole table in Markdown."""
    head = ["forum", "attachments", "magnets", "plain hashes", "thunder links", "walls named"]
    head += ["requests", "of them unrecorded"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *(row(name) for name in TITLES)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, or write it into the README."""
    made = table()
    print(made, end="")
    if "--write" in sys.argv[1:]:
        text = README.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        _, after = rest.split(END)
        README.write_text(before + BEGIN + made + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
