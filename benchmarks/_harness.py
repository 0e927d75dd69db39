"""What every benchmark shares: alternating rounds, medians, a plain table, the machine's name."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds of one contender, one number a round."""

    name: str
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle round, in seconds."""
        return statistics.median(self.rounds)


def alternate(contenders: dict[str, Callable[[], object]], rounds: int) -> dict[str, Timing]:
    """Run every contender once a round, in turns, after one round that is not counted.

    Turns spread what else the machine does over all of them. CPU time of this process is what is counted.
    The garbage collector is off meanwhile, as in the standard library's `timeit`, for every contender alike.
    """
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for run in contenders.values():
        run()
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, run in contenders.items():
                start = time.process_time()
                run()
                times[name].append(time.process_time() - start)
    finally:
        if collecting:
            gc.enable()
    return {name: Timing(name, tuple(values)) for name, values in times.items()}


def machine() -> str:
    """The machine in one line: processor, cores, system, Python."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as aligned columns, the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def say(text: str = "") -> None:
    """Print one line at once."""
    print(text, flush=True)


def progress(done: int, total: int, note: str = "") -> None:
    """Show how far a long run is: on a terminal's own line, elsewhere a line for each tenth."""
    if not sys.stderr.isatty():
        if done * 10 // total > (done - 1) * 10 // total:
            print(f"{done:,} of {total:,} {note}", file=sys.stderr, flush=True)
    else:
        end = "\n" if done >= total else ""
        print(f"\r{done:,} of {total:,} {note}", end=end, file=sys.stderr, flush=True)
