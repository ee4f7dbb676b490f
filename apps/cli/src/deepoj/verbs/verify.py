"""`deepoj verify`."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.markup import escape

from deepoj.console import err, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.setter.display import watched
from deepoj.setter.process import events
from deepoj.setter.report import Report
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option, reading_arguments, reading_options

_PARTS = ("validators", "answers", "submissions", "statement", "strength")
_MOST_MUTANTS = 200
_MOST_THREADS = 256
_LONGEST_LIMIT = 600


def _a_number(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("it is not a number", ctx, param)
    return value


@click.command(
    name="verify",
    help=help_text(
        "Check problem packages: data, validators, answers, statement, and every example submission.\n\n"
        "PACKAGE is a directory, zip or tar in the ICPC/Kattis format (legacy or 2025-09), in that of "
        "Polygon, DMOJ, UOJ, CMS, QDUOJ or Hydro, or an FPS file. Tests that are left to generators are made "
        "first. Input validators run on all inputs and on junk, answers go through the "
        "output validator, example submissions must do what their directory says; a time limit is suggested, "
        "and it is told which tests catch which wrong submission. Each result is shown when it is known; "
        "Ctrl-C keeps those. One bad package does not stop the others. A GLOB has * within one name and "
        "{a,b}, and matches what it names and everything below. Warnings do not fail it.",
        examples=(
            "deepoj verify examples/aplusb",
            "deepoj verify problems/* --warnings-as-errors",
            "deepoj verify problem.zip --submission 'accepted/*.py' --case secret/2-equal --time-limit 2.5",
            "deepoj verify problem.zip --part strength --mutants 30 --json",
        ),
        exits={
            Exit.OK: "everything is as the packages say",
            Exit.FAILED: "something is not, or a package was refused",
            Exit.USAGE: "there is no such package, or a GLOB matches nothing",
            Exit.UNUSABLE: "this machine lacks the validator's language or a working sandbox",
            Exit.INTERRUPTED: "Ctrl-C broke it off; what was known by then is shown",
        },
    ),
)
@click.argument("packages", type=click.Path(), nargs=-1, required=True, metavar="PACKAGE...")
@click.option("--part", "parts", type=click.Choice(_PARTS), multiple=True, help="Only this; may be repeated.")
@click.option("--submission", "submissions", multiple=True, metavar="GLOB", help="Only these submissions.")
@click.option(
    "--case",
    "cases",
    multiple=True,
    metavar="GLOB",
    help="Only these cases; what must be wrong somewhere need not be wrong there.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0.001, _LONGEST_LIMIT),
    callback=_a_number,
    metavar="SECONDS",
    help="In place of the package's.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, _MOST_THREADS),
    metavar="N",
    show_default="one a core",
    help="How many programs run at once.",
)
@click.option(
    "--mutants",
    type=click.IntRange(0, _MOST_MUTANTS),
    default=0,
    metavar="N",
    help="Judge N small changes of an accepted submission, and show those that survive the tests.",
)
@click.option("--warnings-as-errors", is_flag=True, help="Fail where there is a warning.")
@reading_options
@json_option
def command(  # noqa: PLR0913 — one parameter an option
    *,
    packages: tuple[str, ...],
    parts: tuple[str, ...],
    submissions: tuple[str, ...],
    cases: tuple[str, ...],
    time_limit: float | None,
    threads: int | None,
    mutants: int,
    warnings_as_errors: bool,
    as_json: bool,
    **reading: str | int | bool | None,
) -> None:
    arguments = [*reading_arguments(reading), f"--mutants={mutants}"]
    arguments += [f"--part={each}" for each in parts]
    arguments += [f"--submission={each}" for each in submissions]
    arguments += [f"--case={each}" for each in cases]
    arguments += [f"--threads={threads}"] if threads else []
    arguments += [f"--time-limit={time_limit}"] if time_limit else []
    reports = [Report(each, strict=warnings_as_errors) for each in packages]
    code = _verify_all(reports, arguments, None if as_json else out())
    if as_json:
        documents = [report.as_json() for report in reports]
        whole = {"ok": code is Exit.OK, "packages": documents}
        print_json(documents[0] if len(reports) == 1 else whole)
    elif len(reports) > 1:
        for report in reports:
            out().print(f"[bold]{escape(report.source)}[/]: {report.sentence}")
    sys.exit(code)


def _verify_all(reports: Sequence[Report], arguments: Sequence[str], console: Console | None) -> Exit:
    alone = len(reports) == 1
    for report in reports:
        try:
            _verify(report, arguments, console, name_it=not alone)
        except Failure as failure:
            if alone:
                raise
            report.failure = failure
            err().print(f"[bold red]error:[/] {escape(report.source)}: {escape(str(failure))}")
        except KeyboardInterrupt:
            if console is not None:
                report.show_whole(console)
            return Exit.INTERRUPTED
    return Exit.OK if all(report.ok for report in reports) else Exit.FAILED


def _verify(report: Report, arguments: Sequence[str], console: Console | None, *, name_it: bool) -> None:
    if console is not None and name_it:
        console.print(f"\n{escape(report.source)}")
    for event in watched(events("verify-package", [*arguments, "--", report.source])):
        report.add(event)
        if console is not None:
            report.show(console, event)
