"""The operator's settings: `harvest.toml`, overridden key by key by `HARVEST_…`.

A key `web_port` of the file is `HARVEST_WEB_PORT` in the environment. The file is the one named on the
command line or in `HARVEST_CONFIG`, else `harvest.toml` in the working folder, else there is none.
Relative folders of the file are taken from the file's own folder, those of the environment from the
working folder.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from harvester.errors import SettingsError

PREFIX = "HARVEST_"
CONFIG_VARIABLE = "HARVEST_CONFIG"
FILE_NAME = "harvest.toml"
MAX_FILE_BYTES = 1_000_000

_HTTP_URL = re.compile(r"https?://[^\s/?#]{1,300}[^\s]{0,1000}")
_DATABASE_URL = re.compile(r"(sqlite|postgresql)(\+[a-z0-9_]{1,30})?:")
_REDIS_URL = re.compile(r"(rediss?|unix)://")
_BLOBS_URL = re.compile(r"[a-z][a-z0-9+.-]{1,30}(::|://)")


class Settings(BaseSettings):
    """Every setting, checked; secrets show as `**********` wherever the object is printed.

    The plain text of an address that may hold a password comes from the properties `database_url`,
    `redis_url` and `blobs_url`, for the one place that builds the objects.
    """

    model_config = SettingsConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    data: Path = Field(Path("harvest-data"), description="the data folder: database, torrents, learned rules")
    contact: str = Field(
        "", description="a mail address or web page about your crawl, sent to sites in the user agent"
    )
    database: SecretStr | None = Field(
        None, alias="database_url", description="a SQLAlchemy URL; SQLite in the data folder when left out"
    )
    redis: SecretStr | None = Field(
        None,
        alias="redis_url",
        description="for schedule and worker on several machines; not needed otherwise",
    )
    blobs: SecretStr | None = Field(
        None, description="where the .torrent files go: a folder or a URL such as s3://bucket/prefix"
    )
    rules: Path | None = Field(None, description="a folder with site files of your own")
    web_host: str = Field("127.0.0.1", description="address the search page and the API listen on")
    web_port: int = Field(8480, ge=0, le=65535, description="their port; 0 takes a free one")
    web_url: str | None = Field(None, description="their public address, when a proxy stands in front")
    web_api_key: SecretStr | None = Field(None, description="asked for by Torznab and the API when set")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="how much is told")
    log_format: Literal["text", "json"] = Field("text", description="text for people, json for machines")

    @field_validator("contact")
    @classmethod
    def _contact_leads_to_a_person(cls, value: str) -> str:
        if not value:
            return value
        if len(value) > 200 or not value.isascii() or not value.isprintable() or "(" in value or ")" in value:
            raise ValueError("must be plain ASCII without brackets, at most 200 characters")
        if not (_HTTP_URL.fullmatch(value) or re.fullmatch(r"[^@\s]{1,64}@[^@\s]{1,130}", value)):
            raise ValueError("must be a mail address or a web page (https://…)")
        return value

    @field_validator("database")
    @classmethod
    def _database_is_supported(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _DATABASE_URL.match(value.get_secret_value()):
            raise ValueError("must be sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME")
        return value

    @field_validator("redis")
    @classmethod
    def _redis_is_a_url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _REDIS_URL.match(value.get_secret_value()):
            raise ValueError("must be redis://HOST:PORT/0, rediss://… or unix://…")
        return value

    @field_validator("web_url")
    @classmethod
    def _web_url_is_http(cls, value: str | None) -> str | None:
        if value is not None and not _HTTP_URL.fullmatch(value):
            raise ValueError("must be a web address such as https://search.example.org")
        return None if value is None else value.rstrip("/")

    @field_validator("web_host")
    @classmethod
    def _web_host_is_an_address(cls, value: str) -> str:
        if not re.fullmatch(r"[0-9A-Za-z.:_\-%]{1,255}", value):
            raise ValueError("must be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0")
        return value

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL, in plain text."""
        if self.database is not None:
            return self.database.get_secret_value()
        return f"sqlite:///{self.data / 'harvest.sqlite'}"

    @property
    def redis_url(self) -> str | None:
        """The Redis URL in plain text, or None for a single process."""
        return None if self.redis is None else self.redis.get_secret_value()

    @property
    def blobs_url(self) -> str:
        """The folder or fsspec URL of the blob store, in plain text."""
        return str(self.data / "blobs") if self.blobs is None else self.blobs.get_secret_value()

    @property
    def rules_folder(self) -> Path:
        """The operator's own site files; `<data>/rules` unless set."""
        return self.data / "rules" if self.rules is None else self.rules

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is passed in counts: `load_settings` reads the file and the environment itself."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


def load_settings(path: Path | None = None, env: Mapping[str, str] | None = None) -> Settings:
    """The settings of `path` (default: see above) under those of `env` (default: the process's).

    Raises `SettingsError` naming file and line, or the variable, and what to do.
    """
    raise NotImplementedError
