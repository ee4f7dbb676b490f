"""The steps of `deepoj test`."""

from __future__ import annotations

import io
import sys

from click.testing import CliRunner
from rich.console import Console

from deepoj.checkout import find_checkout
from deepoj.checks.running import closing_line, run_steps
from deepoj.checks.steps import Step, all_steps
from deepoj.cli import cli


def _run(*steps: Step) -> tuple[bool, str]:
    shown = io.StringIO()
    return run_steps(steps, Console(file=shown), verbose=False), shown.getvalue()


def test_the_closing_line_of_pytest_is_shown_and_all_else_only_on_failure() -> None:
    good = Step("quiet", (sys.executable, "-c", "print('noise')"))
    tests = Step("pytest", (sys.executable, "-c", "print('dots')\nprint('3 passed in 1.00s')"))
    passed, shown = _run(good, tests)
    assert passed
    assert "3 passed in 1.00s" in shown.splitlines()[-2]
    assert shown.splitlines()[-1].startswith("all 2 steps passed")
    assert "noise" not in shown


def test_a_failing_step_fails_the_run_and_the_rest_still_runs() -> None:
    bad = Step("bad", (sys.executable, "-c", "raise SystemExit('why')"))
    good = Step("good", (sys.executable, "-c", ""))
    passed, shown = _run(bad, good)
    assert not passed
    assert "failed bad" in shown
    assert "passed good" in shown
    assert "1 of 2 steps failed: bad" in shown


def test_pytest_comes_last_and_gets_the_arguments() -> None:
    checkout = find_checkout()
    assert checkout is not None
    last = all_steps(checkout, ("-k", "outbox"))[-1]
    assert last.name == "pytest"
    assert last.argv[-2:] == ("-k", "outbox")


def test_an_unknown_step_is_refused_with_the_known_ones() -> None:
    refused = CliRunner().invoke(cli, ["test", "--only", "lint"])
    assert refused.exit_code == 2
    assert "choose from lock file, ruff check" in refused.stderr


def test_no_output_has_a_closing_line_too() -> None:
    assert closing_line("\n") == "pytest wrote nothing"
