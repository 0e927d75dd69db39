"""A torrent as a document of the index."""

from __future__ import annotations

from typing import Any

import tantivy

from harvester.index.schema import UNKNOWN, date_key, size_key, tier_of_key
from harvester.model.query import Searchable
from harvester.policy.blocking import publisher_keys
from harvester.text.folding import fold
from harvester.text.name_language import language_of
from harvester.text.segment import dictionary_words
from harvester.text.terms import distinct_terms, index_terms
from harvester.torrents.category import category_of

MAX_TERMS = 50_000
"""Terms of one torrent; a list of a million files has more, and is cut there."""
MAX_PATH_TEXT = 4_000_000
"""Characters of paths that are read."""
MAX_EXTENSIONS = 32
_MAX_NAME = 4_000
_MAX_COMMENT = 4_000
_MAX_KEYWORD = 200


def document_of(torrent: Searchable) -> tantivy.Document:
    """The document; a hostile torrent's is cut to the limits above."""
    name = torrent.name[:_MAX_NAME]
    name_terms = index_terms(name)
    terms = set(name_terms)
    document = tantivy.Document()
    document.add_integer("id", torrent.id)
    if name_terms:
        document.add_text("name", " ".join(name_terms))
    words = dictionary_words(fold(name))
    for text in (*torrent.titles, torrent.comment):
        about = index_terms(text[:_MAX_COMMENT])
        # A title that only repeats the name says nothing new.
        if about and about != name_terms:
            document.add_text("about", " ".join(about))
            terms.update(about)
            if text is not torrent.comment:
                words += dictionary_words(fold(text[:_MAX_COMMENT]))
    if words:
        document.add_text("words", " ".join(set(words)))
    paths = _bounded(torrent.paths)
    terms |= distinct_terms(paths)
    if len(terms) > MAX_TERMS:
        terms = {*name_terms, *sorted(terms)[:MAX_TERMS]}
    if terms:
        document.add_text("text", " ".join(terms))
    _add_keywords(document, torrent, paths, language_of(name, name_terms))
    _add_numbers(document, torrent)
    return document


def _add_keywords(
    document: tantivy.Document, torrent: Searchable, paths: tuple[str, ...], language: str
) -> None:
    for site in torrent.sites:
        document.add_text("site", site.lower()[:_MAX_KEYWORD])
    for extension in extensions(paths):
        document.add_text("ext", extension)
    document.add_text("main", (extensions((torrent.main_path,)) or (UNKNOWN,))[0])
    document.add_text("lang", language or UNKNOWN)
    category = torrent.category or category_of(torrent.name, torrent.main_path, paths)
    document.add_text("type", category.lower()[:_MAX_KEYWORD])
    document.add_text("private", "yes" if torrent.private else "no")
    for wall in torrent.walls:
        document.add_text("wall", wall.lower()[:_MAX_KEYWORD] or "none")
    for publisher in torrent.publishers:
        for key in publisher_keys(publisher):
            document.add_text("publisher", key)


def _add_numbers(document: Any, torrent: Searchable) -> None:
    document.add_integer("date", date_key(torrent.first_seen, torrent.id))
    size = size_key(torrent.size, torrent.id)
    document.add_integer("size", size)
    document.add_text("tier", tier_of_key(size))
    if torrent.has_file:
        document.add_integer("files", torrent.n_files)
    if torrent.created is not None:
        document.add_integer("created", int(min(max(torrent.created, -(2.0**40)), 2.0**40)))


def extensions(paths: tuple[str, ...]) -> list[str]:
    """The extensions of the files, in lower case and without the dot, each once, those of the first files."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    for path in paths:
        ending = path[path.rfind(".") + 1 :]
        if ending in seen:
            continue
        seen.add(ending)
        # What is longer or has a slash or a blank in it is no extension. A dot leads names of hidden files.
        if (
            len(ending) <= 12
            and ending.isalnum()
            and ending != path
            and path[-len(ending) - 2 : -len(ending) - 1] not in ("", "/")
        ):
            found[ending.lower()] = None
            if len(found) >= MAX_EXTENSIONS:
                break
    return list(found)


def _bounded(paths: tuple[str, ...]) -> tuple[str, ...]:
    if len(paths) < 1000:
        return paths
    total = 0
    for at, path in enumerate(paths):
        total += len(path)
        if total > MAX_PATH_TEXT:
            return paths[:at]
    return paths
