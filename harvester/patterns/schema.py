"""The field table of rule files: from one description come the reader, the writer and the JSON schema."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite

import yaml

from harvester.patterns.yaml_nodes import describe, fail, is_null, line_of, plain

_BOOL = "tag:yaml.org,2002:bool"
_INT = "tag:yaml.org,2002:int"
_FLOAT = "tag:yaml.org,2002:float"
_TEXT_TAGS = frozenset({"tag:yaml.org,2002:str", "tag:yaml.org,2002:timestamp"})
_INTEGER = re.compile(r"[+-]?\d{1,15}")
_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:[eE][+-]?\d{1,2})?")


class Kind(ABC):
    """A type of value: how to read it from a node, write it as plain YAML, and describe it."""

    @abstractmethod
    def read(self, node: yaml.Node, file: str, name: str) -> object:
        """The value, or `SiteFileError` at the node's line; `name` is its dotted place."""

    @abstractmethod
    def schema(self) -> dict[str, object]:
        """Its JSON schema."""

    def write(self, value: object) -> object:
        """The plain value that reads back as `value`."""
        return value


Check = Callable[[str], str]
"""Takes a text and returns it as it is kept; raises `ValueError(reason[, hint])`."""


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """A text; `check` refuses or normalises, `pattern` is the same check for the JSON schema."""

    pattern: str = ""
    check: Check | None = None
    what: str = "a text"
    longest: int = 4096

    def read(self, node: yaml.Node, file: str, name: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag not in _TEXT_TAGS:
            hint = "put it in quotes" if isinstance(node, yaml.ScalarNode) and not is_null(node) else ""
            fail(file, node, f"`{name}` must be {self.what}, not {describe(node)}", hint)
        value = str(node.value)
        if len(value) > self.longest:
            fail(file, node, f"`{name}` is longer than {self.longest} characters")
        if self.check is not None:
            try:
                value = self.check(value)
            except ValueError as error:
                fail(file, node, f"`{name}` {error.args[0]}", error.args[1] if len(error.args) > 1 else "")
        if self.pattern and re.search(self.pattern, value) is None:
            fail(file, node, f"`{name}` must be {self.what}")
        return value

    def schema(self) -> dict[str, object]:
        schema: dict[str, object] = {"type": "string", "maxLength": self.longest}
        if self.pattern:
            schema["pattern"] = self.pattern
        return schema


@dataclass(frozen=True, slots=True)
class Number(Kind):
    """A number between two bounds, both included."""

    least: float = 0
    most: float = 1e12
    whole: bool = True

    def read(self, node: yaml.Node, file: str, name: str) -> float:
        what = "a whole number" if self.whole else "a number"
        if not isinstance(node, yaml.ScalarNode) or node.tag not in (_INT, _FLOAT):
            fail(file, node, f"`{name}` must be {what}, not {describe(node)}")
        if (_INTEGER if self.whole else _NUMBER).fullmatch(node.value) is None:
            fail(file, node, f"`{name}` must be {what} such as 5")
        value = int(node.value) if self.whole else float(node.value)
        if not isfinite(value) or not self.least <= value <= self.most:
            fail(file, node, f"`{name}` must be from {self.least:g} to {self.most:g}")
        return value

    def schema(self) -> dict[str, object]:
        return {
            "type": "integer" if self.whole else "number",
            "minimum": self.least,
            "maximum": self.most,
        }

    def write(self, value: object) -> object:
        return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True, slots=True)
class Flag(Kind):
    """true or false."""

    def read(self, node: yaml.Node, file: str, name: str) -> bool:
        if not isinstance(node, yaml.ScalarNode) or node.tag != _BOOL:
            fail(file, node, f"`{name}` must be true or false, not {describe(node)}")
        return node.value.lower() in ("true", "yes", "on")

    def schema(self) -> dict[str, object]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Choice(Kind):
    """One of a few words; `to` turns the word into the value that is kept."""

    words: tuple[str, ...]
    to: Callable[[str], object] = str
    back: Callable[[object], str] = str

    def read(self, node: yaml.Node, file: str, name: str) -> object:
        word = node.value if isinstance(node, yaml.ScalarNode) else ""
        if word not in self.words:
            close = get_close_matches(str(word), self.words, n=1)
            hint = f"did you mean `{close[0]}`?" if close else ""
            fail(file, node, f"`{name}` must be one of {', '.join(self.words)}", hint)
        return self.to(word)

    def schema(self) -> dict[str, object]:
        return {"enum": list(self.words)}

    def write(self, value: object) -> object:
        return self.back(value)


@dataclass(frozen=True, slots=True)
class ListOf(Kind):
    """A list, kept as a tuple."""

    item: Kind
    least: int = 0
    most: int = 1000

    def read(self, node: yaml.Node, file: str, name: str) -> tuple[object, ...]:
        if not isinstance(node, yaml.SequenceNode):
            fail(file, node, f"`{name}` must be a list, not {describe(node)}", "write it as [a, b]")
        if not self.least <= len(node.value) <= self.most:
            fail(file, node, f"`{name}` must have {self.least} to {self.most} entries")
        return tuple(
            self.item.read(item, file, f"{name}[{place}]") for place, item in enumerate(node.value, 1)
        )

    def schema(self) -> dict[str, object]:
        schema: dict[str, object] = {"type": "array", "items": self.item.schema(), "maxItems": self.most}
        if self.least:
            schema["minItems"] = self.least
        return schema

    def write(self, value: object) -> object:
        assert isinstance(value, tuple)
        return [self.item.write(item) for item in value]


@dataclass(frozen=True, slots=True)
class Free(Kind):
    """A section whose inside is not described here."""

    def read(self, node: yaml.Node, file: str, name: str) -> object:
        if not isinstance(node, yaml.MappingNode):
            fail(file, node, f"`{name}` must be a section, not {describe(node)}")
        return plain(node, file)

    def schema(self) -> dict[str, object]:
        return {"type": "object"}


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a section: its name in the file, its kind, and how the value object calls it."""

    name: str
    kind: Kind
    doc: str
    attribute: str = ""
    required: bool = False
    nullable: bool = False

    @property
    def target(self) -> str:
        """Name of the attribute of the value object."""
        return self.attribute or self.name


@dataclass(frozen=True, slots=True)
class Section(Kind):
    """A mapping with known keys, read into `build(**values)`; keys left out keep its defaults.

    `with_line`: the value object has a `line`. `refused` maps keys that people try to the reason
    against them. `verify` sees the built value and may raise `ValueError`.
    """

    fields: tuple[Field, ...]
    build: Callable[..., object]
    with_line: bool = False
    refused: Mapping[str, str] = field(default_factory=dict)
    verify: Callable[[object], None] | None = None

    def read(self, node: yaml.Node, file: str, name: str) -> object:
        if not isinstance(node, yaml.MappingNode):
            fail(file, node, f"`{name}` must be a section, not {describe(node)}")
        values = self.values(node, file, f"{name}." if name else "")
        try:
            built = self.build(**values)
            if self.verify is not None:
                self.verify(built)
        except ValueError as error:
            fail(file, node, f"`{name}` {error.args[0]}", error.args[1] if len(error.args) > 1 else "")
        return built

    def values(self, node: yaml.MappingNode, file: str, prefix: str) -> dict[str, object]:
        """The keyword arguments for `build`."""
        known = {item.name: item for item in self.fields}
        values: dict[str, object] = {"line": line_of(node)} if self.with_line else {}
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            self._check_key(key, name, seen, known, file, prefix)
            seen.add(name)
            item = known[name]
            if not (is_null(value) and item.nullable):
                values[item.target] = item.kind.read(value, file, prefix + name)
        for item in self.fields:
            if item.required and item.target not in values:
                fail(file, node, f"`{prefix}{item.name}` is missing: {item.doc}")
        return values

    def _check_key(
        self, key: yaml.Node, name: str, seen: set[str], known: Mapping[str, Field], file: str, prefix: str
    ) -> None:
        if name in seen:
            fail(file, key, f"`{prefix}{name}` is there twice")
        if name in known:
            return
        if name.lower() in self.refused:
            fail(file, key, f"`{prefix}{name}`: {self.refused[name.lower()]}")
        close = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean `{close[0]}`?" if close else f"known here: {', '.join(known)}"
        fail(file, key, f"unknown key `{prefix}{name[:60]}`", hint)

    def schema(self) -> dict[str, object]:
        properties: dict[str, object] = {}
        for item in self.fields:
            schema = item.kind.schema()
            if item.nullable:
                schema = {"anyOf": [schema, {"type": "null"}]}
            properties[item.name] = {**schema, "description": item.doc}
        result: dict[str, object] = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        required = [item.name for item in self.fields if item.required]
        if required:
            result["required"] = required
        return result

    def write(self, value: object) -> dict[str, object]:
        """Plain values of the fields that differ from their defaults, in the order of the table."""
        required = {item.target: getattr(value, item.target) for item in self.fields if item.required}
        default = self.build(**required)
        written: dict[str, object] = {}
        for item in self.fields:
            current = getattr(value, item.target)
            if item.required or current != getattr(default, item.target):
                written[item.name] = item.kind.write(current)
        return written
