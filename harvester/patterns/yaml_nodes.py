"""YAML as nodes that know their line: bounded, without aliases, without duplicate keys."""

from __future__ import annotations

from typing import Any, NoReturn

import yaml
from yaml._yaml import CParser
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from harvester.errors import SiteFileError

MAX_FILE = 1 << 20
MAX_DEPTH = 12

_STR = "tag:yaml.org,2002:str"
_NULL = "tag:yaml.org,2002:null"
_SCALAR_WORDS = {
    "tag:yaml.org,2002:int": "a number",
    "tag:yaml.org,2002:float": "a number",
    "tag:yaml.org,2002:bool": "true or false",
    "tag:yaml.org,2002:null": "nothing",
    "tag:yaml.org,2002:timestamp": "a date",
    _STR: "a text",
}


_PLAIN_TAGS = frozenset({*_SCALAR_WORDS, "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"})


class _Loader(Composer, CParser, SafeConstructor, Resolver):
    """PyYAML's composer without aliases and with a depth limit: no bombs, no deep recursion.

    The events are libyaml's: its own composer would be faster still, but has no limits.
    """

    depth = 0

    def __init__(self, text: str) -> None:
        CParser.__init__(self, text)
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise self._error("aliases (*name) are not allowed")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error("nested too deeply")
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def _error(self, problem: str) -> yaml.MarkedYAMLError:
        event: Any = self.peek_event()
        return yaml.composer.ComposerError(None, None, problem, event.start_mark)


def compose(text: str, file_name: str) -> yaml.MappingNode:
    """The top mapping of a YAML text; raises `SiteFileError` for anything else.

    Messages never quote the text, which could hold a secret.
    """
    if len(text) > MAX_FILE or len(text.encode("utf-8", "surrogatepass")) > MAX_FILE:
        raise SiteFileError(file_name, 0, "the file is larger than 1 MB")
    try:
        node = _Loader(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise SiteFileError(file_name, mark.line + 1 if mark else 0, f"no YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        reason = getattr(error, "reason", None) or "it cannot be read"
        raise SiteFileError(file_name, 0, f"no YAML: {reason}") from None
    if not isinstance(node, yaml.MappingNode):
        raise SiteFileError(file_name, 1, "the file must be a list of `key: value` lines")
    return node


def line_of(node: yaml.Node) -> int:
    """Line of the node's start, from 1."""
    return int(node.start_mark.line) + 1


def fail(file_name: str, node: yaml.Node, reason: str, hint: str = "") -> NoReturn:
    """Refuse the file at the node's line."""
    raise SiteFileError(file_name, line_of(node), reason, hint=hint)


def is_null(node: yaml.Node) -> bool:
    """Whether the node is `null`, `~` or left empty."""
    return isinstance(node, yaml.ScalarNode) and node.tag == _NULL


def describe(node: yaml.Node) -> str:
    """What the node is, in words."""
    if isinstance(node, yaml.MappingNode):
        return "a section"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return _SCALAR_WORDS.get(node.tag, "something else")


def plain(node: yaml.Node, file_name: str) -> object:
    """The node as plain values (dict, list, str, int, float, bool, None), keys being texts."""
    if node.tag not in _PLAIN_TAGS:
        fail(file_name, node, "a value of a kind that is not read here", "leave out the !!tag")
    if isinstance(node, yaml.MappingNode):
        result: dict[str, object] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name or name in result:
                fail(file_name, key, "a key that is empty or there twice")
            result[name] = plain(value, file_name)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [plain(item, file_name) for item in node.value]
    if node.tag == "tag:yaml.org,2002:timestamp":
        return str(node.value)
    loader = _Loader("")
    try:
        return loader.construct_object(node, deep=True)
    except (yaml.YAMLError, ValueError, KeyError):
        fail(file_name, node, "a value that cannot be read")
    finally:
        loader.dispose()
