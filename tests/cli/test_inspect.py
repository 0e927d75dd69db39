"""`harvest inspect` shows a torrent exactly and safely, and says what is none."""

from __future__ import annotations

import csv
import gzip
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import bencodepy
import pytest

from tests.cli.running import Done, run_command

ROOT = Path(__file__).parents[2]
TORRENTS = ROOT.parent / "shared" / "data" / "torrents"
KEY = "0123456789abcdef0123456789abcdef"
JSON_KEYS = [
    "infohash_v1",
    "infohash_v2",
    "md5",
    "name",
    "size",
    "private",
    "created",
    "files",
    "trackers",
    "webseeds",
    "magnet",
    "encoding",
    "flags",
]


def _env(**more: str) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm",
        "COLUMNS": "160",
        **more,
    }


def run(*arguments: str | Path, stdin: bytes = b"", encoding: str = "utf-8") -> Done:
    return run_command("inspect", *map(str, arguments), stdin=stdin, encoding=encoding)


def make(
    folder: Path, file: str = "a.torrent", *, outer: dict[bytes, Any] | None = None, **info: Any
) -> Path:
    """A torrent of one 5-byte file, with what is given on top."""
    made = {b"name": b"name", b"piece length": 16384, b"pieces": b"x" * 20, b"length": 5}
    made |= {key.replace("_", " ").encode(): value for key, value in info.items()}
    if b"files" in made:
        del made[b"length"]
    path = folder / file
    path.write_bytes(bencodepy.encode({b"info": made, **(outer or {})}))
    return path


def test_the_json_of_one_torrent_is_one_object_with_the_documented_keys(tmp_path: Path) -> None:
    files = [{b"length": 5, b"path": [b"dir", "影.mkv".encode()]}, {b"length": 0, b"path": [b"b"]}]
    outer = {
        b"announce-list": [[b"udp://a.example:1/announce"], [b"http://b.example/announce"]],
        b"url-list": b"http://seed.example/",
        b"creation date": 1448572711,
    }
    done = run(make(tmp_path, files=files, outer=outer), "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert list(found) == JSON_KEYS
    assert re.fullmatch(r"[0-9a-f]{40}", found["infohash_v1"])
    assert found["infohash_v2"] is None
    assert found["files"] == [{"path": "dir/影.mkv", "size": 5}, {"path": "b", "size": 0}]
    assert (found["name"], found["size"], found["private"], found["created"]) == (
        "name",
        5,
        False,
        1448572711,
    )
    assert found["trackers"] == ["udp://a.example:1/announce", "http://b.example/announce"]
    assert found["webseeds"] == ["http://seed.example/"]
    assert found["magnet"] == (
        f"magnet:?xt=urn:btih:{found['infohash_v1']}&dn=name"
        "&tr=udp%3A%2F%2Fa.example%3A1%2Fannounce&tr=http%3A%2F%2Fb.example%2Fannounce"
    )
    assert found["encoding"] == "utf-8"
    assert found["flags"] == []


def test_every_accepted_torrent_of_the_corpus_shows_the_expected_infohashes() -> None:
    with (TORRENTS / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    done = run(*(TORRENTS / row["file"] for row in rows), "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["file"] for line in lines] == [str(TORRENTS / row["file"]) for row in rows]
    for row, line in zip(rows, lines, strict=True):
        if row["libtorrent_2_1_1"] == "accepts":
            # The data gives the SHA-1 of `info` for version 2 alone too, where it is no infohash.
            assert line["infohash_v1"] in ((row["v1"], None) if row["v2"] else (row["v1"],)), row["file"]
            assert line["infohash_v2"] == (row["v2"] or None), row["file"]
    failed = sum("error" in line for line in lines)
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].endswith(f"{failed} could not be read")


def test_a_torrent_is_shown_in_words(tmp_path: Path) -> None:
    outer = {b"creation date": 1448572711000, b"comment": b"hello", b"announce": b"udp://a.example:1"}
    done = run(make(tmp_path, private=1, outer=outer))
    assert done.returncode == 0
    shown = dict(re.findall(r"^([a-zA-Z0-9 ]{12}) (.*)$", done.stdout, re.MULTILINE))
    shown = {label.strip(): value for label, value in shown.items()}
    assert shown["name"] == "name"
    assert shown["size"] == "5 bytes in 1 file"
    assert shown["created"] == "2015-11-26 21:18:31 UTC"
    assert shown["comment"] == "hello"
    assert shown["tracker 1"] == "udp://a.example:1"
    assert shown["private"].startswith("yes")
    assert shown["note"] == "The creation date is in milliseconds. [date_milliseconds]"
    assert "tr=" not in shown["magnet"]


def test_the_files_are_shown_as_a_tree(tmp_path: Path) -> None:
    files = [
        {b"length": size, b"path": path.split(b"/")}
        for path, size in ((b"d/a", 1), (b"c", 2048), (b"d/e/f", 3))
    ]
    done = run(make(tmp_path, files=files), "--files")
    assert done.stdout.partition("\nfiles\n")[2].splitlines() == [
        "├── d/",
        "│   ├── a  (1 byte)",
        "│   └── e/",
        "│       └── f  (3 bytes)",
        "└── c  (2.0 KiB)",
    ]


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--files",)])
def test_no_personal_key_is_shown(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    outer = {
        b"announce": f"http://t.example/{KEY}/announce".encode(),
        b"announce-list": [
            [f"http://t.example/announce.php?passkey={KEY}".encode()],
            [b"http://u:pw@t.example/a"],
        ],
        b"comment": f"http://t.example/details?passkey={KEY}".encode(),
        b"publisher-url": f"http://t.example/?authkey={KEY}".encode(),
    }
    path = make(tmp_path, outer=outer)
    for paths in ([path], [path, path]):
        done = run(*paths, *arguments)
        assert done.returncode == 0
        assert KEY not in done.stdout + done.stderr
        assert "u:pw@" not in done.stdout
        assert KEY not in done.stdout.replace("%3D", "=")


def test_a_web_page_is_named_with_its_title_and_fails() -> None:
    done = run("-", stdin=b"<!doctype html><html><head><title>Login</title></head></html>")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == 'harvest: standard input is no torrent: an HTML page titled "Login"\n'


def test_a_failure_in_json_is_an_object_too(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"<html><title>Login</title>")
    done = run(tmp_path / "x", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["file"] == str(tmp_path / "x")
    assert 'an HTML page titled "Login"' in found["error"]


def test_standard_input_is_read_and_may_be_gzipped(tmp_path: Path) -> None:
    body = make(tmp_path).read_bytes()
    plain = json.loads(run("-", "--json", stdin=body).stdout)
    packed = json.loads(run("-", "--json", stdin=gzip.compress(body)).stdout)
    assert packed["infohash_v1"] == plain["infohash_v1"]
    assert packed["flags"] == ["gzip"]


def test_one_bad_file_does_not_stop_the_rest(tmp_path: Path) -> None:
    good, bad = make(tmp_path), tmp_path / "bad"
    bad.write_bytes(b"")
    done = run(bad, tmp_path / "gone", good)
    assert done.returncode == 3
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith(f"{good}\tname\t5 bytes\t1\t")
    first, second, summary = done.stderr.splitlines()
    assert first.startswith(f"harvest: {bad} is no torrent: ")
    assert second == f"harvest: {tmp_path / 'gone'} is not there (check the name)"
    assert summary == "harvest: 1 of 3 files are torrents: 2 could not be read"


def test_all_bad_files_are_a_failure_and_all_good_ones_a_success(tmp_path: Path) -> None:
    good = make(tmp_path)
    assert run(tmp_path / "gone", tmp_path / "lost").returncode == 1
    done = run(good, good)
    assert done.returncode == 0
    assert done.stderr == "2 of 2 files are torrents\n"


def test_many_files_in_json_are_one_line_each_failures_too(tmp_path: Path) -> None:
    good = make(tmp_path)
    done = run(good, tmp_path / "gone", "--json")
    assert done.returncode == 3
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert list(first) == ["file", *JSON_KEYS]
    assert list(second) == ["file", "error"]
    assert second["file"] == str(tmp_path / "gone")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("/", "/ is a folder (name the files in it, such as FOLDER/*.torrent)"),
        ("/nowhere/x.torrent", "/nowhere/x.torrent is not there (check the name)"),
        ("/dev/null/x", "/dev/null/x cannot be read: Not a directory"),
        ("/proc/self/mem", "/proc/self/mem cannot be read: Input/output error"),
        ("/dev/null", "/dev/null is no torrent: "),
        ("/dev/zero", "/dev/zero is "),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(file: str, said: str) -> None:
    done = run(file)
    assert done.returncode == 1
    assert done.stderr.startswith(f"harvest: {said}")
    assert done.stderr.count("\n") == 1


def test_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.write(b"d8:announce")
        stream.truncate(40_000_000_000)
    done = run(large)
    assert done.returncode == 1
    assert "the limit is 10,000,000" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("-", "-")])
def test_wrong_use_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).returncode == 2


HOSTILE = b"\x1b]0;owned\x07\x1b[2J[bold red]x[/][/bold]\x9b31m\r\n\xe2\x80\xaegpj :smile: [link=http://x]y"


def _hostile(folder: Path) -> Path:
    outer = {
        b"comment": HOSTILE,
        b"created by": HOSTILE,
        b"announce": b"http://t/" + HOSTILE,
        b"title": HOSTILE,
    }
    files = [{b"length": 1, b"path": [HOSTILE, HOSTILE]}, {b"length": 4, b"path": [b"..", b"[/red]"]}]
    return make(folder, "[red]\x1b[31m.torrent", name=HOSTILE, source=HOSTILE, files=files, outer=outer)


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--files",)])
def test_nothing_of_a_torrent_is_taken_for_markup_or_commands(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    path = _hostile(tmp_path)
    for paths in ([path], [path, path]):
        done = run(*paths, *arguments)
        assert done.returncode == 0
        for char in done.stdout.replace("\t", ""):
            assert char == "\n" or char.isprintable(), ascii(char)
        assert "[bold red]x[/][/bold]" in done.stdout
        assert ":smile:" in done.stdout


def _on_terminal(*arguments: str | Path) -> str:
    """What a terminal of 160 columns receives on both streams."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "harvester", "inspect", *map(str, arguments)],
        env=_env(),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        received = b""
        while True:
            try:
                chunk = os.read(ours, 65_536)
            except OSError:  # Linux says so when the other end is closed
                break
            if not chunk:
                break
            received += chunk
        process.wait(30)
    os.close(ours)
    return received.decode("utf-8")


def test_on_a_terminal_many_files_are_a_table_with_progress_and_summary(tmp_path: Path) -> None:
    good = make(tmp_path)
    (tmp_path / "bad").write_bytes(b"GIF89a")
    shown = _on_terminal(good, tmp_path / "bad", _hostile(tmp_path))
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert "reading" in plain
    assert re.search(r"file +name +size +files +infohash +notes", plain)
    assert "bad is no torrent: a GIF image" in plain
    assert "2 of 3 files are torrents: 1 could not be read" in plain
    assert "\x1b]" not in shown
    assert "\x1b[2J" not in shown
    assert "\x1b[31m.torrent" not in shown


def test_a_terminal_without_unicode_gets_escapes_and_json_stays_json(tmp_path: Path) -> None:
    path = make(tmp_path, name="影 é".encode())
    assert "\\u5f71 \\xe9" in run(path, encoding="ascii").stdout
    assert json.loads(run(path, "--json", encoding="ascii").stdout)["name"] == "影 é"


def test_a_file_name_that_is_no_text_is_read_all_the_same(tmp_path: Path) -> None:
    good = make(tmp_path)
    odd = os.fsencode(tmp_path) + b"/\xff\xfe.torrent"
    Path(os.fsdecode(odd)).write_bytes(good.read_bytes())
    done = subprocess.run(
        [sys.executable.encode(), b"-m", b"harvester", b"inspect", odd, os.fsencode(good), b"--json"],
        env=_env(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout.splitlines()[0])
    assert os.fsencode(first["file"]) == odd
