"""`harvest rules` and `harvest learn`, and that docs/rules.md runs as written."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from harvester.demo import DemoSites, start_demo
from tests.cli.running import run_command

DOCS = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", DOCS, re.DOTALL) for line in block.splitlines() if line
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first command of the docs was run."""
    folder = tmp_path_factory.mktemp("rules")
    assert run_command(*shlex.split(COMMANDS[0])[1:], cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_the_commands_of_the_docs_run(command: str, folder: Path) -> None:
    done = run_command(*shlex.split(command)[1:], cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_rules_of_the_demo_are_learned(folder: Path) -> None:
    done = run_command("rules", "show", "demo-index", "--data", "demo-data", "--json", cwd=folder)
    rules = {rule["role"]: rule for rule in map(json.loads, done.stdout.splitlines())}
    assert rules["download"]["match"] == r"^/download/\d+\.torrent$"
    assert rules["download"]["state"] == "active"
    assert rules["detail"]["match"] == r"^/view/\d+$"


def test_a_url_is_explained(folder: Path) -> None:
    done = run_command("rules", "test", "demo-index", "http://x/view/7", "--data", "demo-data", cwd=folder)
    assert re.match(r"detail-view \(detail, learned, line \d+\): `\^/view/\\d\+\$`", done.stdout)


def test_a_locked_rule_outlives_another_crawl(demo: DemoSites, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    assert run_command("learn", "--site", demo.index_url, "--max-requests", "60", *data).returncode == 0
    site = next(tmp_path.glob("rules/*.learned.yaml")).name.removesuffix(".learned.yaml")
    path = tmp_path / "rules" / f"{site}.learned.yaml"
    text = path.read_text(encoding="utf-8")
    changed = text.replace(r"^/view/\d+$", r"^/view/[0-9]+$")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    assert run_command("rules", "lock", demo.index_url, "detail-view", *data).returncode == 0
    assert run_command("full", "--site", demo.index_url, "--max-requests", "40", *data).returncode == 0
    assert r"^/view/[0-9]+$" in path.read_text(encoding="utf-8")


def test_editing_checks_before_it_replaces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "demo-data" / "rules" / "demo-index.learned.yaml"
    before = path.read_text(encoding="utf-8")
    monkeypatch.setenv("EDITOR", "sed -i s/detail/nonsense/")
    monkeypatch.delenv("VISUAL", raising=False)
    done = run_command("rules", "edit", "demo-index", "--data", "demo-data", cwd=folder)
    assert done.returncode == 2
    assert "nothing was replaced" in done.stderr
    assert path.read_text(encoding="utf-8") == before
    monkeypatch.setenv("EDITOR", "sed -i s/detail-view/pages/")
    assert run_command("rules", "edit", "demo-index", "--data", "demo-data", cwd=folder).returncode == 0
    assert "id: pages" in path.read_text(encoding="utf-8")
    assert "+" not in run_command("rules", "diff", "demo-index", "--data", "demo-data", cwd=folder).stderr


def test_an_unknown_rule_or_order_is_refused_plainly(folder: Path) -> None:
    done = run_command("rules", "lock", "demo-index", "nosuch", "--data", "demo-data", cwd=folder)
    assert done.returncode == 2
    assert "nosuch" in done.stderr
    order = ("--order", "nosuch")
    done = run_command("full", "--site", "http://127.0.0.1:9/", *order, "--data", "d", cwd=folder)
    assert done.returncode == 2
    assert "bandit" in done.stderr


def test_checking_names_every_wrong_rule(tmp_path: Path) -> None:
    file = tmp_path / "x.learned.yaml"
    file.write_text(
        "site: x\nrules:\n- {id: a, role: detail, match: '(?=x)'}\n- {id: b, role: list, match: '.*'}\n"
        "- {id: c, role: list, match: '^/c$'}\n- {id: d, role: detail, match: '^/c$'}\n",
        encoding="utf-8",
    )
    done = run_command("rules", "check", str(file))
    assert done.returncode == 2
    for what in (
        "line 3",
        "line 4",
        "RE2",
        "matches everything",
        "another role",
        "2 rules are right, 2 are not",
    ):
        assert what in done.stdout


def test_what_is_wrong_in_learned_rules_is_said_and_the_others_hold(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "own.yaml").write_text("site: own\nstart: [https://own.example/]\n", encoding="utf-8")
    (folder / "own.learned.yaml").write_text(
        "site: own\nrules:\n- {id: a, role: detail, match: '(?=x)'}\n- {id: b, role: list, match: '^/b$'}\n"
        "- {id: c, role: detail, match: '^/b$'}\n",
        encoding="utf-8",
    )
    shown = run_command("rules", "show", "own", "--data", str(tmp_path))
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["b", "c"]
    assert "left out" in shown.stderr
    assert "line 3" in shown.stderr
    assert "list wins over detail" in shown.stderr
    tried = run_command("rules", "test", "own", "https://own.example/b", "--data", str(tmp_path))
    assert tried.stdout.startswith("b (list")


def test_a_url_is_tried_against_the_engine_that_the_crawl_recognised(folder: Path) -> None:
    done = run_command(
        "rules", "test", "demo-forum", "http://x/home.php?mod=space&uid=2", "--data", "demo-data", cwd=folder
    )
    assert done.stdout.startswith("profile (ignore, engine")
    shown = run_command("rules", "show", "demo-forum", "--engine", "--data", "demo-data", cwd=folder)
    assert "profile" in shown.stdout


def test_a_definition_is_imported(tmp_path: Path) -> None:
    source = tmp_path / "own.yml"
    source.write_text("id: own\nlinks: [https://own.example/]\nsearch: {path: l.php}\ncaps: {}\n", "utf-8")
    done = run_command("rules", "import", str(source), "--data", str(tmp_path))
    assert done.returncode == 0
    assert "not carried over: `caps`" in done.stdout
    assert (tmp_path / "rules" / "own.yaml").is_file()
