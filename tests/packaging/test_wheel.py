"""The wheel carries everything an installed `harvest` needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import httpx
import pytest

import harvester

ROOT = Path(__file__).resolve().parents[2]


def _run(*command: str | Path, cwd: Path, ok: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "HARVEST_"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode in ok, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an empty venv into which the freshly built wheel was installed."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    _run(*build, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    bin_folder = folder / "venv" / "bin"
    _run(bin_folder / "python", "-m", "pip", "install", "-qq", wheel, cwd=folder)
    return bin_folder


def test_the_installed_command_knows_its_version(installed: Path, tmp_path: Path) -> None:
    shown = _run(installed / "harvest", "--version", cwd=tmp_path).stdout
    assert shown.strip() == f"harvest {harvester.__version__}"


def test_the_installed_command_reads_a_torrent(installed: Path, tmp_path: Path) -> None:
    torrent = ROOT / "tests" / "torrents" / "data" / "sintel.torrent"
    shown = json.loads(_run(installed / "harvest", "inspect", torrent, "--json", cwd=tmp_path).stdout)
    assert shown["infohash_v1"] == "c334138ef5bfc2d568ea7324e0e2a3a7ec229bdd"


def test_the_installed_demo_has_its_pages_rules_and_migrations(installed: Path, tmp_path: Path) -> None:
    shown = _run(installed / "harvest", "demo", "--once", "--data", tmp_path / "data", cwd=tmp_path).stdout
    assert "torrents are stored" in shown
    known = _run(installed / "harvest", "status", "--json", "--data", tmp_path / "data", cwd=tmp_path).stdout
    assert "rule:ignore" in known  # an engine of the packaged rules was recognised


def test_the_installed_server_has_its_templates(installed: Path, tmp_path: Path) -> None:
    command = [installed / "harvest", "serve", "--port", "0", "--data", tmp_path / "data"]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[2]
        assert "<html" in httpx.get(address, timeout=20).text
    finally:
        server.terminate()
        server.communicate(timeout=20)
