"""Submissions as people read them."""

from __future__ import annotations

from typing import Final

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from deepoj.client.wire import Result, Submission

ACCEPTED: Final = "AC"
_WORDS: Final = {
    "AC": "accepted",
    "WA": "wrong answer",
    "PE": "presentation error",
    "TLE": "time limit exceeded",
    "MLE": "memory limit exceeded",
    "OLE": "output limit exceeded",
    "RE": "runtime error",
    "CE": "compile error",
    "SE": "system error",
}
_STATES: Final = {
    "pending": "waiting for the queue",
    "dispatched": "waiting for a worker",
    "running": "being judged",
    "dead": "given up by the judge",
    "cancelled": "cancelled",
}
_MOST_CASES: Final = 30


def style_of(verdict: str | None) -> str:
    match verdict:
        case None:
            return "dim"
        case "AC":
            return "bold green"
        case "CE" | "SE" | "PE":
            return "bold yellow"
        case _:
            return "bold red"


def headline(submission: Submission) -> Text:
    """Say in one line how it stands."""
    result = submission.result
    if submission.status != "finished" or result is None:
        reason = f" ({submission.reason})" if submission.reason else ""
        return Text(f"{_STATES.get(submission.status, submission.status)}{reason}", style_of(None))
    words = _WORDS.get(result.verdict, result.verdict)
    line = Text(words, style_of(result.verdict))
    line.append(
        f"  score {result.score:g}  {result.time_ms} ms  {_mebibytes(result.memory_bytes)}", "default"
    )
    return line


def picture(submission: Submission) -> RenderableType:
    """The headline, and what the judge found case by case."""
    result = submission.result
    head = Text.assemble(("submission ", "dim"), submission.id, ("  ", ""), submission.language)
    parts: list[RenderableType] = [head, headline(submission)]
    if result is not None and result.compile_output:
        parts.append(Text(result.compile_output.rstrip(), "yellow"))
    if result is not None and result.cases:
        parts.append(_cases(result))
    return Group(*parts)


def list_of(submissions: tuple[Submission, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("submission", "submitted", "language", "state"):
        table.add_column(heading, no_wrap=True)
    for each in submissions:
        at = "" if each.submitted_at is None else f"{each.submitted_at:%Y-%m-%d %H:%M:%S}"
        table.add_row(escape(each.id), at, escape(each.language), headline(each))
    return table


def show(console: Console, submission: Submission) -> None:
    console.print(picture(submission))


def _cases(result: Result) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("case", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for heading in ("time", "memory"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for case in result.cases[:_MOST_CASES]:
        verdict = Text(case.verdict or "skipped", style_of(case.verdict))
        table.add_row(
            escape(case.name or str(case.number)),
            verdict,
            f"{case.time_ms} ms",
            _mebibytes(case.memory_bytes),
            escape(case.message),
        )
    if len(result.cases) > _MOST_CASES:
        table.add_row(f"… {len(result.cases) - _MOST_CASES} more", "", "", "", "")
    return table


def _mebibytes(count: int) -> str:
    return f"{count / 2**20:.1f} MiB"
