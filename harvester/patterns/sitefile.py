"""Site files: YAML in, `SiteFile` out, and back."""

from __future__ import annotations

from harvester.model.site import SiteFile


def parse_site_file(text: str, file_name: str) -> SiteFile:
    """Read a site file; raises `SiteFileError` with file, line and reason for the first fault.

    Everything is checked before anything is fetched: keys, types, patterns, hosts, delays, secrets,
    and the file's own examples.
    """
    raise NotImplementedError


def site_file_warnings(site: SiteFile) -> tuple[str, ...]:
    """What is allowed but probably not meant: contradicting rules, rules without an example's cover."""
    raise NotImplementedError


def dump_site_file(site: SiteFile) -> str:
    """The YAML that reads back as `site`; sections at their defaults are left out."""
    raise NotImplementedError


def site_from_url(url: str) -> SiteFile:
    """The site file of a bare URL: its host, its folder as start, delay 0 when it is on loopback."""
    raise NotImplementedError


def site_schema() -> dict[str, object]:
    """The JSON schema (draft 2020-12) of a site file, as published in `rules/site.schema.json`."""
    raise NotImplementedError
