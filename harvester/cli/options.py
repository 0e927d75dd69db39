"""Options that several verbs share, and the settings they lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harvester.logs import configure
from harvester.settings import Settings, load_settings

Data = Annotated[
    Path | None,
    typer.Option("--data", help="The data folder (default: that of harvest.toml, else harvest-data)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
SiteOption = Annotated[
    str, typer.Option("--site", help="A name of `harvest sites list`, a URL, or a site file.")
]


def settings_for(data: Path | None) -> Settings:
    """The settings, with the data folder of the command line if one was given."""
    settings = load_settings()
    configure(settings)
    return settings if data is None else settings.model_copy(update={"data": data})
