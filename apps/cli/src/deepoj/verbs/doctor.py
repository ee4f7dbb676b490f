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
from deepoj.doctor.packages import install
from deepoj.doctor.toolchains import languages, toolchain_findings
from deepoj.errors import Exit, Failure
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, json_option

MARKS = {Status.OK: "[green]ok[/]", Status.WARNING: "[yellow]warning[/]", Status.MISSING: "[red]missing[/]"}


@click.command(
    name="doctor",
    help=help_text(
        "Check what this machine has and lacks, and say how to get it.\n\n"
        "A warning costs a language or an exact limit; what is missing keeps Deep-OJ from running. With "
        "--install the languages that are not there are installed with apt-get; nothing is asked, every step "
        "is told on stderr. Who is not root is told the line to run.",
        examples=("deepoj doctor", "deepoj doctor --install --language go", "deepoj doctor --json"),
        exits={
            Exit.OK: "nothing required is missing; with --install: every language asked for can be judged",
            Exit.FAILED: "something required is missing; with --install: a language could not be had",
            Exit.UNUSABLE: "--install without root or apt-get",
        },
    ),
)
@data_option
@click.option("--port", default=8000, show_default=True, help="The HTTP port that will be used.")
@click.option("--install", "installs", is_flag=True, help="Install the languages that are missing.")
@click.option("--language", "chosen", multiple=True, help="Only this one, with --install; may be repeated.")
@json_option
def command(data: Path, port: int, chosen: tuple[str, ...], *, installs: bool, as_json: bool) -> None:
    if installs:
        _install(chosen, as_json=as_json)
        return
    with err().status("checking"):
        findings = [*kernel_findings(), *machine_findings(data, port), *toolchain_findings(languages())]
    if as_json:
        print_json([asdict(each) for each in findings])
    else:
        _show(findings)
    missing = any(each.status is Status.MISSING for each in findings)
    sys.exit(Exit.FAILED if missing else Exit.OK)


def _install(chosen: tuple[str, ...], *, as_json: bool) -> None:
    rows = languages()
    if unknown := set(chosen) - {row.slug for row in rows}:
        raise Failure(f"there is no language {min(unknown)}: deepoj languages lists them", Exit.USAGE)
    wanted = [row.slug for row in rows if not chosen or row.slug in chosen]
    missing = [row for row in rows if row.slug in wanted and not row.version]
    if missing:
        install(missing, lambda line: err().print(line, markup=False))
        rows = languages()
    found = {row.slug: row.version for row in rows if row.slug in wanted}
    if as_json:
        print_json(
            [{"language": slug, "installed": bool(got), "version": got} for slug, got in found.items()]
        )
    for slug, version in () if as_json else found.items():
        mark = MARKS[Status.OK if version else Status.WARNING]
        out().print(f"{mark} {slug} {escape(version or 'could not be installed')}")
    sys.exit(Exit.OK if all(found.values()) else Exit.FAILED)


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
