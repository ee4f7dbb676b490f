"""Run steps one after the other: a line each, the output of those that fail, and a summary."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from deepoj.checks.steps import PYTEST, Step
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess


@dataclass(frozen=True, slots=True)
class Result:
    step: Step
    passed: bool
    seconds: float
    output: str


def run_steps(steps: Sequence[Step], console: Console, *, verbose: bool) -> bool:
    """Say whether all passed."""
    results = []
    for step in steps:
        with console.status(escape(step.name)):
            result = _run(step)
        results.append(result)
        mark = "[green]passed[/]" if result.passed else "[red]failed[/]"
        console.print(f"{mark} {escape(step.name)} ({result.seconds:.1f} s)")
        if verbose or not result.passed:
            sys.stdout.write(result.output)
            sys.stdout.flush()
    _summarise(results, console)
    return all(result.passed for result in results)


def _run(step: Step) -> Result:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="deepoj-step-") as directory:
        log = Path(directory, "output")
        # SIGINT and not SIGTERM: on that pytest stops its servers and removes their files.
        spec = ProcessSpec(
            step.name, step.argv, ready=lambda: True, environ=_environ(), stop_signal=signal.SIGINT
        )
        process = RunningProcess(spec, log)
        try:
            code = process.wait()
        finally:
            process.stop()
        return Result(step, code == 0, time.monotonic() - began, log.read_text(errors="replace"))


def _environ() -> dict[str, str]:
    """Keep settings of a real deployment away from the tests."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("DEEPOJ_") or name.startswith("DEEPOJ_TEST_")
    }


def _summarise(results: Sequence[Result], console: Console) -> None:
    for result in results:
        if result.step.name == PYTEST:
            console.print(escape(closing_line(result.output)))
    failed = [result.step.name for result in results if not result.passed]
    seconds = sum(result.seconds for result in results)
    if failed:
        console.print(f"[red]{len(failed)} of {len(results)} steps failed[/]: {escape(', '.join(failed))}")
    else:
        console.print(f"[green]all {len(results)} steps passed[/] in {seconds:.0f} s")


def closing_line(output: str) -> str:
    """Return pytest's own last line, which counts what passed and failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "pytest wrote nothing"
