"""The one place where settings become objects."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import harvester
from harvester.access.captcha import Solver
from harvester.crawl.desk import AccountDesk
from harvester.crawl.engine import CrawlEngine
from harvester.crawl.kept import page_keys
from harvester.crawl.options import CrawlOptions, CrawlReport, OnProgress
from harvester.crawl.refresh import pages_to_refresh
from harvester.crawl.run import run_crawl
from harvester.crawl.unlock import AccountMeans, Alert
from harvester.errors import HarvestError, NotFound, SettingsError, SiteFileError, StoreBusy, UsageError
from harvester.fetch.alerts import Webhook
from harvester.fetch.credentials import EnvironmentCredentials
from harvester.fetch.exchange import Archive
from harvester.fetch.fetcher import HttpFetcher, user_agent
from harvester.fetch.sessions import AccountFiles
from harvester.links import parse_url
from harvester.model.crawl import CrawlKind, FoundUrl, Site
from harvester.model.site import Rule, SiteFile
from harvester.model.site import is_loopback as is_loopback_host
from harvester.model.stored import PageVersion
from harvester.patterns.engines import shipped_engines
from harvester.patterns.learnedfile import read_learned_file
from harvester.patterns.sitefile import parse_site_file, site_from_url
from harvester.ports.index import SearchIndex
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.store.learned import LearnedFiles
from harvester.store.opening import open_store

if TYPE_CHECKING:
    from harvester.index.following import Follower

_MAX_SITE_FILE = 1 << 20
"""Bytes of a site file that are read; what is longer is refused by the reader."""
T = TypeVar("T")
_NAME = re.compile(r"[\w.-]{1,100}")
_FOLLOWER_SECONDS = 20.0
"""How long the follower may take to finish its commit."""


@contextmanager
def opened_store(settings: Settings, *, create: bool = False) -> Iterator[Store]:
    """The store of these settings, closed at the end.

    `create` makes the data folder and the database where there are none; without it `NotFound` says how to
    begin.
    """
    if create:
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(
                f"the data folder {settings.data} cannot be made",
                why=error.strerror or str(error),
                hint="name another one with --data",
            ) from error
    try:
        store = open_store(settings.database_url, settings.blobs_url, create=create)
    except NotFound as error:
        raise NotFound(
            f"nothing is harvested yet in {settings.data}",
            hint="begin with: harvest full --site URL, or name another folder with --data",
        ) from error
    try:
        yield store
    finally:
        store.close()


def search_index(settings: Settings) -> SearchIndex:
    """The search index of these settings, to read; it may be used by several threads at once."""
    from harvester.index.reading import IndexReader  # here, because most verbs have no use for it

    return IndexReader(settings.data / "index")


def index_follower(settings: Settings, store: Store) -> Follower:
    """What keeps the search index of these settings up to date with `store`."""
    from harvester.index.following import Follower  # here, because most verbs have no use for it

    return Follower(settings.data / "index", store)


def follow_changes(settings: Settings, until_closed: TextIO | None = None) -> None:
    """Keep the search index up to date until SIGINT or SIGTERM, or until a pipe is closed, in this process.

    Searching is a matter for other processes: indexing keeps the interpreter busy, and this one is made nice.
    """
    from harvester.index.following import FOLLOWER_NICE  # here, because most verbs have no use for it

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if until_closed is not None and stat.S_ISFIFO(os.fstat(until_closed.fileno()).st_mode):
        # Whoever started this holds the other end: when it is gone, however it went, so is this.
        threading.Thread(target=_set_at_end, args=(until_closed, stop), daemon=True).start()
    os.nice(FOLLOWER_NICE)
    with opened_store(settings, create=True) as store:
        index_follower(settings, store).run(stop)


def _set_at_end(pipe: TextIO, stop: threading.Event) -> None:
    pipe.read()
    stop.set()


@contextmanager
def following(settings: Settings) -> Iterator[None]:
    """A process beside this one that keeps the search index up to date: for servers.

    It ends with the block, and also when this process is killed. Where another process already follows, it
    waits, and takes over when that one ends.
    """
    command = [sys.executable, "-m", "harvester", "reindex", "--follow"]
    environment = {**os.environ, **_as_environment(settings)}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603 - our own command
    try:
        yield
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_FOLLOWER_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _as_environment(settings: Settings) -> dict[str, str]:
    """What a process of ours needs to know to open the same store and index."""
    return {
        "HARVEST_DATA": str(settings.data.absolute()),
        "HARVEST_DATABASE_URL": settings.database_url,
        "HARVEST_BLOBS": settings.blobs_url,
    }


def caught_up_index(
    settings: Settings, store: Store, on_progress: Callable[[int, int], None] | None = None
) -> SearchIndex:
    """The search index with everything in it that is stored now, or as much as another process put there.

    `on_progress` is called with (changes followed, newest change).
    """
    follower = index_follower(settings, store)
    if follower.is_behind():
        with suppress(StoreBusy):  # whoever has it follows the same changes
            follower.catch_up(on_progress)
    return search_index(settings)


class SiteFolder:
    """Where site files are looked for: the data folder's, the operator's, the shipped ones; first wins."""

    def __init__(self, settings: Settings) -> None:
        self.own = settings.data / "rules"
        self._folders = [self.own] + ([settings.rules] if settings.rules else [])

    def names(self) -> dict[str, str]:
        """Every known site by name, with where its file is: a path, or `shipped`."""
        found = dict.fromkeys(shipped_site_files(), "shipped")
        for folder in reversed(self._folders):
            for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
                if not path.name.endswith(".learned.yaml"):
                    found[path.stem] = str(path)
        return found

    def read(self, name: str) -> SiteFile:
        """The site file of that name; `NotFound` when there is none, `SiteFileError` when it is wrong."""
        for folder in self._folders:
            path = folder / f"{name}.yaml"
            if path.is_file():
                return read_site_file(path)
        text = shipped_site_files().get(name)
        if text is None:
            raise NotFound(f"there is no site named {name!r}", hint="see: harvest sites list")
        return parse_site_file(text, f"{name}.yaml (shipped)")

    def keep(self, site: SiteFile, text: str) -> Path:
        """Write a site's file into the data folder, whole or not at all."""
        self.own.mkdir(parents=True, exist_ok=True)
        path = self.own / f"{site.site}.yaml"
        draft = path.with_suffix(".new")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
        return path

    def drop(self, name: str) -> bool:
        """Delete the data folder's file of that name; whether there was one."""
        path = self.own / f"{name}.yaml"
        if not path.is_file():
            return False
        path.unlink()
        return True


def read_site_file(path: Path) -> SiteFile:
    """Read and check a site file; `SiteFileError` names line and reason."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_SITE_FILE + 1)
        return parse_site_file(content.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise SiteFileError(str(path), 0, "it is not UTF-8 text") from error
    except OSError as error:
        raise SiteFileError(str(path), 0, error.strerror or str(error)) from error


def find_site(wanted: str, folder: SiteFolder, store: Store | None = None) -> SiteFile:
    """The site that a person means by a name, a URL or a file."""
    if "://" in wanted:
        site = site_from_url(wanted)
        return folder.read(site.site) if site.site in folder.names() else site
    path = Path(wanted)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        return read_site_file(path)
    if not _NAME.fullmatch(wanted):
        raise UsageError(
            f"{wanted!r} is no site", hint="give a name of `harvest sites list`, a URL (https://…) or a file"
        )
    try:
        return folder.read(wanted)
    except NotFound:
        if store is not None:
            for known in store.sites():
                if known.name == wanted:
                    return site_from_url(known.start)
        raise


def with_delay(site: SiteFile, delay: float | None) -> SiteFile:
    """The site with another delay (seconds), as far as politeness allows."""
    if delay is None:
        return site
    if delay < 1 and not is_loopback(site):
        raise UsageError(
            f"a delay of {delay:g} s is too short for {site.site}",
            hint="the least is 1 s; only sites on loopback may be asked faster",
        )
    return replace(site, politeness=replace(site.politeness, delay=delay))


def is_loopback(site: SiteFile) -> bool:
    """Whether every host of the site is this machine by its name or address."""
    return all(is_loopback_host(host) for host in site.hosts)


def require_contact(settings: Settings, site: SiteFile) -> None:
    """Refuse to crawl strangers without saying who is asking. Raises `SettingsError`."""
    if not settings.contact and not is_loopback(site):
        raise SettingsError(
            "no contact is set",
            why=f"{site.site} is not on this machine, and its owner must be able to reach you",
            hint="run `harvest init`, or set HARVEST_CONTACT to a mail address or web page",
        )


def build_fetcher(settings: Settings, site: SiteFile, archive: Archive | None = None) -> HttpFetcher:
    """The fetcher for a crawl of `site`; belongs to the running event loop."""
    proxies = {site.site: site.politeness.proxy} if site.politeness.proxy else {}
    return HttpFetcher(contact=settings.contact, allowed=_own_places(site), proxies=proxies, archive=archive)


@contextmanager
def opened_archive(folder: Path | None) -> Iterator[Archive | None]:
    """The WARC files of a crawl, closed at its end; None without a folder."""
    if folder is None:
        yield None
        return
    from harvester.fetch.warc import WarcFolder

    with closing(WarcFolder(folder, f"harvest/{harvester.__version__}")) as archive:
        yield archive


def _own_places(site: SiteFile) -> frozenset[tuple[str, int]]:
    """The (host, port) that the operator configured, which may be private addresses."""
    places = set()
    for host in site.hosts:
        parsed = parse_url(f"http://{host}/")
        if parsed is not None:
            places |= {(parsed.host, parsed.port)} if parsed.port else {(parsed.host, 80), (parsed.host, 443)}
    return frozenset(places)


def full_crawl(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions,
    on_progress: OnProgress | None = None,
) -> CrawlReport:
    """Crawl a whole site in this thread, or go on with its unfinished crawl."""
    return _crawl(settings, store, site, options, "full", on_progress=on_progress)


def refresh(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions | None = None,
    on_progress: OnProgress | None = None,
    *,
    heed_signals: bool = True,
) -> CrawlReport:
    """One incremental pass over a site: its lists again, and what is new behind them."""
    options = options or CrawlOptions()
    seeds = pages_to_refresh(store, site, site.refresh.budget_per_day)
    return _crawl(
        settings, store, site, options, "refresh", seeds, on_progress=on_progress, heed_signals=heed_signals
    )


def stored_page(
    settings: Settings, store: Store, url: str, *, at: float | None = None
) -> tuple[str, PageVersion, list[float]]:
    """A stored page by its URL: its site, the version current at `at`, the times of all; `NotFound`."""
    folder = SiteFolder(settings)
    parsed = parse_url(url)
    host = f"{parsed.host}:{parsed.port}" if parsed and parsed.port else parsed.host if parsed else ""
    for known in store.sites():
        try:
            site = find_site(known.name, folder, store)
        except HarvestError:  # its file is wrong; `harvest rules check` says how
            continue
        if host not in site.hosts:
            continue
        learned, _ = learned_files(settings).read(site.site)
        for key in page_keys(store, site, url, shipped_engines(), learned):
            page = store.page(site.site, key, at=at)
            if page is not None:
                return site.site, page, store.page_versions(site.site, key)
    raise NotFound(
        f"no page {url} is stored" + (" from that time" if at is not None else ""),
        why="it was not read, is a near-duplicate of another, or is behind a wall",
        hint="see: harvest status",
    )


def is_due(store: Store, site: Site, interval: float, now: float) -> bool:
    """Whether an active site was crawled before and not within the last `interval` seconds."""
    if site.state != "active":
        return False
    crawls = store.crawls(site.name, limit=1)
    return bool(crawls) and crawls[0].updated_at <= now - interval


def _crawl(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions,
    kind: CrawlKind,
    seeds: Sequence[FoundUrl] = (),
    *,
    on_progress: OnProgress | None,
    heed_signals: bool = True,
) -> CrawlReport:
    require_contact(settings, site)
    learned = learned_files(settings)
    rules, _ = learned.read(site.site)
    known = store.add_site(site.site, start=site.start[0], now=time.time())
    if known.state == "paused":
        raise UsageError(f"{site.site} is paused", why=known.reason, hint=f"harvest sites resume {site.site}")
    with crawling(settings, site.site), opened_archive(options.warc) as archive:
        return run_crawl(
            lambda: build_fetcher(settings, site, archive),
            lambda fetcher: CrawlEngine(
                site,
                store=store,
                fetcher=fetcher,
                agent=user_agent(settings.contact),
                engines=shipped_engines(),
                options=replace(options, owner=_crawler_name(site.site)),
                kind=kind,
                seeds=seeds,
                only_unknown=kind == "refresh",
                on_progress=on_progress,
                known=rules,
                on_learned=lambda found: _keep_learned(learned, site.site, found),
                account=account_means(settings),
            ),
            heed_signals=heed_signals,
        )


def learned_files(settings: Settings) -> LearnedFiles:
    """The learned rules of the data folder."""
    return LearnedFiles(settings.data / "rules")


def read_learned(path: Path) -> tuple[tuple[Rule, ...], tuple[SiteFileError, ...]]:
    """The right rules of a learned file, and what is wrong with the others."""
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_SITE_FILE + 1).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SiteFileError(str(path), 0, "it is not UTF-8 text") from error
    except OSError as error:
        raise SiteFileError(str(path), 0, error.strerror or str(error)) from error
    return read_learned_file(text, str(path))


def _keep_learned(learned: LearnedFiles, site: str, rules: list[Rule]) -> None:
    if rules:
        learned.write(site, rules)


def learn(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions,
    on_progress: OnProgress | None = None,
) -> CrawlReport:
    """Learn the rules of a site, and do nothing else: what it finds is not what it is for."""
    options = replace(options, order_settings={**options.order_settings, "learn": 1.0})
    return _crawl(settings, store, site, options, "learn", on_progress=on_progress)


def log_alert(site: str, word: str, message: str) -> None:
    """Tell who reads the log."""
    logging.getLogger("harvester.access").warning("%s: %s", site, message, extra={"alert": word})


def _alerts(settings: Settings) -> Alert:
    """The log, and the operator's web address if there is one."""
    if settings.alert_webhook is None:
        return log_alert
    webhook = Webhook(settings.alert_webhook.get_secret_value(), settings.contact)

    def tell(site: str, word: str, message: str) -> None:
        log_alert(site, word, message)
        webhook(site, word, message)

    return tell


def captcha_solver(name: str) -> Solver | None:
    """A solver that a package offers under the entry point group `harvest.captcha_solvers`."""
    for point in entry_points(group="harvest.captcha_solvers", name=name):
        solver: Solver = point.load()
        return solver
    return None


def account_means(settings: Settings, *, alert: Alert | None = None) -> AccountMeans:
    """Where accounts are kept, where their secrets are found, and who is told about them."""
    return AccountMeans(
        keeper=AccountFiles(settings.data / "sessions"),
        credentials=EnvironmentCredentials(),
        alert=alert or _alerts(settings),
        solver=captcha_solver,
    )


def at_the_desk(
    settings: Settings, store: Store, site: SiteFile, act: Callable[[AccountDesk], Awaitable[T]]
) -> T:
    """Let a person act on the account of a site while no crawl of it runs (`UsageError` when one does)."""
    require_contact(settings, site)
    known = store.add_site(site.site, start=site.start[0], now=time.time())
    if known.state == "paused":
        raise UsageError(f"{site.site} is paused", why=known.reason, hint=f"harvest sites resume {site.site}")

    async def work() -> T:
        fetcher = build_fetcher(settings, site)
        desk = AccountDesk(
            site,
            account_means(settings, alert=lambda _site, _word, _message: None),
            store=store,
            fetcher=fetcher,
            agent=user_agent(settings.contact),
            engines=shipped_engines(),
        )
        try:
            return await act(desk)
        finally:
            await desk.close()
            await fetcher.aclose()

    with crawling(settings, site.site):
        return asyncio.run(work())


def is_crawling(settings: Settings, site: str) -> bool:
    """Whether a process of this data folder is crawling the site now."""
    try:
        with crawling(settings, site):
            return False
    except UsageError:
        return True


def _crawler_name(site: str) -> str:
    """What the leases of this machine's crawl of `site` are signed with, the same after a restart."""
    return f"{socket.gethostname()}:{site}"


@contextmanager
def crawling(settings: Settings, site: str) -> Iterator[None]:
    """Hold the right to crawl `site` from this data folder; `UsageError` when another process has it."""
    folder = settings.data / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{site}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(
                f"{site} is being crawled by another process",
                hint="see `harvest status`; stop it with Ctrl-C there, or with: harvest sites pause",
            ) from error
        yield


@cache
def shipped_site_files() -> dict[str, str]:
    """The text of each site file that comes with Harvest, by the site's name."""
    return {
        path.stem: path.read_text(encoding="utf-8") for path in sorted(rules_folder().glob("sites/*.yaml"))
    }


@cache
def rules_folder() -> Path:
    """The packaged `rules/`: inside the package when installed, beside it in a checkout."""
    packaged = Path(harvester.__file__).parent / "_rules"
    return packaged if packaged.is_dir() else Path(harvester.__file__).parents[1] / "rules"
