"""`deepoj test`."""

from __future__ import annotations

import signal
import sys
from contextlib import chdir

import click

from deepoj.checkout import find_checkout
from deepoj.checks.changed import called_for, changed_files, members_of
from deepoj.checks.run_steps import run_steps
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
        "PYTEST_ARGS are given to the last step, which runs beside the others.\n\n"
        "With --changed the tests are those of the members that differ from main, committed or not, and of "
        "the members that depend on them. The whole system is tested only when its own tests change; a "
        "change outside the members, in uv.lock for example, runs everything.",
        examples=(
            "deepoj test",
            "deepoj test --changed",
            "deepoj test --only mypy",
            "deepoj test --only pytest kit/tests -k outbox",
        ),
        exits={
            Exit.OK: "every step passed",
            Exit.FAILED: "a step failed",
            Exit.USAGE: "there is no such step",
            Exit.UNUSABLE: "this is not a checkout, uv is missing, or there is no main to compare with",
        },
    ),
)
@click.option("--only", multiple=True, metavar="STEP", help="Run this step alone; may be given again.")
@click.option("--changed", is_flag=True, help="Run the tests that the changes since main call for.")
@click.option("-v", "--verbose", is_flag=True, help="Show the output of steps that pass, too.")
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def command(only: tuple[str, ...], pytest_args: tuple[str, ...], *, changed: bool, verbose: bool) -> None:
    checkout = find_checkout()
    if checkout is None:
        raise Failure(
            "the tests are not installed with the command: run it in a checkout of the repository",
            Exit.UNUSABLE,
        )
    with chdir(checkout):
        tests = called_for(changed_files(checkout), members_of(checkout)) if changed else None
        steps = all_steps(checkout, pytest_args, tests)
        names = [step.name for step in steps]
        unknown = [name for name in only if name not in names]
        if unknown:
            raise Failure(f"there is no step {unknown[0]!r}: choose from {', '.join(names)}", Exit.USAGE)
        chosen = [step for step in steps if not only or step.name in only]
        # An exception instead of a sudden end, so that the step that runs is stopped and cleared up.
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        passed = run_steps(chosen, out(), verbose=verbose)
    sys.exit(Exit.OK if passed else Exit.FAILED)
