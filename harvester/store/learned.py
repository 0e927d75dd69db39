"""The files in which learned rules are kept, each with the version before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from harvester.errors import NotFound, SiteFileError, StoreError
from harvester.model.site import Rule
from harvester.patterns.learnedfile import dump_learned_file, read_learned_file

_MAX_FILE = 1 << 20


class LearnedFiles:
    """`<folder>/<site>.learned.yaml`, and `….previous` beside it.

    Written whole or not at all. One object is one run: its first write of a site keeps what was there
    before as the previous version, the later ones replace its own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: set[str] = set()

    def path(self, site: str) -> Path:
        """Where the learned rules of a site are."""
        return self._folder / f"{site}.learned.yaml"

    def previous_path(self, site: str) -> Path:
        """Where the version before is."""
        return self._folder / f"{site}.learned.yaml.previous"

    def text(self, site: str) -> str:
        """The file as it is; `NotFound` when nothing was learned yet."""
        return _read(self.path(site), site)

    def read(self, site: str) -> tuple[tuple[Rule, ...], tuple[SiteFileError, ...]]:
        """The rules that are right, and what is wrong with the others; nothing when there is no file."""
        if not self.path(site).is_file():
            return (), ()
        return read_learned_file(self.text(site), str(self.path(site)))

    def read_previous(self, site: str) -> tuple[Rule, ...]:
        """The rules of the version before, as far as they are right; none when there is none."""
        path = self.previous_path(site)
        if not path.is_file():
            return ()
        return read_learned_file(_read(path, site), str(path))[0]

    def write(self, site: str, rules: Sequence[Rule] | Iterable[Rule]) -> Path:
        """Keep what was learned."""
        return self.write_text(site, dump_learned_file(site, rules))

    def write_text(self, site: str, text: str) -> Path:
        """Keep a text that was checked before."""
        path = self.path(site)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if site not in self._written and path.is_file():
                path.replace(self.previous_path(site))
            self._written.add(site)
            draft = path.with_suffix(".new")
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        except OSError as error:
            raise StoreError(
                f"the learned rules cannot be written to {path}", why=error.strerror or str(error)
            ) from error
        return path


def _read(path: Path, site: str) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_FILE + 1).decode("utf-8-sig")
    except FileNotFoundError as error:
        raise NotFound(
            f"nothing was learned of {site} yet", hint=f"harvest learn --site {site}, or harvest full"
        ) from error
    except UnicodeDecodeError as error:
        raise SiteFileError(str(path), 0, "it is not UTF-8 text") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read", why=error.strerror or str(error)) from error
