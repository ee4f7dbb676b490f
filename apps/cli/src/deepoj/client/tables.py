"""Answers of the server as tables: a line for each of several, a line for each field of one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from rich.table import Table
from rich.text import Text

from deepoj.client.words import length

_MS: Final = "_ms"


def table_of(items: Sequence[msgspec.Struct], columns: Sequence[str]) -> Table:
    """`columns` are fields; `a.b` is field b of field a."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(_heading(column), overflow="fold")
    for item in items:
        table.add_row(*(Text(_cell(item, column)) for column in columns))
    return table


def facts_of(item: msgspec.Struct) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name in item.__struct_fields__:
        table.add_row(_heading(name), Text(_cell(item, name)))
    return table


def _heading(column: str) -> str:
    return column.rpartition(".")[2].removesuffix(_MS).replace("_", " ")


def _cell(item: object, column: str) -> str:
    name, _, rest = column.partition(".")
    value = getattr(item, name)
    return _cell(value, rest) if rest and value is not None else words(value, is_length=name.endswith(_MS))


def words(value: object, *, is_length: bool = False) -> str:
    match value:
        case None:
            said = ""
        case bool():
            said = "yes" if value else "no"
        case datetime():
            said = f"{value:%Y-%m-%d %H:%M}"
        case int() if is_length:
            said = length(value / 1000)
        case float():
            said = f"{value:g}"
        case tuple():
            said = ", ".join(map(words, value))
        case msgspec.Struct():
            fields = ((name, words(getattr(value, name))) for name in value.__struct_fields__)
            said = ", ".join(f"{_heading(name)} {field}" for name, field in fields if field)
        case _:
            said = str(value)
    return said
