"""`python -m tests.replay [NAME] [--file focus_anon] [--port N]`: serve a recorded site until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path

from tests.replay.recording import NoRecording, recordings_of, site_names
from tests.replay.server import Replay
from tests.replay.truth import load


def _arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.replay", description="Serve a recorded site on loopback."
    )
    parser.add_argument("name", nargs="?", help="the site; none: list them")
    parser.add_argument("--file", default="focus_anon", help="which of its recordings (default: focus_anon)")
    parser.add_argument("--port", type=int, default=0, help="a port of your choice (default: a free one)")
    parser.add_argument("--robots", type=Path, help="a robots.txt to serve where none was recorded")
    return parser.parse_args(words)


def _list() -> None:
    for name in site_names():
        print(f"{name}: {', '.join(recordings_of(name))} ({len(load(name))} torrents in truth.tsv)")


def _serve(arguments: argparse.Namespace) -> None:
    robots = arguments.robots.read_bytes() if arguments.robots else None
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with Replay(arguments.name, arguments.file, port=arguments.port, robots=robots) as site:
        print(f"{site.url}  ({len(site.recording)} responses, {arguments.file}; Ctrl-C stops)")
        sys.stdout.flush()
        stop.wait()
        state = site.state
    unrecorded = sum(state.unrecorded.values())
    print(f"{state.requests} requests, {unrecorded} of them unrecorded ({len(state.unrecorded)} URLs)")
    for target, count in state.unrecorded.most_common(10):
        print(f"  {count:5} {target}")


def main(words: list[str] | None = None) -> int:
    """Run the command; the exit code: 0 done, 2 nothing to serve."""
    arguments = _arguments(words)
    try:
        if arguments.name is None:
            _list()
        else:
            _serve(arguments)
    except (NoRecording, OSError) as error:
        print(f"replay: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
