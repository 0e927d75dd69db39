"""Small helpers for showing values to people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text


def safe(text: str) -> str:
    """Text from the network without anything that a terminal would obey."""
    return "".join(character if character.isprintable() else "�" for character in text)


def print_table(console: Console, columns: Iterable[tuple[str, str]], rows: Iterable[Iterable[str]]) -> None:
    """A table on a terminal, tab-separated lines elsewhere. `columns` are (title, justify)."""
    names = list(columns)
    if not console.is_terminal:
        for row in rows:
            console.out("\t".join(safe(cell) for cell in row), highlight=False)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title, justify in names:
        table.add_column(title, justify=justify, overflow="fold")  # type: ignore[arg-type]  # our own literals
    for row in rows:
        table.add_row(*(Text(safe(cell)) for cell in row))
    console.print(table)
