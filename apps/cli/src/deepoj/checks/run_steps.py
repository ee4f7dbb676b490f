"""Run steps: a line for each that ended, the output of those that fail, and a summary."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from deepoj.checks.steps import COLLECTION, PYTEST, Step, absent
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess

POLL = 0.05


@dataclass(frozen=True, slots=True)
class Result:
    step: Step
    passed: bool
    seconds: float
    output: str

    @property
    def is_failure(self) -> bool:
        return not (self.passed or self.step.brings)


def run_steps(steps: Sequence[Step], console: Console, *, verbose: bool) -> bool:
    """Say whether all passed."""
    began = time.monotonic()
    results = []
    for result in _run_all(steps):
        results.append(result)
        console.print(f"{_mark(result)} {escape(result.step.name)} ({result.seconds:.1f} s)")
        if verbose or result.is_failure:
            sys.stdout.write(result.output)
            sys.stdout.flush()
        elif not result.passed:
            lacks = ", ".join(absent(result.step.brings))
            console.print(escape(f"  without {lacks or 'them'}: {closing_line(result.output)}"))
    _summarise(results, time.monotonic() - began, console)
    return not any(result.is_failure for result in results)


def _mark(result: Result) -> str:
    if result.is_failure:
        return "[red]failed[/]"
    return "[green]passed[/]" if result.passed else "[yellow]passed over[/]"


def _run_all(steps: Sequence[Step]) -> Iterator[Result]:
    """Run pytest, once there is what it looks for, beside the other steps: it waits for much of its time.

    Its tests are compiled while that is got, and else before it starts.
    """
    with ExitStack() as cleanup:
        names = {PYTEST} if any(step.brings for step in steps) else {COLLECTION, PYTEST}
        tests = [step for step in steps if step.brings or step.name in names]
        lanes = [iter(tests), iter([step for step in steps if step not in tests])]
        running = {lane: each for lane in lanes if (each := _next(lane, cleanup))}
        while running:
            time.sleep(POLL)
            for lane, each in list(running.items()):
                if (result := each.result()) is None:
                    continue
                del running[lane]
                if following := _next(lane, cleanup):
                    running[lane] = following
                yield result


def _next(lane: Iterator[Step], cleanup: ExitStack) -> _Running | None:
    step = next(lane, None)
    return None if step is None else _Running(step, cleanup)


class _Running:
    def __init__(self, step: Step, cleanup: ExitStack) -> None:
        self._step = step
        self._began = time.monotonic()
        directory = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="deepoj-step-"))
        # SIGINT and not SIGTERM: on that pytest stops its servers and removes their files.
        spec = ProcessSpec(
            step.name, step.argv, ready=lambda: True, environ=_environ(), stop_signal=signal.SIGINT
        )
        self._process = RunningProcess(spec, Path(directory, "output"))
        cleanup.callback(self._process.stop)

    def result(self) -> Result | None:
        """Return None while it runs."""
        code = self._process.exit_code()
        if code is None:
            return None
        output = self._process.log.read_text(errors="replace")
        return Result(self._step, code == 0, time.monotonic() - self._began, output)


def _environ() -> dict[str, str]:
    """Keep settings of a real deployment away from the tests."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("DEEPOJ_") or name.startswith("DEEPOJ_TEST_")
    }


def _summarise(results: Sequence[Result], seconds: float, console: Console) -> None:
    for result in results:
        if result.step.name == PYTEST:
            console.print(escape(closing_line(result.output)))
    failed = [result.step.name for result in results if result.is_failure]
    if failed:
        console.print(f"[red]{len(failed)} of {len(results)} steps failed[/]: {escape(', '.join(failed))}")
    else:
        console.print(f"[green]all {len(results)} steps passed[/] in {seconds:.0f} s")


def closing_line(output: str) -> str:
    """Return the last line; in pytest's own it counts what passed and failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "pytest wrote nothing"
