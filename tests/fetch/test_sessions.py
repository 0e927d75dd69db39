"""Account files are their owner's only, whole or not there, and read back as they were written."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.errors import AccessError
from harvester.fetch.sessions import AccountFiles, refuse_secrets_file_open_to_others
from harvester.model.account import (
    AccountState,
    Attempt,
    Challenge,
    ChallengeKind,
    FieldRole,
    FilledForm,
    FormField,
    ProposedReply,
    Verdict,
)
from harvester.model.http import Cookie

FULL = AccountState(
    cookies=(Cookie("sid", "a=b%20c", "f.example", "/x", True, True, 1.5),),
    imported=True,
    proved_at=2.0,
    attempts=(Attempt(1.0, Verdict.OK), Attempt(2.0, Verdict.CAPTCHA_WRONG)),
    salt="salt",
    mark="mark",
    frozen="why",
    held_until=3.0,
    challenge=Challenge(
        ChallengeKind.IMAGE,
        "the characters",
        FilledForm(
            "https://f.example/in",
            "https://f.example/",
            (FormField("p", "", FieldRole.PASSWORD),),
            "gbk",
            True,
        ),
        1.0,
        2.0,
        b"\x89PNG",
        "ab12",
        (("1", "one"),),
    ),
    wanted=True,
    proposed=(ProposedReply("thread:1", "https://f.example/1", "text", 1.0),),
    approved=("thread:2",),
    stopped_boards=("/forum-2-",),
    flood_seconds=15.0,
    member_link="/inbox",
)


def test_a_state_reads_back_as_it_was_written_and_others_cannot_read_it(tmp_path: Path) -> None:
    files = AccountFiles(tmp_path / "sessions")
    assert files.load("site") == AccountState()
    files.change("site", lambda _: FULL)
    assert files.load("site") == FULL
    assert stat.S_IMODE(files.path("site").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "sessions").stat().st_mode) == 0o700
    assert files.sites() == ["site"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_file_that_is_open_to_others_is_refused_with_the_remedy(tmp_path: Path, mode: int) -> None:
    files = AccountFiles(tmp_path)
    files.change("site", lambda _: FULL)
    files.path("site").chmod(mode)
    with pytest.raises(AccessError, match="chmod 600"):
        files.load("site")
    with pytest.raises(AccessError):
        files.change("site", lambda state: state)
    with pytest.raises(AccessError, match="chmod 600"):
        refuse_secrets_file_open_to_others(files.path("site"))


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"version": 9}', '{"version": 1, "attempts": [{}], "salt": ""}']
)
def test_a_damaged_file_is_an_error_and_not_a_fresh_start(tmp_path: Path, content: str) -> None:
    files = AccountFiles(tmp_path)
    files.change("site", lambda _: FULL)
    files.path("site").write_text(content)
    with pytest.raises(AccessError, match="damaged"):
        files.load("site")


def test_changes_of_several_writers_are_all_kept(tmp_path: Path) -> None:
    files = AccountFiles(tmp_path)

    def add(number: int) -> None:
        for _ in range(10):
            files.change("site", lambda state: replace(state, approved=(*state.approved, f"thread:{number}")))

    writers = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(files.load("site").approved) == 40
