"""`deepoj judge`."""

from __future__ import annotations

import sys

import click
import msgspec

from deepoj.console import err, out, print_json
from deepoj.errors import Exit
from deepoj.setter.display import show_findings, show_solution, watched
from deepoj.setter.events import Finding, Finished, Judged, Opened
from deepoj.setter.process import events
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option, reading_arguments, reading_options


@click.command(
    name="judge",
    help=help_text(
        "Judge solutions with a problem package on this machine, as a server would.\n\n"
        "PACKAGE is a directory, zip or tar in a format that `deepoj import` takes; a SOLUTION is a file or "
        "a directory of files. Nothing is uploaded, no server is needed. Each result is shown when it is "
        "known; Ctrl-C keeps those.",
        examples=(
            "deepoj judge examples/aplusb sum.cpp",
            "deepoj judge problem.zip slow.py fast.py --all-cases",
            "deepoj judge problem.zip main.txt --language cpp20 --json",
        ),
        exits={
            Exit.OK: "every solution was accepted",
            Exit.FAILED: "some solution was not, or the package was refused",
            Exit.USAGE: "the package, a solution or the language is not there",
            Exit.UNUSABLE: "this machine lacks the language or a working sandbox",
            Exit.INTERRUPTED: "Ctrl-C broke it off; what was known by then is shown",
        },
    ),
)
@click.argument("package", type=click.Path())
@click.argument("solutions", type=click.Path(), nargs=-1, required=True, metavar="SOLUTION...")
@click.option("--language", default="", metavar="SLUG", help="Instead of what the file names say.")
@click.option("--all-cases", is_flag=True, help="Run every case, also when the verdict is known.")
@reading_options
@json_option
def command(
    *,
    package: str,
    solutions: tuple[str, ...],
    language: str,
    all_cases: bool,
    as_json: bool,
    **reading: str | int | bool | None,
) -> None:
    arguments = [*reading_arguments(reading), f"--language={language}"]
    arguments += ["--all-cases"] if all_cases else []
    judged: list[Judged] = []
    scoring = ok = False
    try:
        for event in watched(events("judge-package", [*arguments, "--", package, *solutions])):
            match event:
                case Opened():
                    scoring = event.scoring
                case Finding():
                    show_findings(err(), [event])
                case Judged():
                    judged.append(event)
                    if not as_json:
                        show_solution(out(), event, scoring=scoring)
                case Finished():
                    ok = event.ok
                case _:
                    continue
    finally:
        # Also of a run that was broken off: what is known is known.
        if as_json and (judged or ok):
            print_json({"ok": ok, "solutions": msgspec.to_builtins(judged)})
    sys.exit(Exit.OK if ok else Exit.FAILED)
