"""`deepoj admin problems verify`."""

from __future__ import annotations

import sys
from typing import Final

import click
import httpx
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.status import Status

from deepoj.client.api import Api
from deepoj.client.problem_wire import VerifyDone, VerifyEvent, VerifyProgress
from deepoj.client.refusals import failure_of, unreachable
from deepoj.console import err, out
from deepoj.errors import Exit, Failure
from deepoj.verbs.admin.desk import Desk, single
from deepoj.verbs.admin.names import part, problem_id

_PARTS: Final = ("validators", "answers", "submissions", "statement", "strength")
# It waits until no submission wants the judge.
_PATIENCE: Final = 3600.0


@single(
    "verify",
    "Run the validators and solutions of PROBLEM on the server's judge, after all submissions that wait. "
    "Ctrl-C stops it there too. A package on this machine: deepoj verify.",
    "deepoj admin problems verify two-sum",
    "deepoj admin problems verify two-sum --part submissions --submission 'accepted/*' --json",
    exits={Exit.OK: "it is as it says", Exit.FAILED: "something is not"},
)
@click.argument("problem")
@click.option("--revision", type=click.IntRange(1), help="An earlier one.")
@click.option("--part", "parts", type=click.Choice(_PARTS), multiple=True, help="Only this. May be repeated.")
@click.option("--submission", "submissions", multiple=True, metavar="GLOB", help="Only these solutions.")
@click.option("--case", "cases", multiple=True, metavar="GLOB", help="Only these cases.")
@click.option(
    "--time-limit", type=click.FloatRange(0.001, 60), metavar="SECONDS", help="In place of its own."
)
@click.option("--mutants", type=click.IntRange(0, 20), default=0, help="Changed copies of a right solution.")
@click.option("--warnings-as-errors", is_flag=True, help="Fail where there is a warning.")
def verify(  # noqa: PLR0913 — one parameter an option
    desk: Desk,
    *,
    problem: str,
    revision: int | None,
    parts: tuple[str, ...],
    submissions: tuple[str, ...],
    cases: tuple[str, ...],
    time_limit: float | None,
    mutants: int,
    warnings_as_errors: bool,
) -> None:
    params: dict[str, str | list[str] | None] = {
        "revision": str(revision) if revision else None,
        "part": list(parts),
        "submission": list(submissions),
        "case": list(cases),
        "time_limit": str(time_limit) if time_limit else None,
        "mutants": str(mutants) if mutants else None,
        "warnings_as_errors": "true" if warnings_as_errors else None,
    }
    path = f"/api/problems/{part(problem_id(desk.api, problem))}/verify"
    done = _followed(desk.api, path, params, None if desk.as_json else out())
    if desk.as_json:
        desk.facts(done)
    else:
        _show(out(), done)
    sys.exit(Exit.OK if done.ok else Exit.FAILED)


def _followed(
    api: Api, path: str, params: dict[str, str | list[str] | None], shown: Console | None
) -> VerifyDone:
    headers = {"accept": "application/x-ndjson"}
    try:
        with (
            Status("waits for the judge", console=err()) as status,
            api.stream("POST", path, headers=headers, params=params, patience=_PATIENCE) as answer,
        ):
            for line in answer.iter_lines():
                event = msgspec.json.decode(line, type=VerifyEvent)
                if event.error is not None:
                    raise failure_of(event.error)
                if event.done is not None:
                    return event.done
                if event.progress is not None:
                    step = event.progress
                    status.update(escape(f"{step.step} {step.done} of {step.total} {step.solution or ''}"))
                    if shown is not None and step.verdict is not None:
                        shown.print(_judged(step))
    except httpx.TransportError as error:
        raise unreachable(api.server, error) from error
    raise Failure("the verification broke off without a result: try again", Exit.FAILED)


def _judged(step: VerifyProgress) -> str:
    case = f" in {step.case_name}" if step.case_name else ""
    said = f"{step.solution}: {step.verdict}{case}" + (f", expected {step.expected}" if step.expected else "")
    return escape(said) if step.ok else f"[red]{escape(said)}[/] {escape(step.message or '')}"


def _show(console: Console, done: VerifyDone) -> None:
    for each in done.findings:
        colour = "red" if each.severity == "error" else "yellow"
        console.print(f"[{colour}]{escape(each.severity)}[/] {escape(each.about)}: {escape(each.message)}")
    if (limit := done.time_limit) is not None:
        console.print(
            f"time limit {limit.current_ms} ms; {limit.suggested_ms} ms would do: {escape(limit.slowest)} "
            f"took {limit.slowest_ms} ms"
        )
    console.print("[green]everything is as it says[/]" if done.ok else "[red]something is wrong[/]")


COMMANDS: Final = (verify,)
