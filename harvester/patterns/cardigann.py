"""Cardigann definitions (as Jackett and Prowlarr use them) of one's own, turned into site files.

Carried over: name, address, encoding, delay, search paths, detail and download links (from attribute
selectors), the login page and the need of an account. What has no place in a site file is listed. No
definition comes with Harvest; whoever imports one answers for the site it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from msgspec.structs import replace

from harvester.errors import SiteFileError
from harvester.model.site import Account, Politeness, Role, Rule, SiteFile
from harvester.patterns.rules import check_match
from harvester.patterns.sitefile import dump_site_file, host_of, parse_site_file
from harvester.patterns.yaml_nodes import compose, plain

LEAST_DELAY = 1.0
_TEMPLATE = re.compile(r"\{\{.{0,500}?\}\}", re.DOTALL)
_HREF = re.compile(r"""\[href(\^|\*|\$)?=\s?["']?([^"'\]]{1,300})["']?\]""")
_KNOWN = frozenset({"id", "name", "links", "encoding", "requestDelay", "login", "search", "download"})
_SILENT = frozenset({"description", "language", "type", "replaces", "legacylinks", "name", "followredirect"})
_SEARCH = frozenset({"path", "paths", "rows", "fields"})
_LOGIN = frozenset({"path", "method", "inputs", "form"})


@dataclass(frozen=True, slots=True)
class Imported:
    """A site file made of a definition, and what of the definition is not in it, in words."""

    site: SiteFile
    left: tuple[str, ...]


def import_definition(text: str, file_name: str) -> Imported:
    """Read a definition; `SiteFileError` when it is none, or names no usable address."""
    definition = plain(compose(text, file_name), file_name)
    if not isinstance(definition, dict) or not _texts(definition.get("links")):
        raise SiteFileError(
            file_name,
            0,
            "it is no Cardigann definition: `links` is missing",
            hint="it needs id, links, search",
        )
    return _Import(definition, file_name).run()


class _Import:
    def __init__(self, definition: Mapping[str, object], file_name: str) -> None:
        self._definition = definition
        self._file = file_name
        self._left: list[str] = []
        self._rules: list[Rule] = []
        links = _texts(definition.get("links"))
        self._base = links[0] if links[0].endswith("/") else f"{links[0]}/"
        self._others = links[1:]

    def run(self) -> Imported:
        definition = self._definition
        name = re.sub(r"[^a-z0-9._-]+", "-", str(definition.get("id") or "imported").lower()).strip("-._")
        start = tuple(self._search())
        account = self._login(name)
        self._download()
        for key in definition:
            if key not in _KNOWN | _SILENT:
                self._left.append(f"`{key}`")
        if self._others:
            self._left.append(f"other addresses: {', '.join(self._others[:5])}")
        site = SiteFile(
            site=name[:64] or "imported",
            start=start or (self._base,),
            hosts=(host_of(self._base),),
            encoding=self._encoding(),
            politeness=Politeness(delay=self._delay()),
            account=account,
            rules=tuple(self._rules),
        )
        return Imported(self._checked(site), tuple(dict.fromkeys(self._left)))

    def _checked(self, site: SiteFile) -> SiteFile:
        try:
            return parse_site_file(dump_site_file(site), self._file)
        except SiteFileError as error:
            if error.reason.startswith("`encoding`"):
                self._left.append(f"`encoding` {site.encoding}")
                return self._checked(replace(site, encoding=""))
            raise SiteFileError(self._file, 0, error.reason, hint=error.hint) from None

    def _encoding(self) -> str:
        encoding = str(self._definition.get("encoding") or "")
        return "" if encoding.lower() in ("utf-8", "utf8") else encoding

    def _delay(self) -> float:
        given = self._definition.get("requestDelay")
        seconds = float(given) if isinstance(given, int | float) else Politeness().delay
        return max(LEAST_DELAY, seconds)

    # Search ------------------------------------------------------------------------------------------

    def _search(self) -> Iterator[str]:
        search = self._definition.get("search")
        if not isinstance(search, dict):
            self._left.append("`search`: it is missing")
            return
        paths = [search["path"]] if search.get("path") else []
        listed = search.get("paths")
        paths += (
            [entry.get("path") for entry in listed if isinstance(entry, dict)]
            if isinstance(listed, list)
            else []
        )
        for number, path in enumerate(paths, 1):
            url = self._url(str(path or ""), f"search path {path!r}")
            if url:
                self._add(f"list-{number}", Role.LIST, f"^{_escaped(urlsplit(url).path)}(?:\\?|$)", str(path))
                yield url
        for key in search:
            if key not in _SEARCH:
                self._left.append(f"`search.{key}`")
        if search.get("rows"):
            self._left.append("`search.rows`: rows are found by themselves")
        fields = search.get("fields")
        if isinstance(fields, dict):
            self._field(fields, "details", Role.DETAIL)
            self._field(fields, "download", Role.DOWNLOAD)
            others = [name for name in fields if name not in ("details", "download")]
            if others:
                self._left.append(f"fields: {', '.join(map(str, others[:30]))}")

    def _field(self, fields: Mapping[str, object], name: str, role: Role) -> None:
        field = fields.get(name)
        if not isinstance(field, dict):
            return
        patterns = list(_patterns(str(field.get("selector") or "")))
        for number, pattern in enumerate(patterns, 1):
            self._add(f"{name}-{number}" if number > 1 else name, role, pattern, name)
        if not patterns:
            self._left.append(f"`search.fields.{name}`: its selector names no link")
        if field.get("filters"):
            self._left.append(f"`search.fields.{name}.filters`")

    def _download(self) -> None:
        download = self._definition.get("download")
        if not isinstance(download, dict):
            return
        selectors = download.get("selectors")
        entries = selectors if isinstance(selectors, list) else [download]
        found = 0
        for entry in entries:
            for pattern in _patterns(str(entry.get("selector") or "") if isinstance(entry, dict) else ""):
                found += 1
                self._add(f"download-page-{found}", Role.DOWNLOAD, pattern, "download")
        for key in download:
            if key not in ("selectors", "selector", "attribute"):
                self._left.append(f"`download.{key}`")
        if not found:
            self._left.append("`download`: its selectors name no link")

    # Login -------------------------------------------------------------------------------------------

    def _login(self, name: str) -> Account:
        login = self._definition.get("login")
        if not isinstance(login, dict):
            return Account()
        path = str(login.get("path") or "")
        url = self._url(path, f"login path {path!r}") if path else ""
        if url:
            self._add("login", Role.LOGIN, f"^{_escaped(urlsplit(url).path)}(?:\\?|$)", path)
        for key in login:
            if key not in _LOGIN:
                self._left.append(f"`login.{key}`")
        method = str(login.get("method") or "form")
        inputs = login.get("inputs")
        given = {str(value) for value in inputs.values()} if isinstance(inputs, dict) else set()
        asks = any("Config.username" in value or "Config.password" in value for value in given)
        if method in ("cookie", "oneurl") or not asks:
            self._left.append(f"`login.method: {method}`: import the cookies instead (harvest account)")
            return Account()
        fixed = (
            [str(key) for key, value in inputs.items() if "Config." not in str(value)]
            if isinstance(inputs, dict)
            else []
        )
        if fixed:
            self._left.append(f"login inputs: {', '.join(fixed[:20])} (forms are filled in by themselves)")
        variable = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_") or "SITE"
        variable = variable if variable[0].isalpha() else f"SITE_{variable}"
        return Account(user_env=f"{variable}_USER", password_env=f"{variable}_PASSWORD")

    # Small things ------------------------------------------------------------------------------------

    def _url(self, path: str, what: str) -> str:
        """The address of a path without its templates, "" when nothing is left of it."""
        if _TEMPLATE.search(path):
            self._left.append(f"{what}: the part that depends on the search")
            path = _TEMPLATE.sub("", path)
        path = path.split("?")[0] if path.rstrip().endswith(("=", "?", "&")) else path
        url = urljoin(self._base, path.strip())
        if not url.startswith(("http://", "https://")) or host_of(url) != host_of(self._base):
            self._left.append(f"{what}: it leads to another host")
            return ""
        return url

    def _add(self, name: str, role: Role, pattern: str, what: str) -> None:
        used = {rule.match for rule in self._rules}
        try:
            check_match(pattern)
        except ValueError as error:
            self._left.append(f"{what}: its pattern {error.args[0]}")
            return
        if pattern not in used:
            self._rules.append(Rule(name, role, pattern))


def _patterns(selector: str) -> Iterator[str]:
    """RE2 patterns of the link selectors in a CSS selector: `a[href^="details.php?id="]`."""
    for sign, value in _HREF.findall(_TEMPLATE.sub("", selector)):
        path = re.sub(r"^(?:https?://[^/]*)?/?", "", value)
        if not path:
            continue
        escaped = _escaped(path)
        if sign == "^" or not sign:
            yield f"^/{escaped}" + ("" if sign else "$")
        elif sign == "$":
            yield f"{escaped}$"
        else:
            yield escaped


def _escaped(text: str) -> str:
    return re.sub(r"([.?+*|()\[\]{}^$\\])", r"\\\1", text)


def _texts(value: object) -> list[str]:
    return (
        [str(entry) for entry in value if isinstance(entry, str) and entry] if isinstance(value, list) else []
    )
