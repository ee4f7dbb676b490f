"""`deepoj test`."""

from __future__ import annotations

import signal
import sys
from contextlib import chdir

import click

from deepoj.checkout import find_checkout
from deepoj.checks.running import run_steps
from deepoj.checks.steps import all_steps
from deepoj.console import out
from deepoj.errors import Exit, Failure
from deepoj.verbs.help import help_text


@click.command(
    name="test",
    context_settings={"ignore_unknown_options": True},
    help=help_text(
        "Run everything CI runs: lock file, ruff, mypy, import contracts, generated code, and all tests.\n\n"
        "The tests share one set of real servers that is started for the run and removed after it. "
        "PYTEST_ARGS are given to the last step.",
        examples=("deepoj test", "deepoj test --only mypy", "deepoj test --only pytest kit/tests -k outbox"),
        exits={
            Exit.OK: "every step passed",
            Exit.FAILED: "a step failed",
            Exit.USAGE: "there is no such step",
            Exit.UNUSABLE: "this is not a checkout, or uv is missing",
        },
    ),
)
@click.option("--only", multiple=True, metavar="STEP", help="Run this step alone; may be given again.")
@click.option("-v", "--verbose", is_flag=True, help="Show the output of steps that pass, too.")
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def command(only: tuple[str, ...], pytest_args: tuple[str, ...], *, verbose: bool) -> None:
    checkout = find_checkout()
    if checkout is None:
        raise Failure(
            "the tests are not installed with the command: run it in a checkout of the repository",
            Exit.UNUSABLE,
        )
    with chdir(checkout):
        steps = all_steps(checkout, pytest_args)
        names = [step.name for step in steps]
        unknown = [name for name in only if name not in names]
        if unknown:
            raise Failure(f"there is no step {unknown[0]!r}: choose from {', '.join(names)}", Exit.USAGE)
        chosen = [step for step in steps if not only or step.name in only]
        # An exception instead of a sudden end, so that the step that runs is stopped and cleared up.
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        passed = run_steps(chosen, out(), verbose=verbose)
    sys.exit(Exit.OK if passed else Exit.FAILED)
