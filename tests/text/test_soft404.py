"""Pages that say "not found" with status 200 are recognised; pages that speak of it are not."""

from __future__ import annotations

import pytest

from harvester.text.page import analyse
from harvester.text.soft404 import is_soft_404
from tests.access.recordings import answers

MENU = "<ul><li><a href=/>Home</a><li><a href=/board/1>Releases of all kinds</a><li><a href=/faq>Questions</a></ul>"


@pytest.mark.parametrize(
    "html",
    [
        "<title>404 Not Found</title><p>Sorry.</p>",
        "<title>Example - Page not found</title>" + MENU,
        MENU + "<h1>Oops!</h1><p>We could not find it.</p>",
        MENU + "<div id=message><p>The requested topic does not exist.</p></div>",
        MENU + "<td>The specified thread does not exist.</td>",
        MENU + "<p>The page you requested could not be found.</p>",
        '<title>提示信息 - 论坛</title><div id="messagetext"><p>抱歉，指定的主题不存在或已被删除或正在被审核</p></div>'
        + MENU,
        "<h2>错误</h2><table><td>没有该ID的种子</td></table>",
        "<title>页面不存在</title>",
        "<h1>Страница не найдена</h1>",
        MENU + "<div>Тема, которую вы запросили, не существует.</div>",
        "<h1>ページが見つかりません</h1>",
        "<h1>Seite nicht gefunden</h1>",
        "<title>Page introuvable</title>",
        "<h1>Página no encontrada</h1>",
    ],
)
def test_a_page_that_says_so_is_missing(html: str) -> None:
    assert is_soft_404(analyse(html)).startswith("text: ")


@pytest.mark.parametrize(
    "html",
    [
        "<h1>How to fix 404 not found</h1><p>"
        + "When a server cannot find a page it says so, and this is why. " * 20,
        "<title>Topic 1404 - board</title><p>Hello</p>",
        "<title>Releases</title>" + MENU,
        "<h1>The page turner</h1><p>A short story.</p>",
        "",
    ],
)
def test_a_page_with_something_to_say_is_not_missing(html: str) -> None:
    assert is_soft_404(analyse(html)) == ""


@pytest.mark.parametrize("site", ["discuz35", "phpbb", "mybb", "machina"])
def test_no_recorded_page_of_a_forum_is_taken_for_missing(site: str) -> None:
    pages = [a for a in answers(site, "focus_anon") if a.html]
    assert [a.url for a in pages if is_soft_404(analyse(a.html))] == []


def test_a_page_like_a_known_missing_one_is_missing() -> None:
    template = (
        "<title>Example</title>"
        + MENU
        + "<p>Nothing to see at {}, go back to where you came from please.</p>"
    )
    probe = analyse(template.format("/qx81k3")).fingerprint
    assert is_soft_404(analyse(template.format("/t0p1c")), [probe]) == "probe"
    assert (
        is_soft_404(
            analyse("<title>Example</title>" + MENU + "<p>Debian has a new release today.</p>"), [probe]
        )
        == ""
    )
