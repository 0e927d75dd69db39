"""File names, whatever a torrent calls itself."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.web.torrents import disposition

_FORM = re.compile(r"attachment; filename=\"([A-Za-z0-9 .()\[\]_-]+\.torrent)\"; filename\*=UTF-8''([!-~]+)")


@given(st.text(max_size=200))
def test_no_name_ends_the_header_or_leads_to_another_folder(name: str) -> None:
    found = _FORM.fullmatch(disposition(name))
    assert found
    for told in (found[1], unquote(found[2])):
        assert not set('/\\\r\n\0"<>|') & set(told)
        assert not told.startswith(".")
        assert not {unicodedata.category(one) for one in told} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("name", "plain", "full"),
    [
        ("Ubuntu 24.04", "Ubuntu 24.04.torrent", "Ubuntu 24.04.torrent"),
        ("../../etc/passwd", "_.._etc_passwd.torrent", "_.._etc_passwd.torrent"),
        ("红楼梦", "_.torrent", "红楼梦.torrent"),
        ("", "torrent.torrent", "torrent.torrent"),
        ("..", "torrent.torrent", "torrent.torrent"),
        ('a"\r\nSet-Cookie: x', "a_Set-Cookie_ x.torrent", "a_Set-Cookie_ x.torrent"),
        ("gpj.exe\u202etxt", "gpj.exe_txt.torrent", "gpj.exe_txt.torrent"),
    ],
)
def test_names_are_kept_as_far_as_they_are_harmless(name: str, plain: str, full: str) -> None:
    found = _FORM.fullmatch(disposition(name))
    assert found
    assert (found[1], unquote(found[2])) == (plain, full)
