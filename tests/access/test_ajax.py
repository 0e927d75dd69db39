"""Answers for scripts are read like pages."""

from __future__ import annotations

import pytest

from harvester.access.ajax import message_in, unwrapped

ANSWER = (
    '<?xml version="1.0" encoding="utf-8"?>\r\n<root><![CDATA[<script>'
    "if(typeof errorhandle_login=='function') {"
    "errorhandle_login('登录失败，您还可以尝试 4 次', {});}</script>]]></root>"
)


def test_what_a_handler_is_told_becomes_a_message_box() -> None:
    page = unwrapped(ANSWER)
    assert page.startswith('<div id="messagetext">登录失败，您还可以尝试 4 次</div><script>')
    assert "]]>" not in page
    assert message_in("succeedhandle_ls('forum.php', '欢迎您回来', {})") == "forum.php 欢迎您回来"


@pytest.mark.parametrize(
    "text", ["", "<p>page</p>", "<?xml version='1.0'?><rss></rss>", "x" * 600 + "<![CDATA[y"]
)
def test_any_other_page_stays_as_it_is(text: str) -> None:
    assert unwrapped(text) == text


def test_a_hostile_answer_takes_no_time() -> None:
    assert unwrapped("<?xml?><![CDATA[" + "errorhandle_('" * 50_000)
