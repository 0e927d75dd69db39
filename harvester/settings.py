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
    web_public_read: bool = Field(
        True, description="whether people without a key may search; private torrents are never shown to them"
    )
    web_rate_limit: int = Field(
        600, ge=0, le=1_000_000, description="requests a minute that one client may make; 0 for no limit"
    )
    web_cors: str = Field(
        "", description="origins whose pages may call the API, parted by commas; * for any, empty for none"
    )
    query_log: bool = Field(
        True, description="whether queries are counted (no persons), so that what is asked for is revisited"
    )
    alert_webhook: SecretStr | None = Field(
        None, description="a web address that is told when an account freezes or a wall waits for you"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="how much is told")
    log_format: Literal["text", "json"] = Field("text", description="text for people, json for machines")

    @field_validator("data", "rules")
    @classmethod
    def _folder_can_be_named(cls, value: Path | None) -> Path | None:
        if value is not None and ("\0" in str(value) or "?" in str(value)):
            raise ValueError("must be the name of a folder, without ? in it")
        return value

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

    @field_validator("alert_webhook")
    @classmethod
    def _webhook_is_http(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _HTTP_URL.fullmatch(value.get_secret_value()):
            raise ValueError("must be a web address such as https://alerts.example.org/hook")
        return value

    @field_validator("web_url")
    @classmethod
    def _web_url_is_http(cls, value: str | None) -> str | None:
        if value is not None and not _HTTP_URL.fullmatch(value):
            raise ValueError("must be a web address such as https://search.example.org")
        return None if value is None else value.rstrip("/")

    @field_validator("web_cors")
    @classmethod
    def _cors_is_a_list_of_origins(cls, value: str) -> str:
        for origin in filter(None, (one.strip() for one in value.split(","))):
            if origin != "*" and not re.fullmatch(r"https?://[^\s/?#,]{1,300}", origin):
                raise ValueError("must be origins such as https://app.example.org, parted by commas, or *")
        return value

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
    env = os.environ if env is None else env
    file = _find_file(path, env)
    text, values = ("", {}) if file is None else _read_file(file)
    given: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for key, value in values.items():
        origins[key] = f"{file}, line {_line_of(text, key)}"
        if key not in KEYS:
            raise SettingsError(
                origins[key], why=f"there is no setting `{key}`", hint=_suggestion(key, "", KEYS)
            )
        given[key] = _from_folder(key, value, file)
    for variable, value in env.items():
        key = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if key in KEYS:
            given[key] = _from_folder(key, value, None)
            origins[key] = variable
        elif near := difflib.get_close_matches(key, KEYS, 1, 0.8):
            raise SettingsError(
                variable, why="there is no such setting", hint=f"did you mean {PREFIX}{near[0].upper()}?"
            )
    try:
        return Settings(**{key: value for key, value in given.items() if value != ""})
    except ValidationError as error:
        raise _explained(error, origins) from None


KEYS = {field.alias or name: field for name, field in Settings.model_fields.items()}
"""Every key of `harvest.toml` with its field; `HARVEST_` and the key in capitals is its variable."""

_FOLDERS = ("data", "rules")


def _find_file(path: Path | None, env: Mapping[str, str]) -> Path | None:
    """The file to read: one that was named must be there, the default one may be absent."""
    if path is None and env.get(CONFIG_VARIABLE):
        path = Path(env[CONFIG_VARIABLE])
        if not path.exists():
            raise SettingsError(str(path), why=f"{CONFIG_VARIABLE} names it, and it is not there")
    if path is not None:
        return path
    default = Path(FILE_NAME)
    return default if default.exists() else None


def _read_file(file: Path) -> tuple[str, dict[str, Any]]:
    """The text of the file and its values."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise SettingsError(
            str(file), why="there is no such file", hint="`harvest init` writes one"
        ) from None
    except OSError as error:
        raise SettingsError(str(file), why=f"it cannot be read: {error.strerror}") from None
    if len(raw) > MAX_FILE_BYTES:
        raise SettingsError(str(file), why=f"it is larger than {MAX_FILE_BYTES:,} bytes, so no settings file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{file}, line {line}", why="it is not UTF-8", hint="save it as UTF-8") from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, where = _toml_reason(str(error), text)
        hint = 'texts stand in quotes: key = "value"'
        raise SettingsError(f"{file}, line {where}", why=reason, hint=hint) from None
    except RecursionError:
        raise SettingsError(str(file), why="it is nested too deeply to be a settings file") from None


def _toml_reason(message: str, text: str) -> tuple[str, int]:
    """The parser's reason and line; it says the end of the document in words."""
    found = re.search(r" \(at line (\d{1,9}), column \d{1,9}\)$", message)
    if found is None:
        return message.partition(" (at ")[0], text.count("\n") + 1
    return message[: found.start()], int(found.group(1))


def _line_of(text: str, key: str) -> int:
    """The line of the file that sets `key` (a table's header for a table), counted from 1."""
    wanted = re.compile(rf"\s{{0,80}}\[{{0,2}}\s{{0,80}}[\"']?{re.escape(key)}[\"']?\s{{0,80}}[\].=]")
    for number, line in enumerate(text.splitlines(), 1):
        if wanted.match(line):
            return number
    return 1


def _from_folder(key: str, value: object, file: Path | None) -> object:
    """A folder, relative to where the file is; everything else as it is."""
    if key not in _FOLDERS or not isinstance(value, str) or not value:
        return value
    try:
        folder = Path(value).expanduser()
    except RuntimeError:  # `~name` of nobody
        folder = Path(value)
    return folder if file is None else file.parent / folder


def _suggestion(key: str, prefix: str, keys: Mapping[str, FieldInfo]) -> str:
    """The nearest key, or all of them."""
    near = difflib.get_close_matches(key, keys, 1, 0.5)
    return f"did you mean `{prefix}{near[0]}`?" if near else f"the settings are {', '.join(keys)}"


def _explained(error: ValidationError, origins: Mapping[str, str]) -> SettingsError:
    """The first fault, where it stands and what would be right; the value itself is never shown."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    key = str(fault["loc"][0]) if fault["loc"] else ""
    reason = fault["msg"].removeprefix("Value error, ")
    field = KEYS.get(key)
    return SettingsError(
        origins.get(key, "the settings"),
        why=f"`{key}`: {reason[:1].lower()}{reason[1:]}",
        hint=f"{key} is {field.description}" if field is not None and field.description else "",
    )
