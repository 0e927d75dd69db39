from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harvester.links import codecs
from harvester.links.decode import decode_link
from tests.links.vectors import FILE

NEW_CODEC = """
from harvester.links.payload import Unwrapped, WrapperCodec

CODEC = WrapperCodec("shout", ("shout",), lambda payload: Unwrapped(payload.lower().encode()))
"""


def test_every_codec_is_registered_under_its_schemes() -> None:
    assert set(codecs.by_scheme()) == {
        "thunder", "flashget", "flashgetx", "qqdl", "fs2you", "ed2k", "magnet", "http", "https", "ftp",
    }  # fmt: skip
    assert [form.name for form in codecs.forms()] == ["percent", "js_escape", "reverse", "hex", "base64"]


def test_a_new_file_is_all_a_new_codec_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shout.py").write_text(NEW_CODEC, encoding="utf-8")
    monkeypatch.setattr(codecs, "__path__", [*codecs.__path__, str(tmp_path)])
    _forget()
    try:
        assert decode_link("shout://" + FILE.upper()).url == FILE
    finally:
        monkeypatch.undo()
        sys.modules.pop("harvester.links.codecs.shout", None)
        _forget()


def _forget() -> None:
    codecs._codecs.cache_clear()
    codecs.by_scheme.cache_clear()
    codecs.forms.cache_clear()
