"""The file of API keys."""

from __future__ import annotations

import hmac
import json
from pathlib import Path

import pytest

from harvester.errors import NotFound, SettingsError, UsageError
from harvester.web.keys import KeyFile, Scope
from tests.cli.running import run_command


def test_a_key_is_found_by_its_text_and_by_nothing_near_it(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path)
    key, text = keys.add("me", "operate", now=5.0)
    assert keys.check(text) == key
    assert key.level is Scope.OPERATE
    for other in ("", text[:-1], text + "x", text.swapcase(), key.digest, "x" * 10_000, "\ud800"):
        assert keys.check(other) is None


def test_the_text_of_a_key_is_nowhere_in_the_file_which_only_its_owner_reads(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path)
    _, text = keys.add("me", "admin", now=5.0)
    assert text not in keys.path.read_text()
    assert text.removeprefix("hv_") not in keys.path.read_text()
    assert keys.path.stat().st_mode & 0o777 == 0o600


def test_a_revoked_key_is_useless_at_once_for_whoever_has_the_file_open(tmp_path: Path) -> None:
    keys, reader = KeyFile(tmp_path), KeyFile(tmp_path)
    _, text = keys.add("me", "read", now=5.0)
    assert reader.check(text)
    keys.revoke("me")
    assert reader.check(text) is None
    with pytest.raises(NotFound):
        keys.revoke("me")


def test_a_file_that_others_may_read_is_refused_with_what_to_do(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path)
    keys.add("me", "read", now=5.0)
    keys.path.chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        KeyFile(tmp_path).all()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"keys": [1]}',
        '{"keys": [{"id": 1}]}',
        "\x00",
        '{"keys": [{"id": "1", "name": "a", "scope": "god", "digest": "", "created": 1}]}',
    ],
)
def test_a_damaged_file_is_an_error_and_never_a_pass(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(SettingsError):
        KeyFile(tmp_path).check("hv_x")


@pytest.mark.parametrize(
    ("name", "scope"), [("", "read"), ("a\nb", "read"), ("a" * 61, "read"), ("a", "god")]
)
def test_a_key_needs_a_name_and_a_scope_that_there_is(tmp_path: Path, name: str, scope: str) -> None:
    with pytest.raises(UsageError):
        KeyFile(tmp_path).add(name, scope, now=5.0)


def test_a_check_looks_at_every_key_in_constant_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = KeyFile(tmp_path)
    texts = [keys.add(f"key {n}", "read", now=5.0)[1] for n in range(5)]
    compared: list[str] = []
    compare = hmac.compare_digest
    monkeypatch.setattr(
        hmac, "compare_digest", lambda one, other: compared.append(one) or compare(one, other)
    )
    for text in (texts[0], texts[4], "hv_wrong"):
        compared.clear()
        keys.check(text)
        assert compared == [key.digest for key in keys.all()]


def test_names_are_given_once(tmp_path: Path) -> None:
    KeyFile(tmp_path).add("me", "read", now=5.0)
    with pytest.raises(UsageError):
        KeyFile(tmp_path).add("me", "admin", now=5.0)


def test_keys_are_made_listed_and_revoked_on_the_command_line(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    made = run_command("keys", "add", "robot", "--scope", "operate", *data)
    text = made.stdout.strip()
    assert text.startswith("hv_")
    assert text not in made.stderr
    listed = run_command("keys", "list", "--json", *data)
    assert json.loads(listed.stdout)["scope"] == "operate"
    assert text not in listed.stdout
    assert run_command("keys", "revoke", "robot", *data).returncode == 0
    assert run_command("keys", "list", "--json", *data).stdout == ""
    assert run_command("keys", "add", "robot", "--scope", "god", *data).returncode == 2
