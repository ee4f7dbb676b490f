"""`deepoj doctor`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from deepoj.console import err, out, print_json
from deepoj.doctor.finding import Finding, Status
from deepoj.doctor.kernel import kernel_findings
from deepoj.doctor.machine import machine_findings
from deepoj.doctor.toolchains import toolchain_findings
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, json_option

MARKS = {Status.OK: "[green]ok[/]", Status.WARNING: "[yellow]warning[/]", Status.MISSING: "[red]missing[/]"}


@click.command(
    name="doctor",
    help=help_text(
        "Check what this machine has and lacks, and say how to get it.\n\n"
        "A warning costs a language or an exact limit; what is missing keeps Deep-OJ from running.",
        examples=("deepoj doctor", "deepoj doctor --json"),
        exits={Exit.OK: "nothing required is missing", Exit.FAILED: "something required is missing"},
    ),
)
@data_option
@click.option("--port", default=8000, show_default=True, help="The HTTP port that will be used.")
@json_option
def command(data: Path, port: int, *, as_json: bool) -> None:
    with err().status("checking"):
        findings = [*kernel_findings(), *machine_findings(data, port), *toolchain_findings()]
    if as_json:
        print_json([asdict(each) for each in findings])
    else:
        _show(findings)
    missing = any(each.status is Status.MISSING for each in findings)
    sys.exit(Exit.FAILED if missing else Exit.OK)


def _show(findings: list[Finding]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("", "check", "", "found"):
        table.add_column(heading, overflow="fold")
    group = ""
    for each in findings:
        table.add_row(
            each.group if each.group != group else "", each.name, MARKS[each.status], escape(each.found)
        )
        group = each.group
    console = out()
    console.print(table)
    remedies = [each for each in findings if each.remedy]
    if remedies:
        console.print("\nWhat to do:")
    for each in remedies:
        console.print(f"  {MARKS[each.status]} {each.name}: {escape(each.remedy)}")
