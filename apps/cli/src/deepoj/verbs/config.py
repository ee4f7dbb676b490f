"""`deepoj config`."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click
from rich.markup import escape
from rich.table import Table

from deepoj.configuration import Setting, settings_of
from deepoj.console import err, out, print_json
from deepoj.errors import Exit
from deepoj.stack.services import SERVE, SERVICES
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option

APPS = [each for each in SERVICES if each.role == SERVE]


@click.command(
    name="config",
    help=help_text(
        "Show every setting of every process, secrets hidden, and where it comes from.\n\n"
        "DEEPOJ_RECORD_X is read by record alone, DEEPOJ_X by every process; the TOML file named by "
        "DEEPOJ_CONFIG fills in what no variable sets.",
        examples=("deepoj config", "deepoj config record", "DEEPOJ_CONFIG=judge.toml deepoj config --json"),
        exits={Exit.OK: "every setting is valid", Exit.FAILED: "a setting is wrong or missing"},
    ),
)
@click.argument("process", required=False, type=click.Choice([each.app for each in APPS]))
@json_option
def command(process: str | None, *, as_json: bool) -> None:
    with err().status("asking every process"):
        shown = settings_of([each for each in APPS if process in {None, each.app}], SERVICES)
    if as_json:
        print_json([asdict(each) for each in shown])
    else:
        _show(shown)
    sys.exit(Exit.FAILED if any(each.wrong for each in shown) else Exit.OK)


def _show(settings: list[Setting]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("variable", "value", "source"):
        table.add_column(heading, overflow="fold")
    for each in settings:
        style = "red" if each.wrong else None
        table.add_row(each.variable, escape(each.value), escape(each.problem or each.source), style=style)
    out().print(table)
