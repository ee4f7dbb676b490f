"""`deepoj admin contests`: a board that is built again from the records, and work under way."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import click
import httpx
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from deepoj.client.api import Api
from deepoj.client.contest_wire import RecomputeDone, RecomputeProgress, Work
from deepoj.client.pages import Page, listed
from deepoj.client.refusals import failure_of, unreachable
from deepoj.client.wire import Problem, Wire
from deepoj.console import err
from deepoj.errors import Exit, Failure
from deepoj.verbs.admin.desk import Desk, limit_option, single
from deepoj.verbs.admin.names import account_id
from deepoj.verbs.admin.rank_changes import show_changes

_contest = click.argument("contest", type=click.UUID)


class RecomputeEvent(Wire, frozen=True):
    progress: RecomputeProgress | None = None
    done: RecomputeDone | None = None
    error: Problem | None = None


@single(
    "recompute",
    "Build the board of CONTEST anew from the records, and put it in place: the proof that the board is "
    "right, or what makes it right. Safe at any time; breaking it off here does not stop it.",
    "deepoj admin contests recompute 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    "deepoj admin contests recompute 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --account ada",
    exits={Exit.OK: "the board was right", Exit.FAILED: "it was not, and is now"},
)
@_contest
@click.option("--account", help="Only the row of this participant.")
def recompute(desk: Desk, contest: object, account: str | None) -> None:
    params = {"user_id": account_id(desk.api, account)} if account else {}
    done = _followed(desk.api, f"/api/contests/{contest}/recompute", params)
    if desk.as_json:
        desk.facts(done)
    else:
        show_changes(desk, done.changes)
        desk.done(
            f"read {done.submissions} submissions; rows changed: {done.rows_changed}; submissions that the "
            f"board did not know rightly: {done.submissions_corrected}"
        )
    sys.exit(Exit.FAILED if done.rows_changed or done.submissions_corrected else Exit.OK)


def _followed(api: Api, path: str, params: dict[str, str]) -> RecomputeDone:
    console, headers = err(), {"accept": "application/x-ndjson"}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    try:
        with (
            Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
            api.stream("POST", path, headers=headers, params=params) as answer,
        ):
            task = progress.add_task("recompute", total=None)
            for event in _events(answer.iter_lines()):
                if event.error is not None:
                    raise failure_of(event.error)
                if event.done is not None:
                    return event.done
                if event.progress is not None:
                    work = event.progress.work
                    progress.update(
                        task, description=work.state, completed=work.done, total=work.total or None
                    )
    except httpx.TransportError as error:
        raise unreachable(api.server, error) from error
    raise Failure("its end was not told; deepoj admin contests work shows how far it is", Exit.FAILED)


def _events(lines: Iterator[str]) -> Iterator[RecomputeEvent]:
    for line in lines:
        yield msgspec.json.decode(line, type=RecomputeEvent)


@single(
    "work",
    "Show the work on the board of CONTEST, the latest first, or one of it: recomputes, and rulings from "
    "which very many scores follow.",
    "deepoj admin contests work 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    "deepoj admin contests work 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a12",
)
@_contest
@click.argument("work", type=click.UUID, required=False)
@limit_option
def work(desk: Desk, contest: object, work: object, limit: int) -> None:
    path = f"/api/contests/{contest}/work"
    if work is not None:
        desk.facts(desk.api.get(f"{path}/{work}", Work))
        return
    found = listed(desk.api, path, Page[Work], limit=limit)
    desk.show(
        found, "id", "kind", "state", "done", "total", "asked_at", "reason", "error", none="there was none"
    )


COMMANDS: Final = (recompute, work)
