"""Site files: where they are, which one is meant, and what holds before a site is crawled."""

from __future__ import annotations

import re
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

import harvester
from harvester.crawl.recognition import EVENT as ENGINE_EVENT
from harvester.errors import NotFound, SettingsError, SiteFileError, UsageError
from harvester.model.site import Rule, SiteFile
from harvester.model.site import is_loopback as is_loopback_host
from harvester.patterns.engines import Engine, shipped_engines
from harvester.patterns.learnedfile import read_learned_file
from harvester.patterns.rulefile import contradictions
from harvester.patterns.sitefile import parse_site_file, site_from_url
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.store.learned import LearnedFiles
from harvester.wiring.stores import opened_store

_MAX_SITE_FILE = 1 << 20
"""Bytes of a site file that are read; what is longer is refused by the reader."""
_NAME = re.compile(r"[\w.-]{1,100}")


class KeptFile(NamedTuple):
    """Where a site's file is, and where the one that was there before is now."""

    path: Path
    earlier: Path | None

    def __str__(self) -> str:
        return str(self.path) + (f" (the earlier one is now {self.earlier})" if self.earlier else "")


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
            address = f"; for an address write https://{name}/" if "." in name else ""
            raise NotFound(f"there is no site named {name!r}", hint=f"see: harvest sites list{address}")
        return parse_site_file(text, f"{name}.yaml (shipped)")

    def keep(self, site: SiteFile, text: str) -> KeptFile:
        """Write a site's file into the data folder, whole or not at all; another one there is set aside."""
        self.own.mkdir(parents=True, exist_ok=True)
        path = self.own / f"{site.site}.yaml"
        draft = path.with_suffix(".new")
        draft.write_text(text, encoding="utf-8")
        is_same = path.is_file() and path.read_bytes() == draft.read_bytes()
        earlier = None if is_same else self.drop(site.site)
        draft.replace(path)
        return KeptFile(path, earlier)

    def drop(self, name: str) -> Path | None:
        """Set the data folder's file of that name aside, under the first free number; None without one."""
        path = self.own / f"{name}.yaml"
        if not path.is_file():
            return None
        numbered = (self.own / f"{path.name}.{number}" for number in count(1))
        aside = next(other for other in numbered if not other.exists())
        return path.replace(aside)


def read_site_file(path: Path) -> SiteFile:
    """Read and check a site file; `SiteFileError` names line and reason."""
    return parse_site_file(_read_rules(path), str(path))


def read_learned(path: Path) -> tuple[tuple[Rule, ...], tuple[SiteFileError, ...]]:
    """The right rules of a learned file, and what is wrong with the others."""
    return read_learned_file(_read_rules(path), str(path))


def _read_rules(path: Path) -> str:
    """The text of a site or rule file; what is longer than it may be is refused by its reader."""
    try:
        with path.open("rb") as file:
            return file.read(_MAX_SITE_FILE + 1).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SiteFileError(str(path), 0, "it is not UTF-8 text") from error
    except OSError as error:
        raise SiteFileError(str(path), 0, error.strerror or str(error)) from error


def learned_files(settings: Settings) -> LearnedFiles:
    """The learned rules of the data folder."""
    return LearnedFiles(settings.data / "rules")


def doubts(settings: Settings, site: SiteFile) -> list[str]:
    """What is wrong in the site's rules, and what contradicts itself, in words.

    A crawl leaves out the learned rules that are wrong, and goes on with the others.
    """
    files = learned_files(settings)
    learned, faults = files.read(site.site)
    found = [f"left out: {fault}" for fault in faults]
    for file, rules in ((f"{site.site}.yaml", site.rules), (str(files.path(site.site)), learned)):
        found += [f"{file}: {contradiction}" for contradiction in contradictions(rules)]
    return found


def engine_of(settings: Settings, site: SiteFile) -> Engine | None:
    """The engine that the site file names, else the one that a crawl recognised; None when there is none."""
    if site.engine:
        return shipped_engines().get(site.engine)
    try:
        with opened_store(settings) as store:
            events = store.events(site=site.site, kind=ENGINE_EVENT, limit=1)
    except NotFound:  # nothing was crawled yet
        return None
    return shipped_engines().get(str(events[0].detail.get("engine", ""))) if events else None


def find_site(wanted: str, folder: SiteFolder, store: Store | None = None) -> SiteFile:
    """The site that a person means by a name, a URL or a file."""
    if "://" in wanted:
        site = site_from_url(wanted)
        return folder.read(site.site) if site.site in folder.names() else site
    path = Path(wanted)
    if path.suffix in (".yaml", ".yml") or _is_file(path):
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


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


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
