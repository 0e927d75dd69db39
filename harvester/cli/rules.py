"""`harvest rules`: see, test, compare, lock, edit and import the rules of a site."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from rich.console import Console

from harvester import wiring
from harvester.cli.crawl import say_doubts
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table, safe
from harvester.errors import HarvestError, NotFound, SiteFileError, UsageError
from harvester.model.site import Rule, RuleSource, SiteFile
from harvester.patterns.cardigann import import_definition
from harvester.patterns.learnedfile import parse_learned_file
from harvester.patterns.rulediff import rule_changes
from harvester.patterns.rulefile import rule_warnings, run_example
from harvester.patterns.rules import RuleSet
from harvester.patterns.sitefile import dump_site_file
from harvester.settings import Settings

Site = Annotated[str, typer.Argument(help="A site's name, URL or file.")]

rules = typer.Typer(help="See, test and correct what was learned of a site.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.add_typer(rules, name="rules")


def _site(settings: Settings, wanted: str) -> SiteFile:
    folder = wiring.SiteFolder(settings)
    try:
        return wiring.find_site(wanted, folder)
    except NotFound:
        with wiring.opened_store(settings) as store:
            return replace(wiring.find_site(wanted, folder, store), site=wanted)


def _all_rules(settings: Settings, site: SiteFile) -> list[Rule]:
    """The site's own rules, what was learned, those of its engine (named, or recognised by a crawl)."""
    say_doubts(settings, site)
    learned, _ = wiring.learned_files(settings).read(site.site)
    engine = wiring.engine_of(settings, site)
    return [*site.rules, *learned, *(engine.rules if engine else ())]


def _as_json(rule: Rule) -> dict[str, Any]:
    evidence = rule.evidence
    return {
        "id": rule.id,
        "role": rule.role.value,
        "match": rule.match,
        "source": rule.source.value,
        "state": rule.state.value,
        "locked": rule.locked,
        "support": evidence.support if evidence else None,
        "yield": evidence.reward if evidence else None,
        "bound": evidence.bound if evidence else None,
        "examples": list(evidence.examples) if evidence else [],
    }


@rules.command("show")
def show(
    site: Site,
    data: Data = None,
    as_json: Json = False,
    engine: Annotated[bool, typer.Option("--engine", help="The rules of the site's engine, too.")] = False,
) -> None:
    """List a site's rules: role, pattern, support, yield, state, examples."""
    settings = settings_for(data)
    found = _all_rules(settings, _site(settings, site))
    if not engine:
        found = [rule for rule in found if rule.source is not RuleSource.ENGINE]
    if as_json:
        for rule in found:
            print(json.dumps(_as_json(rule), ensure_ascii=False))
        return
    if not found:
        raise NotFound(f"no rules of {site} yet", hint=f"learn some: harvest learn --site {site}")
    columns = [
        ("rule", "left"),
        ("role", "left"),
        ("state", "left"),
        ("support", "right"),
        ("yield", "right"),
    ]
    columns += [("source", "left"), ("pattern", "left"), ("example", "left")]
    print_table(Console(highlight=False), columns, map(_row, found))


def _row(rule: Rule) -> list[str]:
    evidence = rule.evidence
    state = f"{rule.state.value}, locked" if rule.locked else rule.state.value
    return [
        rule.id,
        rule.role.value,
        state,
        str(evidence.support) if evidence else "",
        f"{evidence.reward:.2f}" if evidence else "",
        rule.source.value,
        rule.match,
        evidence.examples[0] if evidence and evidence.examples else "",
    ]


@rules.command("test")
def try_rules(
    site: Site,
    url: Annotated[str | None, typer.Argument(help="A URL; without one, the file's own examples.")] = None,
    data: Data = None,
) -> None:
    """Say which rule takes a URL, and why; or run the examples of the site's files."""
    settings = settings_for(data)
    site_file = _site(settings, site)
    ruleset = RuleSet(_all_rules(settings, site_file))
    if url is not None:
        print(safe(ruleset.explain(url)))
        return
    examples = [(example.url, run_example(ruleset, example)) for example in site_file.examples]
    for rule in ruleset.rules:
        if rule.source is RuleSource.LEARNED and rule.evidence is not None:
            for example_url in rule.evidence.examples:
                examples.append((example_url, _learned_fault(ruleset, rule, example_url)))
    failed = [(example_url, fault) for example_url, fault in examples if fault]
    for example_url, fault in failed:
        print(safe(f"{example_url}: {fault}"))
    print(f"{len(examples)} examples, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)


def _learned_fault(ruleset: RuleSet, rule: Rule, url: str) -> str:
    found = ruleset.match(url)
    if found is None:
        return f"is taken by no rule, not by `{rule.id}`"
    if found.rule.role != rule.role and found.rule.source is RuleSource.LEARNED:
        return f"is taken by `{found.rule.id}` ({found.rule.role}), not by `{rule.id}` ({rule.role})"
    return ""


@rules.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A site file or a learned file.")],
) -> None:
    """Check a file without fetching anything: every fault with its line, then what contradicts."""
    if file.name.endswith(".learned.yaml"):
        found, faults = wiring.read_learned(file)
        warnings = rule_warnings(found)
    else:
        site = wiring.read_site_file(file)
        found, faults, warnings = site.rules, (), rule_warnings(site.rules, site.examples)
    for fault in faults:
        print(safe(str(fault)))
    for warning in warnings:
        if not (file.name.endswith(".learned.yaml") and "has no example" in warning):
            print(safe(f"{file}: {warning}"))
    print(f"{len(found)} rules are right, {len(faults)} are not")
    if faults:
        raise typer.Exit(2)


@rules.command("diff")
def diff(site: Site, data: Data = None) -> None:
    """Compare what was learned with the version before."""
    settings = settings_for(data)
    name = _site(settings, site).site
    files = wiring.learned_files(settings)
    files.text(name)
    changes = rule_changes(files.read_previous(name), files.read(name)[0])
    for change in changes:
        print(safe(change.words()))
    if not changes:
        print("nothing changed")


@rules.command("lock")
def lock(site: Site, rule: Annotated[str, typer.Argument(help="The rule's id.")], data: Data = None) -> None:
    """Keep a learned rule as it is, whatever is learned later."""
    _set_lock(settings_for(data), site, rule, locked=True)


@rules.command("unlock")
def unlock(
    site: Site, rule: Annotated[str, typer.Argument(help="The rule's id.")], data: Data = None
) -> None:
    """Let the learner change a rule again."""
    _set_lock(settings_for(data), site, rule, locked=False)


def _set_lock(settings: Settings, site: str, rule_id: str, *, locked: bool) -> None:
    name = _site(settings, site).site
    files = wiring.learned_files(settings)
    files.text(name)
    found, _ = files.read(name)
    if rule_id not in {rule.id for rule in found}:
        raise UsageError(
            f"{name} has no learned rule {rule_id!r}", hint=f"see their ids: harvest rules show {name}"
        )
    changed = [replace(rule, locked=locked) if rule.id == rule_id else rule for rule in found]
    files.write(name, changed)
    print(f"{rule_id} is {'locked' if locked else 'unlocked'}")


@rules.command("edit")
def edit(site: Site, data: Data = None) -> None:
    """Open the learned rules in $EDITOR; they are checked before they replace anything."""
    settings = settings_for(data)
    name = _site(settings, site).site
    files = wiring.learned_files(settings)
    before = files.text(name)
    with tempfile.TemporaryDirectory(prefix="harvest-edit-") as folder:
        draft = Path(folder) / f"{name}.learned.yaml"
        draft.write_text(before, encoding="utf-8")
        _run_editor(draft)
        after = draft.read_text(encoding="utf-8")
    if after == before:
        print("nothing changed")
        return
    try:
        parse_learned_file(after, f"{name}.learned.yaml")
    except SiteFileError as error:
        kept = files.path(name).with_suffix(".rejected")
        kept.write_text(after, encoding="utf-8")
        raise SiteFileError(
            error.file, error.line, error.reason, hint=f"nothing was replaced; your text is in {kept}"
        ) from None
    files.write_text(name, after)
    print(f"{files.path(name)} is replaced; the version before is kept beside it")


def _run_editor(file: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError("no editor is set", hint="set EDITOR, for example: EDITOR=nano")
    try:
        done = subprocess.run([*shlex.split(editor), str(file)], check=False)  # noqa: S603 — the person's own
    except (OSError, ValueError) as error:
        raise UsageError(f"the editor {editor!r} cannot be run", why=str(error)) from error
    if done.returncode:
        raise HarvestError("the editor failed; nothing was changed", why=f"exit code {done.returncode}")


@rules.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A Cardigann definition of your own (YAML).")],
    out: Annotated[Path | None, typer.Option("--out", help="Where to write the site file.")] = None,
    data: Data = None,
) -> None:
    """Turn a Cardigann definition into a site file, and list what could not be carried over."""
    settings = settings_for(data)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read", why=str(error)) from error
    imported = import_definition(text, str(file))
    written = dump_site_file(imported.site)
    if out is not None:
        out.write_text(written, encoding="utf-8")
        where = str(out)
    else:
        where = str(wiring.SiteFolder(settings).keep(imported.site, written))
    print(f"{imported.site.site}: {len(imported.site.rules)} rules, written to {where}")
    for left in imported.left:
        print(safe(f"  not carried over: {left}"))
