"""A real server and a real browser."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from harvester import wiring
from harvester.settings import Settings
from harvester.web.keys import KeyFile
from harvester.web.server import address_of, listen, server_for
from tests.store.builders import NOW
from tests.web.collection import fill

_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass(frozen=True)
class Site:
    """Where the pages are, and the operator's key."""

    address: str
    key: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("browser")
    settings = Settings(data=folder, web_rate_limit=0)
    _, key = KeyFile(folder).add("operator", "operate", now=NOW)
    with wiring.opened_store(settings, create=True) as store, listen("127.0.0.1", 0) as listener:
        fill(store)
        wiring.caught_up_index(settings, store)
        server = server_for(settings, store)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Site(address_of(listener).rstrip("/"), key)
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module: while it is open, Playwright keeps an event loop running in this thread."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.fail("no Chromium is installed; on Debian: apt-get install chromium", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=_FLAGS)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Visit:
    """A page that is being looked at, and everything that went wrong on it."""

    page: Page
    complaints: list[str]


def visit(browser: Browser, site: Site, **context: object) -> Iterator[Visit]:
    """A page in a fresh browser context; every error, refused asset and foreign request is a complaint."""
    opened = browser.new_context(base_url=site.address, **context)  # type: ignore[arg-type]  # as given
    opened.set_default_timeout(8000)
    page = opened.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda request: None if request.url.startswith(site.address) else complaints.append(request.url),
    )
    yield Visit(page, complaints)
    opened.close()


@pytest.fixture
def desk(browser: Browser, site: Site) -> Iterator[Visit]:
    """At a desk: a wide window and a keyboard."""
    yield from visit(browser, site, viewport={"width": 1280, "height": 800}, locale="en-US")


@pytest.fixture
def scriptless(browser: Browser, site: Site) -> Iterator[Visit]:
    """With JavaScript turned off."""
    yield from visit(browser, site, java_script_enabled=False, locale="en-US")
