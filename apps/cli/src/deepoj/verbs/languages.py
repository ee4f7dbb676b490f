"""`deepoj languages`."""

from __future__ import annotations

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from deepoj.console import err, out, print_json
from deepoj.doctor.toolchains import languages
from deepoj.errors import Exit
from deepoj.setter.events import Language
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option


@click.command(
    name="languages",
    help=help_text(
        "List the languages, which of them this machine can judge, and how to get the others.",
        examples=("deepoj languages", "deepoj languages --json", "deepoj doctor --install"),
        exits={Exit.OK: "they were listed"},
    ),
)
@json_option
def command(*, as_json: bool) -> None:
    with err().status("asking the compilers"):
        rows = languages()
    if as_json:
        print_json([{**msgspec.to_builtins(row), "installed": bool(row.version)} for row in rows])
    else:
        out().print(_table(rows))


def _table(rows: list[Language]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("slug", "language", "files", "time", "memory", "installed"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        found = (
            escape(row.version) if row.version else f"[yellow]no: install the Debian package {row.package}[/]"
        )
        factors = (f"{row.time_percent} %", f"{row.memory_percent} %")
        table.add_row(row.slug, escape(row.name), " ".join(row.suffixes), *factors, found)
    return table
