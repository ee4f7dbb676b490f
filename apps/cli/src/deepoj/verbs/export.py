"""`deepoj export`."""

from __future__ import annotations

import click
from rich.markup import escape

from deepoj.console import out
from deepoj.errors import Exit
from deepoj.setter.process import events
from deepoj.verbs.help import help_text
from deepoj.verbs.options import reading_arguments, reading_options


@click.command(
    name="export",
    help=help_text(
        "Write a problem package in another format, without a server.\n\n"
        "PACKAGE is what `deepoj verify` takes; DIRECTORY must not exist. What is written is judged as "
        "PACKAGE is, or nothing is written and it is said what the format cannot say.",
        examples=(
            "deepoj export fps.xml --item sum problems/sum",
            "deepoj export examples/aplusb legacy/aplusb --format legacy",
        ),
        exits={
            Exit.OK: "it was written",
            Exit.FAILED: "the package was refused, or the format cannot say it",
            Exit.USAGE: "there is no such package, or DIRECTORY exists",
        },
    ),
)
@click.argument("package", type=click.Path())
@click.argument("directory", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["2025-09", "legacy", "polygon"]),
    default="2025-09",
    show_default=True,
    help="Of the ICPC/Kattis format the version, or one that other judges read as Polygon's.",
)
@reading_options
def command(package: str, directory: str, form: str, **reading: str | int | bool | None) -> None:
    options = [*reading_arguments(reading), f"--format={form}"]
    for _ in events("export-package", [*options, "--", package, directory]):
        continue
    out().print(f"written: {escape(directory)}")
