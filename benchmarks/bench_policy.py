"""What judging one URL costs: 500 rules at once, and the never-fetch list.

./dev bench policy
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from benchmarks._harness import machine, table
from harvester.model.site import Role, Rule
from harvester.patterns.rules import RuleSet
from harvester.policy import never_fetch

ROUNDS = 5
URLS = 5000


def _best(judge: Callable[[str], object], form: str) -> str:
    """The least CPU microseconds a URL over some rounds; no URL comes twice, so no memo helps."""
    best = float("inf")
    for turn in range(ROUNDS):
        urls = [form.format(n=n, board=n % 500) for n in range(turn * URLS, (turn + 1) * URLS)]
        start = process_time()
        for url in urls:
            judge(url)
        best = min(best, process_time() - start)
    return f"{best / URLS * 1e6:.1f}"


def main() -> None:
    """Print the table."""
    patterns = [rf"/board{n}/thread-(\d{{1,10}})-\d{{1,6}}\.html" for n in range(500)]
    rules = RuleSet([Rule(f"r{n}", Role.DETAIL, match, "t:{1}") for n, match in enumerate(patterns)])
    hit = "https://x.example/bbs/board{board}/thread-{n}-1.html"
    miss = "https://x.example/news/{n}/a-title-of-words"
    query = "https://x.example/forum.php?mod=viewthread&tid={n}&extra=page%3D1"
    rows = [
        ["what", "us a URL"],
        ["500 rules, each URL taken by another", _best(rules.match, hit)],
        ["500 rules, none takes it", _best(rules.match, miss)],
        ["never-fetch", _best(never_fetch.refusal, query)],
    ]
    print(machine())
    print(table(rows))


if __name__ == "__main__":
    main()
