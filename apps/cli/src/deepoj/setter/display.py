"""Results for a person: tables, and a progress bar while a person watches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from deepoj.console import err
from deepoj.setter.events import Case, Event, Finding, Judged, Working

_STYLES = {"AC": "green", "SE": "magenta", "": "dim"}
_READING = "reading the package"
_SIGNALS = {6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV"}


def watched(incoming: Iterable[Event]) -> Iterator[Event]:
    """Take the events about progress out, and show them where a person looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err(), transient=True, disable=not sys.stderr.isatty()) as progress:
        bars = {_READING: progress.add_task(_READING, total=None)}
        for event in incoming:
            if not isinstance(event, Working):
                # What is shown meanwhile must not meet the bars.
                progress.stop()
                yield event
                progress.start()
                continue
            if event.on not in bars:
                bars[event.on] = progress.add_task(escape(event.on), total=event.total)
            progress.update(bars[event.on], completed=event.done)
            for name in (_READING, *([event.on] if event.done == event.total else [])):
                if name in bars:
                    progress.remove_task(bars.pop(name))


def solution_row(judged: Judged, *, scoring: bool) -> str:
    score = f", {judged.score} of {judged.full_score} points" if scoring else ""
    used = f"{judged.time_ms} of {judged.time_limit_ms} ms, {_memory(judged.memory_kib)}"
    name = f"[bold]{escape(judged.name)}[/] ({escape(judged.language)})"
    return f"{name}: {_verdict(judged.verdict)}{score}, {used}"


def show_solution(console: Console, judged: Judged, *, scoring: bool) -> None:
    console.print(f"\n{solution_row(judged, scoring=scoring)}")
    if judged.message:
        console.print(escape(judged.message.rstrip()))
    if judged.cases:
        console.print(_cases(judged.cases))
    _show_crash(console, judged)
    if scoring:
        console.print(_groups(judged))


def show_submission(console: Console, judged: Judged, *, scoring: bool) -> None:
    """One line; what differs from the expectation follows below it, with the words of a crash."""
    mark = "[red]wrong[/]" if judged.problems else "[green]ok   [/]"
    expected = f", expected {escape(judged.expected)}" if judged.expected else ""
    console.print(f"{mark} {solution_row(judged, scoring=scoring)}{expected}")
    for problem in judged.problems:
        console.print(f"[red]{escape(judged.name)}[/]: {escape(problem)}")
    if judged.problems:
        if judged.message:
            console.print(escape(judged.message.rstrip()))
        _show_crash(console, judged)


def _show_crash(console: Console, judged: Judged) -> None:
    crashed = next((case for case in judged.cases if case.stderr.strip()), None)
    if crashed is not None:
        console.print(f"standard error of {escape(crashed.name)}:")
        console.print(escape(crashed.stderr.rstrip()))


def _cases(cases: list[Case]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("case")
    table.add_column("verdict")
    table.add_column("time", justify="right")
    table.add_column("memory", justify="right")
    table.add_column("", overflow="fold")
    for case in cases:
        used = (f"{case.time_ms} ms", _memory(case.memory_kib)) if case.verdict else ("", "")
        table.add_row(escape(case.name), _verdict(case.verdict), *used, escape(_said(case)))
    return table


def _groups(judged: Judged) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("group")
    table.add_column("points", justify="right")
    for group in judged.groups:
        table.add_row(escape(group.name), f"{group.score} of {group.points}")
    return table


def _said(case: Case) -> str:
    if case.message:
        return case.message
    if case.verdict == "RE":
        return (
            _SIGNALS.get(case.signal, f"signal {case.signal}")
            if case.signal
            else f"exit code {case.exit_code}"
        )
    return ""


def _verdict(verdict: str) -> str:
    return f"[{_STYLES.get(verdict, 'red')}]{verdict or 'skipped'}[/]"


def _memory(kib: int) -> str:
    return f"{kib / 1024:.1f} MiB"


def show_findings(console: Console, findings: list[Finding]) -> None:
    for each in findings:
        colour = "red" if each.severity == "error" else "yellow"
        console.print(f"[{colour}]{each.severity}[/] {escape(each.about)}: {escape(each.message)}")
