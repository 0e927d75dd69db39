"""The demo sites' templates, of `templates/`, with every value escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("harvester.demo"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def render(template: str, **values: object) -> str:
    """The page that a template (`forum/thread.html`) makes of the values."""
    return _environment().get_template(template).render(values)
