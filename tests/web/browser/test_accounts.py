"""Answering a captcha on the page in a real Chromium, while a crawl of another site goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from harvester import wiring
from harvester.crawl.options import CrawlOptions
from harvester.demo import DemoSites, start_demo
from harvester.demo.forum import DiscuzForum
from harvester.demo.sites import ACCOUNT, DemoOptions
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import AccountState, ProposedReply
from harvester.model.site import Account, Politeness, RobotsDecision, SiteFile
from harvester.patterns.sitefile import dump_site_file, site_from_url
from harvester.settings import Settings
from harvester.web.keys import KeyFile
from harvester.web.server import address_of, listen, server_for
from tests.store.builders import NOW
from tests.web.browser.conftest import Site, Visit, visit

ALLOWED = RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms")
SECONDS = 90.0


class Walled:
    """A captcha forum, an open index, a server of pages over both, and crawls of them."""

    def __init__(self, demo: DemoSites, folder: Path, address: str, key: str) -> None:
        self.demo = demo
        self.settings = Settings(data=folder, web_rate_limit=0)
        self.files = AccountFiles(folder / "sessions")
        self.site = Site(address, key)
        self.forum = replace(
            site_from_url(demo.forum_url),
            site="forum",
            account=Account("DEMO_USER", "DEMO_PASSWORD"),
            robots=ALLOWED,
            politeness=Politeness(delay=0.03),
        )
        self.index = replace(site_from_url(demo.index_url), site="index", politeness=Politeness(delay=0.05))
        folder_of_sites = wiring.SiteFolder(self.settings)
        folder_of_sites.keep(self.forum, dump_site_file(self.forum))

    def crawl(self, site: SiteFile) -> threading.Thread:
        """Begin a crawl; join it to wait for its end."""

        def work() -> None:
            with wiring.opened_store(self.settings, create=True) as store:
                wiring.full_crawl(self.settings, store, site, CrawlOptions(max_seconds=SECONDS))

        thread = threading.Thread(target=work, name=f"crawl {site.site}")
        thread.start()
        return thread

    def ask(self) -> None:
        """Go for a captcha, in a thread: Playwright's loop runs in this one."""
        challenges = wiring.Challenges(self.settings)
        thread = threading.Thread(target=challenges.ask_anew, args=(self.forum,))
        thread.start()
        thread.join(SECONDS)

    def code(self) -> str:
        challenge = self.files.load("forum").challenge
        assert challenge is not None
        forum = self.demo.forum
        assert isinstance(forum, DiscuzForum)
        assert forum.captchas is not None
        return forum.captchas.codes[next(f.value for f in challenge.form.fields if f.name == "seccodehash")]


@pytest.fixture
def walled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Walled]:
    monkeypatch.setenv("DEMO_USER", ACCOUNT[0])
    monkeypatch.setenv("DEMO_PASSWORD", ACCOUNT[1])
    _, key = KeyFile(tmp_path).add("operator", "operate", now=NOW)
    settings = Settings(data=tmp_path, web_rate_limit=0)
    with (
        start_demo(options=DemoOptions(flood_seconds=0.0, captcha=True)) as demo,
        wiring.opened_store(settings, create=True) as store,
        listen("127.0.0.1", 0) as listener,
    ):
        server = server_for(settings, store)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Walled(demo, tmp_path, address_of(listener).rstrip("/"), key)
        server.should_exit = True
        thread.join(10)


def enter(seen: Visit, site: Site) -> None:
    seen.page.goto("/accounts")
    seen.page.locator("input[name=key]").fill(site.key)
    seen.page.locator("input[name=key]").press("Enter")
    expect(seen.page.locator("h1")).to_have_text("Accounts")


def test_a_captcha_is_answered_on_the_page_while_crawls_go_on(browser: Browser, walled: Walled) -> None:
    for seen in visit(browser, walled.site, viewport={"width": 1280, "height": 800}, locale="en-US"):
        page = seen.page
        enter(seen, walled.site)
        crawls = [walled.crawl(walled.forum), walled.crawl(walled.index)]
        expect(page.locator("#forum img.captcha")).to_be_visible(timeout=20_000)
        expect(page.locator("#forum img.captcha")).to_have_js_property("naturalWidth", 100, timeout=20_000)
        expect(page.locator("#forum .left")).to_contain_text("s left")
        before = walled.demo.index.state.requests
        page.locator("#forum input[name=answer]").fill(walled.code().lower())
        page.locator("#forum input[name=answer]").press("Enter")
        expect(page.locator("#forum")).to_contain_text("logged in (seen", timeout=20_000)
        for crawl in crawls:
            crawl.join(SECONDS)
        assert walled.demo.index.state.requests > before
        assert walled.demo.forum.state.logins == 1
        assert not seen.complaints


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_accounts_page_fits_its_window(
    browser: Browser, walled: Walled, width: int, scheme: str, tmp_path: Path
) -> None:
    walled.ask()
    long = "https://forum.example.org/thread-" + "9" * 200

    def with_reply(state: AccountState) -> AccountState:
        replies = (
            ProposedReply("thread:1", long, "感谢楼主分享。" * 20, 1.0),
            ProposedReply("thread:2", long, "x", 1.0),
        )
        return replace(state, proposed=replies)

    walled.files.change("forum", with_reply)
    for seen in visit(browser, walled.site, viewport={"width": width, "height": 900}, color_scheme=scheme):
        enter(seen, walled.site)
        wider = seen.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        expect(seen.page.locator("#forum img.captcha")).to_be_visible()
        seen.page.screenshot(path=str(tmp_path / "page.png"), full_page=True)
        assert wider <= 0
        assert not seen.complaints


def test_a_captcha_is_answered_without_a_script(browser: Browser, walled: Walled) -> None:
    walled.ask()
    for seen in visit(browser, walled.site, java_script_enabled=False, locale="en-US"):
        enter(seen, walled.site)
        seen.page.locator("#forum input[name=answer]").fill(walled.code())
        seen.page.get_by_role("button", name="Send the answer").click()
        expect(seen.page.locator("#forum")).to_contain_text("Under way")
        for _ in range(40):
            seen.page.reload()
            if "logged in" in seen.page.locator("#forum").inner_text():
                break
            seen.page.wait_for_timeout(200)
        assert walled.demo.forum.state.logins == 1
