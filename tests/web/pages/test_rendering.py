"""What templates call."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from harvester.web.pages.rendering import _breakable, _web_address, local_path


@given(st.text("<>&\"'./_ax", max_size=40))
def test_places_to_break_change_nothing_of_a_text_and_escape_it(text: str) -> None:
    shown = Selector(f"<p>{_breakable(text)}</p>")
    assert "".join(shown.css("p ::text").getall()) == text
    assert {one.root.tag for one in shown.css("p *")} <= {"wbr"}


@pytest.mark.parametrize(
    ("url", "is_one"),
    [
        ("https://example.org/", True),
        ("HTTP://example.org/", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        (" https://example.org/", False),
        ("//example.org/", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(url: str, is_one: bool) -> None:
    assert bool(_web_address(url)) is is_one


@given(st.text(max_size=30))
def test_a_local_path_never_leaves_the_server(path: str) -> None:
    led = local_path(path)
    assert led.startswith("/")
    assert not led.startswith(("//", "/\\"))
    assert led.isprintable()
