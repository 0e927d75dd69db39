"""Parameters that an engine file calls a session's tell no pages apart once the engine is recognised."""

from __future__ import annotations

from pathlib import Path

import pytest

from harvester.links import canonical_key
from harvester.patterns.engines import shipped_engines
from tests.crawl.harvesting import crawl
from tests.crawl.loopback import page, raw_site

PARAMETERS = [(engine.name, name) for engine in shipped_engines().values() for name in engine.session_params]
PHPBB = '<div id="x"></div><body id="phpbb"><a href="ucp.php?mode=login">in</a>'


@pytest.mark.parametrize(("engine", "name"), PARAMETERS)
def test_a_url_with_the_parameter_has_the_key_of_the_one_without(engine: str, name: str) -> None:
    ignored = frozenset(param.lower() for param in shipped_engines()[engine].session_params)
    for example in shipped_engines()[engine].examples:
        sign = "&" if "?" in example.url else "?"
        assert canonical_key(f"{example.url}{sign}{name}=ab1", ignored) == canonical_key(example.url, ignored)


def test_a_page_is_asked_for_once_however_often_its_session_changes(tmp_path: Path) -> None:
    """`sid=b1` is too short to look like a session id by itself: only the engine knows."""
    boards = [f"/viewforum.php?f={n}&sid=b{k}" for n in (1, 2) for k in (1, 2, 3)]
    table = {"/": page(*boards, text=PHPBB)}
    table |= {board: page("/", text=f"{PHPBB} board {board[17]}") for board in boards}
    with raw_site(table) as (origin, _, seen):
        crawl(tmp_path, f"{origin}/")
    asked = [target for target in seen.targets if target.startswith("/viewforum")]
    assert sorted(target.partition("&")[0] for target in asked) == [
        "/viewforum.php?f=1",
        "/viewforum.php?f=2",
    ]
