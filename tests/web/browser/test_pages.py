"""The pages in a real Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.conftest import Site, Visit, visit
from tests.web.collection import HOSTILE, hex_of


def test_rows_facets_and_address_follow_what_is_typed(desk: Visit) -> None:
    page = desk.page
    page.goto("/")
    expect(page.locator(".row")).to_have_count(6)
    page.keyboard.type("ubuntu", delay=15)
    expect(page.locator(".row")).to_have_count(2)
    expect(page.locator(".total")).to_have_text("2 torrents")
    assert page.locator(".name mark").all_text_contents() == ["Ubuntu", "Ubuntu"]
    assert page.locator(".facets a[href*='site=forum'] .n").text_content() == "2"
    assert page.url.endswith("/?q=ubuntu")
    page.keyboard.type(" (")
    expect(page.locator(".fault")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("Backspace")
    expect(page.locator(".row")).to_have_count(2)
    page.go_back()
    assert not desk.complaints


def test_everything_can_be_done_by_keys(desk: Visit) -> None:
    page = desk.page
    page.goto("/?q=ubuntu")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".name").nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator(".name").nth(0)).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("input[name=q]")).to_be_focused()
    page.keyboard.type("server")
    expect(page.locator(".row")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Ubuntu 24.04 server")
    assert "q=server" in page.url
    page.keyboard.press("/")
    expect(page.locator("input[name=q]")).to_be_focused()
    assert not desk.complaints


def test_hostile_names_paths_and_comments_do_nothing(desk: Visit) -> None:
    page = desk.page
    for address in ("/", "/?q=script", f"/torrents/{hex_of(HOSTILE)}", f"/torrents/{hex_of(HOSTILE)}?q=<b>x"):
        page.goto(address)
        assert page.locator("script:not([src])").count() == 0
        assert page.locator("img").count() == 0
    page.goto("/")
    page.locator("input[name=q]").press_sequentially("script alert")
    expect(page.locator(".row")).to_have_count(1)
    assert page.locator(".name").first.inner_text() == HOSTILE
    page.locator("input[name=q]").fill("<img src=x onerror=alert(9)>")
    expect(page.locator("#results[aria-busy]")).to_have_count(0)
    assert page.locator("main img").count() == 0
    assert not desk.complaints


def test_everything_works_without_a_script(scriptless: Visit) -> None:
    page = scriptless.page
    page.goto("/")
    page.locator("input[name=q]").fill("ubuntu")
    page.locator("input[name=q]").press("Enter")
    expect(page.locator(".row")).to_have_count(2)
    page.get_by_role("link", name="Largest").click()
    expect(page.locator(".name").first).to_have_text("Ubuntu 24.04 desktop")
    page.locator(".name").first.click()
    expect(page.locator(".tree .file")).to_have_count(2)
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_every_page_fits_its_window(browser: Browser, site: Site, width: int, scheme: str) -> None:
    for seen in visit(browser, site, viewport={"width": width, "height": 800}, color_scheme=scheme):
        for address in (
            "/",
            "/?q=电视剧",
            f"/torrents/{hex_of(HOSTILE)}",
            "/sites",
            "/sites/forum",
            "/login",
        ):
            seen.page.goto(address)
            wider = seen.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert wider <= 0, address
        assert not seen.complaints


def test_filters_open_on_a_phone(browser: Browser, site: Site) -> None:
    for seen in visit(browser, site, viewport={"width": 390, "height": 800}, locale="en-US", has_touch=True):
        seen.page.goto("/")
        expect(seen.page.locator(".facets")).to_be_hidden()
        seen.page.get_by_text("Filters").tap()
        seen.page.locator(".facets a[href*='lang=zh']").tap()
        expect(seen.page.locator(".row")).to_have_count(1)
        assert not seen.complaints


def test_the_operator_logs_in_pauses_resumes_and_logs_out(desk: Visit, site: Site) -> None:
    page = desk.page
    page.goto("/sites/forum")
    page.get_by_role("link", name="Log in", exact=True).click()
    page.locator("input[name=key]").fill(site.key)
    page.locator("input[name=key]").press("Enter")
    page.locator("input[name=reason]").fill("tea")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".note")).to_have_text("Paused: tea")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator("h1 .badge")).to_have_text("active")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in", exact=True)).to_be_visible()
    assert not desk.complaints


def test_a_query_counts_when_typing_has_come_to_rest(desk: Visit) -> None:
    page = desk.page
    page.goto("/")
    with page.expect_response("**/asked?q=ubuntu") as answer:
        page.keyboard.type("ubuntu")
    assert answer.value.status == 204
    assert not desk.complaints
