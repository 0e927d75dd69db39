"""Writes the published JSON schemas: `python -m tests.patterns.write_schemas`."""

from __future__ import annotations

import json
from pathlib import Path

from harvester.patterns.engines import engine_schema
from harvester.patterns.sitefile import site_schema

RULES = Path(__file__).resolve().parents[2] / "rules"


def published() -> dict[Path, str]:
    """Each schema file with the text that it should hold."""
    schemas = {"site.schema.json": site_schema(), "engine.schema.json": engine_schema()}
    return {
        RULES / name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in schemas.items()
    }


if __name__ == "__main__":
    for path, text in published().items():
        path.write_text(text, encoding="utf-8")
