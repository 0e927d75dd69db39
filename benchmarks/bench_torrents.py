"""How fast torrent files are read, against bencode.py and libtorrent, on the same files in the same run.

    ./dev bench torrents [--rounds N] [--fuzz N] [--no-limits]

Read are the files of public test suites that libtorrent accepts. Each contender decodes, judges and gives
the infohash: ours with `identify`, bencode.py by decoding, encoding `info` again and hashing it, libtorrent
with `torrent_info`. bencode.py refuses some of the files and gets others wrong, so the comparison with it is
made twice: over all files, where its refusals cost it little, and over those it gets right.
After the timing, bodies made to take time and memory are read, each in a process of its own, and mutants of
the files go to ours and to libtorrent, and the infohashes are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import bencodepy
import libtorrent

from benchmarks._harness import Timing, alternate, machine, progress, say, table
from harvester.torrents import identify, parse_torrent
from tests.torrents.corpus import Sample, accepted
from tests.torrents.fuzzing import Verdict, mutants

OURS = "ours: identify"
NAMES = "ours: parse_torrent (names, paths, MD5, all else)"
OTHER_ENCODER = "bencode.py: decode, encode info, SHA-1"
LIBTORRENT = "libtorrent: torrent_info"


def _with_bencodepy(body: bytes) -> str | None:
    """The v1 infohash as programs on bencode.py compute it; None where it refuses the file."""
    try:
        root = bencodepy.decode(body)
        return hashlib.sha1(bencodepy.encode(root[b"info"])).hexdigest()
    except (bencodepy.BencodeDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return None


def _over(read: Callable[[bytes], object], bodies: Sequence[bytes]) -> Callable[[], object]:
    def run() -> None:
        for body in bodies:
            read(body)

    return run


def _compare(title: str, files: Sequence[Sample], rounds: int) -> dict[str, Timing]:
    bodies = [sample.body for sample in files]
    timings = alternate(
        {
            OURS: _over(identify, bodies),
            OTHER_ENCODER: _over(_with_bencodepy, bodies),
            LIBTORRENT: _over(libtorrent.torrent_info, bodies),
            NAMES: _over(parse_torrent, bodies),
        },
        rounds,
    )
    base = timings[OTHER_ENCODER].median
    rows = [("", "ms a round", "µs a file", "x bencode.py", "x libtorrent")]
    for timing in timings.values():
        rows.append(
            (
                timing.name,
                f"{timing.median * 1e3:.2f}",
                f"{timing.median * 1e6 / len(files):.1f}",
                f"{base / timing.median:.1f}",
                f"{timings[LIBTORRENT].median / timing.median:.2f}",
            )
        )
    say(f"{title}: {len(files)} files, {sum(map(len, bodies)):,} bytes")
    say(table(rows))
    say()
    return timings


def _fuzz(count: int) -> Verdict:
    verdict = Verdict()
    start = time.monotonic()
    for number, body in mutants(0, count):
        verdict.add(number, body)
        if number % 1_000 == 999:
            progress(number + 1, count, "mutants")
    say(
        f"{verdict.tried:,} mutants in {time.monotonic() - start:.0f} s: both accept {verdict.both:,}, "
        f"both refuse {verdict.neither:,}"
    )
    say(f"disagreements on an infohash: {len(verdict.disagreements)} {verdict.disagreements[:10] or ''}")
    missed = sum(map(len, verdict.missed.values()))
    say(f"accepted by libtorrent and refused by us: {missed}")
    for reason, numbers in verdict.missed.items():
        say(f"  {len(numbers):6,}  {reason} (mutants {numbers[:5]})")
    say(f"accepted by us and refused by libtorrent: {sum(verdict.extra.values()):,}")
    for reason, number in verdict.extra.most_common():
        say(f"  {number:6,}  {reason}")
    return verdict


def _limits() -> bool:
    """Read every adversarial body; whether all stayed within 2 seconds and 200 MB."""
    command = [sys.executable, "-m", "tests.torrents.adversarial"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    results.sort(key=lambda result: float(result["seconds"]), reverse=True)
    slowest = results[0]
    largest = max(results, key=lambda result: int(result["megabytes"]))
    say(
        f"{len(results)} adversarial bodies: slowest {slowest['seconds']} s ({slowest['name']}), "
        f"most memory {largest['megabytes']} MB ({largest['name']})"
    )
    rows = [("", "CPU s", "MB", "outcome")]
    rows += [
        (r["name"], str(r["seconds"]), str(r["megabytes"]), str(r["outcome"])[:60]) for r in results[:12]
    ]
    say(table(rows) + "\n")
    died = [result["name"] for result in results if result["outcome"] == "died"]
    return not died and float(slowest["seconds"]) < 2 and int(largest["megabytes"]) < 200


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; exit 1 when a target is missed or an infohash differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=25, help="rounds of which the median counts")
    parser.add_argument("--fuzz", type=int, default=300_000, help="mutants compared with libtorrent; 0: none")
    parser.add_argument("--no-limits", action="store_true", help="leave out the adversarial bodies")
    options = parser.parse_args(arguments)

    say(machine())
    say(f"CPU time, median of {options.rounds} alternating rounds\n")
    files = accepted()
    right = [sample for sample in files if _with_bencodepy(sample.body) == (sample.infohash_v1 or "none")]
    everything = _compare("all that libtorrent accepts", files, options.rounds)
    common = _compare("of these, those that bencode.py gets right", right, options.rounds)

    ok = True
    for timings in (everything, common):
        faster = timings[OTHER_ENCODER].median / timings[OURS].median
        ahead = timings[LIBTORRENT].median / timings[OURS].median
        ok &= ahead > 1 and (faster >= 8 or timings is everything)
    say(f"8x bencode.py on files it gets right, faster than libtorrent: {'met' if ok else 'MISSED'}")
    say()
    if not options.no_limits:
        ok &= _limits()
    if options.fuzz:
        verdict = _fuzz(options.fuzz)
        ok &= not verdict.disagreements and not verdict.missed
    return 0 if ok else 1


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
