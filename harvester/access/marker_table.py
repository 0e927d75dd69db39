"""All wall markers in one RE2 set: one pass over a page says which of them deserve a closer look."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module

import re2
from msgspec import Struct

from harvester.access import challenges, wall_markers
from harvester.access.wall_markers import generic, notices
from harvester.access.wall_markers.marker import Marker
from harvester.model.wall import WallKind

_PASSWORD_INPUT = r"type\s*=\s*[\"']?password"  # noqa: S105 - a pattern over HTML, no secret


class Hits(Struct, frozen=True):
    """What a page's source gives reason to look for."""

    markers: tuple[tuple[Marker, str], ...] = ()
    phrases: bool = False
    password: bool = False
    challenge: bool = False
    notices: bool = False

    def __bool__(self) -> bool:
        return bool(self.markers or self.phrases or self.password or self.challenge or self.notices)

    def of_engine_first(self, engine: str) -> Iterator[tuple[Marker, str]]:
        """The markers and their families, those of `engine` first."""
        family = engine.split("_")[0].rstrip("0123456789")
        yield from (pair for pair in self.markers if pair[1] == family)
        yield from (pair for pair in self.markers if pair[1] != family)


def load_markers() -> list[tuple[Marker, str]]:
    """All markers with the name of their family, which is that of their module."""
    pairs: list[tuple[Marker, str]] = []
    for module in sorted(pkgutil.iter_modules(wall_markers.__path__), key=lambda found: found.name):
        markers = getattr(import_module(f"{wall_markers.__name__}.{module.name}"), "MARKERS", ())
        pairs.extend((marker, module.name) for marker in markers)
    return pairs


class _Table:
    def __init__(self) -> None:
        options = re2.Options()
        options.case_sensitive = False
        options.max_mem = 64 << 20
        self._set = re2.Set.SearchSet(options)
        self._pairs: list[list[tuple[Marker, str]]] = []
        of_trigger: dict[str, int] = {}
        for pair in load_markers():
            trigger = pair[0].trigger
            if trigger not in of_trigger:
                of_trigger[trigger] = self._set.Add(trigger)
                self._pairs.append([])
            self._pairs[of_trigger[trigger]].append(pair)
        self._phrases = self._set.Add(generic.TRIGGER)
        self._password = self._set.Add(_PASSWORD_INPUT)
        self._challenge = self._set.Add(challenges.TRIGGER)
        self._notices = self._set.Add(notices.TRIGGER)
        self._set.Compile()

    def scan(self, source: bytes) -> Hits:
        numbers = self._set.Match(source)
        if not numbers:
            return Hits()
        return Hits(
            markers=tuple(
                pair for number in sorted(numbers) if number < self._phrases for pair in self._pairs[number]
            ),
            phrases=self._phrases in numbers,
            password=self._password in numbers,
            challenge=self._challenge in numbers,
            notices=self._notices in numbers,
        )


_table = _Table()

PHRASES_BY_KIND = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in generic.PHRASES}
"""The phrases of any site, for saying which one it was."""


def _phrase_table() -> list[tuple[WallKind, re2._Regexp]]:
    options = re2.Options()
    options.case_sensitive = False
    return [(kind, re2.compile(pattern, options)) for kind, pattern in generic.PHRASES]


_phrases = _phrase_table()


def phrase_kinds(text: str) -> list[WallKind]:
    """The kinds of wall of which `text` holds a phrase."""
    source = text.encode("utf-8", "replace")
    return [kind for kind, phrase in _phrases if phrase.search(source)]


def scan(html: str) -> Hits:
    """What the source of a page gives reason to look for; about 1 us a kilobyte."""
    return _table.scan(html.encode("utf-8", "replace"))
