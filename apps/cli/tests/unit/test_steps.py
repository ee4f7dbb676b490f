"""The steps of `deepoj test`."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from deepoj.checkout import find_checkout
from deepoj.checks.run_steps import closing_line, run_steps
from deepoj.checks.steps import QUICK, Step, all_steps
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


def steps_on(**environ: str) -> dict[str, Step]:
    checkout = find_checkout()
    assert checkout is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: int(environ.pop("uid", "0")))
        for name, value in {"CI": "true", "UV": "/bin/uv", **environ}.items():
            patch.setenv(name, value)
        return {step.name: step for step in all_steps(checkout, ())}


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A directory of programs with apt-get in it, and neither a language nor a browser."""
    for name in ("apt-get", "uv"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def test_languages_are_got_by_root_in_ci_only_and_where_some_are_missing(bare: Path) -> None:
    assert "languages" in steps_on(PATH=str(bare))
    assert "languages" not in steps_on(PATH=str(bare), CI="")
    assert "languages" not in steps_on(PATH=str(bare), uid="1000")
    assert "languages" not in steps_on(PATH=str(bare / "nothing"))
    for program in QUICK.values():
        (bare / program).symlink_to("/bin/true")
    assert "languages" not in steps_on(PATH=str(bare))


def test_tests_are_compiled_once_in_ci_while_languages_are_got(bare: Path) -> None:
    steps = list(steps_on(PATH=str(bare)))
    assert steps.index("collection") < steps.index("mypy")
    assert "collection" not in steps_on(PATH=str(bare), CI="")


def test_tests_are_compiled_before_they_run_where_nothing_is_to_be_got(tmp_path: Path) -> None:
    code = f"import pathlib, time; time.sleep(0.3); pathlib.Path({str(tmp_path / 'compiled')!r}).touch()"
    compiled = Step("collection", (sys.executable, "-c", code))
    run = Step("pytest", ("test", "-e", str(tmp_path / "compiled")))
    passed, _ = _run(Step("mypy", ("true",)), compiled, run)
    assert passed


def test_a_browser_is_got_by_root_in_ci_and_elsewhere_it_is_said_how(bare: Path) -> None:
    assert "apt-get install -y --no-install-recommends" in steps_on(PATH=str(bare))["browser"].argv[-1]
    elsewhere = steps_on(PATH=str(bare), CI="")["browser"]
    passed, shown = _run(elsewhere)
    assert passed
    assert shown.splitlines()[0].startswith("passed over browser")
    assert "apt-get install -y --no-install-recommends chromium-headless-shell" in " ".join(shown.split())
    (bare / "chromium").symlink_to("/bin/true")
    assert "browser" not in steps_on(PATH=str(bare))


def test_languages_that_could_not_be_got_are_named_in_a_line_and_fail_nothing() -> None:
    code = "print('many lines', flush=True); raise SystemExit('there is no network')"
    bringing = Step("languages", (sys.executable, "-c", code), {"lisp": "no-lisp-here", "shell": "sh"})
    passed, shown = _run(bringing, Step("good", (sys.executable, "-c", "")))
    assert passed
    lines = shown.splitlines()
    said = lines.index("  without lisp: there is no network")
    assert lines[said - 1].startswith("passed over languages"), "whichever of the two ended first"
    assert "many lines" not in shown
