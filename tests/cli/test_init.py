"""`harvest init` writes settings that load again, and never over what is there."""

from __future__ import annotations

import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harvester.settings import KEYS, load_settings
from tests.cli.running import Done, run_command


def run(*arguments: str, cwd: Path) -> Done:
    return run_command("init", *arguments, cwd=cwd)


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": "200", "TERM": "dumb"}


def test_the_file_written_loads_as_what_was_said(tmp_path: Path) -> None:
    url = 'postgresql+psycopg://me:"p\\w"@db/harvest'
    done = run(
        *("--data", 'my "data" 影', "--contact", "me@example.org", "--database-url", url),
        *("--redis-url", "redis://r", "--web-host", "::1", "--web-port", "81"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    found = load_settings(tmp_path / "harvest.toml", {})
    assert found.data == tmp_path / 'my "data" 影'
    assert (found.contact, found.database_url, found.redis_url) == ("me@example.org", url, "redis://r")
    assert (found.web_host, found.web_port) == ("::1", 81)
    assert stat.S_IMODE((tmp_path / "harvest.toml").stat().st_mode) == 0o600


def test_every_setting_is_in_the_file_and_every_commented_one_is_a_valid_line(tmp_path: Path) -> None:
    done = run(cwd=tmp_path)
    assert done.returncode == 0
    assert "set `contact`" in done.stderr
    text = (tmp_path / "harvest.toml").read_text("utf-8")
    for key in KEYS:
        assert f"\n# {key} = " in text or f"\n{key} = " in text
    uncommented = "\n".join(
        line.removeprefix("# ") if line.removeprefix("# ").partition(" = ")[0] in KEYS else line
        for line in text.splitlines()
    )
    (tmp_path / "all.toml").write_text(uncommented, "utf-8")
    assert load_settings(tmp_path / "all.toml", {}) == load_settings(tmp_path / "harvest.toml", {})


def test_a_file_that_is_there_stays_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "harvest.toml").write_text("web_port = 9\n")
    refused = run(cwd=tmp_path)
    assert refused.returncode == 2
    assert "is there already (edit it, or use --force" in refused.stderr
    assert (tmp_path / "harvest.toml").read_text() == "web_port = 9\n"
    assert run("--force", cwd=tmp_path).returncode == 0
    assert load_settings(tmp_path / "harvest.toml", {}).web_port == 8480
    assert [path.name for path in tmp_path.iterdir()] == ["harvest.toml"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--contact", "nobody"), "--contact: `contact`: must be a mail address or a web page"),
        (("--web-port", "99999"), "--web-port: `web_port`: input should be less than or equal to 65535"),
        (("--database-url", "mysql://x"), "postgresql+psycopg://"),
        (("--file", "/dev/null/x/harvest.toml"), "cannot be written"),
    ],
)
def test_a_wrong_answer_is_refused_and_nothing_written(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_each_setting_is_asked_and_a_wrong_answer_asked_again(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "harvester", "init"],
        cwd=tmp_path,
        env=_env(),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(theirs)
        os.write(ours, b"folder\nnobody\nme@example.org\n\n\n\n8099\n")
        _, asked = process.communicate(timeout=30)
        os.close(ours)
    assert process.returncode == 0, asked
    assert asked.count("Contact for the sites") == 2
    assert "must be a mail address" in asked
    found = load_settings(tmp_path / "harvest.toml", {})
    assert (found.data, found.contact, found.web_port) == (tmp_path / "folder", "me@example.org", 8099)
