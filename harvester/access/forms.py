"""Forms as a browser would read, fill and send them (HTML Living Standard 4.10).

All controls in tree order, those that a stray `</form>` in a table has orphaned included; hidden and
randomly named fields as they were served; fields that no person sees sent empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import ada_url
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.text.charset import python_codec
from harvester.text.tree import parse_tree

_MAX_FORMS = 60
_MAX_CONTROLS = 400
_MAX_OPTIONS = 500
_MAX_ANCESTORS = 40
_MAX_VALUE = 100_000
_CONTROLS = "form, input, select, textarea, button"
_TABLE = frozenset({"table", "tbody", "thead", "tfoot", "tr"})
_TEXT = frozenset({"text", "email", "tel", "search", "url", "number", "", "username", "user"})
_SPACE = re.compile(r"\s+")

# Styles by which a field is taken out of sight.
_UNSEEN = re.compile(
    r"display:none|visibility:hidden|opacity:0(?:\.0+)?(?:;|$)|clip:rect\(0|(?:left|top|right|text-indent):-\d{3,}"
    r"|translate[xy]?\(-?\d{4,}|(?:height|width):0(?:px)?(?:;|$)"
)
_UNSEEN_CLASS = re.compile(
    r"(?:^|[\s_-])(?:vv_special|honey(?:pot)?|hp|ohnohoney|nospam|visually-hidden|sr-only|d-none|is-hidden|visuallyhidden)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
_SIMPLE = re.compile(r"^(?:[a-z]{0,20})([.#][\w-]{1,80})$", re.IGNORECASE)


class Control(Struct, frozen=True):
    """One control of a form as it was served.

    `kind` is the type of an input in lower case, or `select`, `textarea`; submit buttons are `submit`.
    `unseen`: styles keep it from a person's eye. `label` is the text by which a person knows it, `options`
    the (value, text) of a select.
    """

    name: str
    kind: str
    value: str = ""
    checked: bool = False
    unseen: bool = False
    id: str = ""
    label: str = ""
    classes: str = ""
    autocomplete: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_text(self) -> bool:
        """Whether a person would type a line of text into it."""
        return self.kind in _TEXT

    @property
    def words(self) -> str:
        """Everything that tells what it is for, in lower case."""
        return f"{self.name} {self.id} {self.label} {self.autocomplete}".lower()


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page: `action` is absolute, `charset` a Python codec."""

    page: str
    action: str
    method: str
    controls: tuple[Control, ...]
    charset: str = "utf-8"
    multipart: bool = False
    id: str = ""
    name: str = ""
    classes: str = ""
    text: str = ""
    script: str = field(default="", repr=False)
    place: str = ""
    """Ids and classes of what it stands in, nearest first."""

    @property
    def passwords(self) -> tuple[Control, ...]:
        """Its password fields."""
        return tuple(control for control in self.controls if control.kind == "password")

    @property
    def submits(self) -> tuple[Control, ...]:
        """Its submit buttons."""
        return tuple(control for control in self.controls if control.kind in ("submit", "image"))


def form_codec(encoding: str, html: str = "") -> str:
    """The Python codec in which a page of this encoding sends its forms.

    A page labelled GBK is decoded as gb18030, but browsers encode its forms in GBK.
    """
    codec = python_codec(encoding) or "utf-8"
    if codec in ("gb18030", "gbk") and "gb18030" not in html[:4096].lower():
        return "gbk"
    return "utf-8" if codec.startswith("utf_16") or codec.startswith("utf-16") else codec


def parse_forms(
    html: str, page: str, encoding: str = "utf-8", *, tree: LexborHTMLParser | None = None
) -> tuple[Form, ...]:
    """The forms of a page in tree order. Never raises; bounded in forms, controls and options."""
    tree = tree or parse_tree(html)
    base = _base_of(tree, page)
    codec = form_codec(encoding, html)
    unseen = _unseen_selectors(tree)
    labels = _labels(tree)
    owners: dict[int, list[Control]] = {}
    nodes: dict[int, LexborNode] = {}
    by_id: dict[str, int] = {}
    orphans_of: tuple[int, int] | None = None
    for count, node in enumerate(tree.css(_CONTROLS)):
        if count > 20_000:
            break
        if node.tag == "form":
            if len(nodes) >= _MAX_FORMS:
                break
            key = node.mem_id
            nodes[key], owners[key] = node, []
            if identity := _attribute(node, "id"):
                by_id.setdefault(identity, key)
            parent = node.parent
            in_table = parent is not None and parent.tag in _TABLE and node.css_first(_CONTROLS[6:]) is None
            orphans_of = (key, parent.mem_id) if in_table and parent is not None else None
            continue
        owner = _owner(node, by_id, owners, orphans_of)
        if owner is None or len(owners[owner]) >= _MAX_CONTROLS:
            continue
        control = _control(node, nodes[owner].mem_id, unseen, labels)
        if control is not None:
            owners[owner].append(control)
    return tuple(
        _form(node, tuple(owners[key]), base, page, codec) for key, node in nodes.items() if owners[key]
    )


def _form(node: LexborNode, controls: tuple[Control, ...], base: str, page: str, codec: str) -> Form:
    action = _attribute(node, "action").strip()
    submit = next((control for control in controls if control.kind in ("submit", "image")), None)
    text = _SPACE.sub(" ", node.text(separator=" ")[:4000]).strip()
    charset = codec
    for label in _attribute(node, "accept-charset").replace(",", " ").split()[:5]:
        if known := python_codec(label):
            charset = form_codec(label) if known != "utf-8" else known
            break
    return Form(
        page=page,
        action=_joined(base, action) if action else page,
        method=_attribute(node, "method").strip().lower() or "get",
        controls=controls,
        charset=charset,
        multipart=_attribute(node, "enctype").strip().lower() == "multipart/form-data",
        id=_attribute(node, "id"),
        name=_attribute(node, "name"),
        classes=_attribute(node, "class"),
        text=text[:1000] if text else (submit.value if submit else ""),
        script=_attribute(node, "onsubmit")[:500],
        place=" ".join(
            f"{_attribute(parent, 'id')} {_attribute(parent, 'class')} {parent.tag}"
            for parent in _ancestors(node)
        )[:2000],
    )


def _owner(
    node: LexborNode, by_id: Mapping[str, int], owners: Mapping[int, object], orphans: tuple[int, int] | None
) -> int | None:
    named = node.attributes.get("form")
    if named is not None:
        return by_id.get(named or "")
    for parent in _ancestors(node):
        if parent.tag == "form" and parent.mem_id in owners:
            return parent.mem_id
        if orphans is not None and parent.mem_id == orphans[1]:
            return orphans[0]
    return None


def _control(
    node: LexborNode, form: int, unseen: frozenset[str], labels: Mapping[str, str]
) -> Control | None:
    attributes = node.attributes
    if "disabled" in attributes or _in_disabled(node, form):
        return None
    kind, value = _attribute(node, "type").strip().lower(), _attribute(node, "value")
    options: tuple[tuple[str, str], ...] = ()
    if node.tag == "select":
        kind, (value, options) = "select", _choice(node)
    elif node.tag == "textarea":
        kind, value = "textarea", node.text(deep=True).removeprefix("\n")
    elif node.tag == "button":
        kind = kind if kind in ("reset", "button") else "submit"
    elif not kind:
        kind = "text"
    if kind in ("button", "reset"):
        return None
    identity = _attribute(node, "id")
    label = labels.get(identity, "") or _attribute(node, "placeholder") or _attribute(node, "title")
    if node.tag == "button":
        label = _SPACE.sub(" ", node.text(separator=" ")[:200]).strip()
    return Control(
        name=_attribute(node, "name"),
        kind=kind,
        value=value[:_MAX_VALUE],
        checked="checked" in attributes,
        unseen=kind != "hidden" and _is_unseen(node, form, unseen),
        id=identity,
        label=label[:200] or _label_around(node, form),
        classes=_attribute(node, "class"),
        autocomplete=_attribute(node, "autocomplete"),
        options=options,
    )


def _choice(node: LexborNode) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A select's value, and all it offers: the selected option, else the first that may be chosen."""
    chosen: str | None = None
    first: str | None = None
    offered: list[tuple[str, str]] = []
    for option in node.css("option")[:_MAX_OPTIONS]:
        if "disabled" in option.attributes:
            continue
        text = _SPACE.sub(" ", option.text(separator=" ")).strip()
        value = option.attributes.get("value")
        offered.append((text if value is None else value, text))
        if first is None:
            first = offered[-1][0]
        if "selected" in option.attributes:
            chosen = offered[-1][0]
    return (chosen if chosen is not None else first or ""), tuple(offered)


def _in_disabled(node: LexborNode, form: int) -> bool:
    for parent in _ancestors(node):
        if parent.tag in ("datalist", "template") or (
            parent.tag == "fieldset" and "disabled" in parent.attributes
        ):
            return True
        if parent.mem_id == form:
            return False
    return False


def _is_unseen(node: LexborNode, form: int, selectors: frozenset[str]) -> bool:
    """Whether the field, or what it stands in within the form, is styled out of sight."""
    for one in (node, *_ancestors(node)):
        if one.mem_id == form or one.tag == "form":
            return False
        style = _attribute(one, "style").lower().replace(" ", "")
        classes, identity = _attribute(one, "class"), _attribute(one, "id")
        if "hidden" in one.attributes or _UNSEEN.search(style) or _UNSEEN_CLASS.search(classes):
            return True
        if f"#{identity}" in selectors or any(f".{name}" in selectors for name in classes.split()[:20]):
            return True
        if one is node and _attribute(one, "aria-hidden") == "true" and _attribute(one, "tabindex") == "-1":
            return True
    return False


def _unseen_selectors(tree: LexborHTMLParser) -> frozenset[str]:
    """The plain `.class` and `#id` selectors that the page's own styles take out of sight."""
    found: set[str] = set()
    for sheet in tree.css("style")[:20]:
        for match in _RULE.finditer(sheet.text()[:100_000]):
            if _UNSEEN.search(match[2].lower().replace(" ", "").replace("\n", "")):
                for selector in match[1].split(",")[:50]:
                    if simple := _SIMPLE.match(selector.strip()):
                        found.add(simple[1])
    return frozenset(found)


def _labels(tree: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    for label in tree.css("label[for]")[:500]:
        target = _attribute(label, "for")
        found.setdefault(target, _SPACE.sub(" ", label.text(separator=" ")[:200]).strip())
    return found


def _label_around(node: LexborNode, form: int) -> str:
    """The text of the label, list item or table row that a control stands in."""
    for parent in list(_ancestors(node))[:4]:
        if parent.mem_id == form or parent.tag in ("form", "table", "body"):
            return ""
        if parent.tag in ("label", "tr", "dl", "p", "li", "dd"):
            return _SPACE.sub(" ", parent.text(separator=" ")[:200]).strip()
    return ""


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    for _ in range(_MAX_ANCESTORS):
        if parent is None:
            return
        yield parent
        parent = parent.parent


def _base_of(tree: LexborHTMLParser, page: str) -> str:
    base = tree.css_first("base[href]")
    return _joined(page, _attribute(base, "href").strip()) if base is not None else page


def _joined(base: str, url: str) -> str:
    try:
        return str(ada_url.join_url(base, url)).partition("#")[0]
    except ValueError:
        return ""


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""
