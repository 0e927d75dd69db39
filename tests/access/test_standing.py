"""Every state of an account has words, and a next step where there is one."""

from __future__ import annotations

import pytest

from harvester.access.standing import standing
from harvester.model.account import (
    AccountState,
    Attempt,
    Challenge,
    ChallengeKind,
    FilledForm,
    Verdict,
)
from harvester.model.http import Cookie

NOW = 1_000_000.0
ASKED = Challenge(ChallengeKind.IMAGE, "", FilledForm("", "", ()), NOW, NOW + 10)
REFUSED = (Attempt(NOW - 5, Verdict.BAD_CREDENTIALS),)


@pytest.mark.parametrize(
    ("state", "word", "step"),
    [
        (AccountState(), "new", "harvest account test forum"),
        (AccountState(frozen="x", attempts=REFUSED), "frozen", "correct the user name"),
        (AccountState(frozen="x"), "frozen", "harvest account test forum"),
        (AccountState(held_until=NOW + 5), "held", "nothing to do"),
        (AccountState(proved_at=NOW), "member", ""),
        (AccountState(cookies=(Cookie("a", "b", "c"),), imported=True), "cookies", ""),
        (AccountState(challenge=ASKED), "waits", "harvest captcha forum"),
        (AccountState(attempts=(Attempt(NOW - 5, Verdict.UNREACHABLE),)), "out", "tried again later"),
        (AccountState(ended_at=NOW - 5), "expired", "import fresh ones"),
        (AccountState(ended_at=NOW, attempts=(Attempt(NOW, Verdict.OK),)), "expired", "logs in again"),
        (AccountState(ended_at=NOW, attempts=(Attempt(NOW, Verdict.UNREACHABLE),)), "expired", "later"),
    ],
)
def test_a_state_is_said_in_words_with_the_next_step(state: AccountState, word: str, step: str) -> None:
    said = standing(state, "forum", NOW)
    assert said.word == word
    assert step in said.next_step
    assert said.words
