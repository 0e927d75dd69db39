"""Every flag that the code can raise has its sentence, and the docs show them all."""

from __future__ import annotations

import re
from pathlib import Path

from harvester.torrents import describe_flag
from harvester.torrents.flags import FLAGS

ROOT = Path(__file__).resolve().parents[2]
CODE = {
    path.name: path.read_text(encoding="utf-8") for path in (ROOT / "harvester" / "torrents").glob("*.py")
}


def test_every_flag_that_is_raised_has_a_sentence() -> None:
    raised = {
        flag
        for name, source in CODE.items()
        if name != "flags.py"
        for flag in re.findall(r'flags\.(?:add|append)\(\s*"([a-z0-9_]+)"', source)
    }
    assert len(raised) > 40
    assert raised <= FLAGS.keys()


def test_every_sentence_belongs_to_a_flag_that_the_code_knows() -> None:
    others = "\n".join(source for name, source in CODE.items() if name != "flags.py")
    assert [flag for flag in FLAGS if f'"{flag}"' not in others] == []


def test_sentences_are_sentences() -> None:
    for flag, sentence in FLAGS.items():
        assert sentence[0].isupper(), flag
        assert sentence.endswith("."), flag
        assert describe_flag(flag) == sentence
    assert describe_flag("no_such_flag") == "no_such_flag"


def test_the_docs_show_every_flag_with_its_sentence() -> None:
    docs = (ROOT / "docs" / "torrents.md").read_text(encoding="utf-8")
    for flag, sentence in FLAGS.items():
        assert f"| `{flag}` | {sentence} |" in docs
