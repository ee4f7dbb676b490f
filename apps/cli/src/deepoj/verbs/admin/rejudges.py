"""`deepoj admin rejudges`."""

from __future__ import annotations

from uuid import uuid4

import click

from deepoj.client.api import Api
from deepoj.client.contest_wire import BoardEffect
from deepoj.client.judging_wire import (
    AppliedRejudge,
    DiscardedRejudge,
    Rejudge,
    RejudgeCount,
    RejudgeEffect,
    RejudgeState,
    StartedRejudge,
)
from deepoj.client.pages import Page, listed
from deepoj.errors import Exit, Failure
from deepoj.verbs.admin.desk import Desk, confirm, limit_option, noun, reason_option, subcommand, yes_option
from deepoj.verbs.admin.rank_changes import show_changes
from deepoj.verbs.admin.rejudge_progress import follow_rejudge
from deepoj.verbs.admin.selection import Selection, selection_options

_PATH = "/api/admin/rejudges"

command = noun(
    "rejudges",
    "Judge again: start, look at what it would change, then apply or discard it. Nothing shows before that.",
    "deepoj admin rejudges count --problem two-sum --verdict WA",
    "deepoj admin rejudges start --problem two-sum --reason 'wrong test 3' --watch",
    "deepoj admin rejudges apply 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
rejudge_argument = click.argument("rejudge", type=click.UUID)


@subcommand(
    command,
    "count",
    "Count what a rejudge would judge again, by problem and by the tests it was judged with.",
    "deepoj admin rejudges count --contest 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    "deepoj admin rejudges count --problem two-sum --revision 3",
)
@selection_options
def count(desk: Desk, selection: Selection) -> None:
    found = desk.api.post(
        f"{_PATH}/count", RejudgeCount, {"filter": selection.filter(desk.api)}, repeatable=True
    )
    if desk.as_json:
        desk.facts(found)
        return
    columns = ("submissions", "outdated", "problem_id", "problem_revisions", "judge_hash")
    desk.show(found.by_judge_hash, *columns, none="nothing is selected")
    desk.done(f"{found.submissions} submissions")


@subcommand(
    command,
    "start",
    "Judge a selection again, or one submission, without showing it yet. With --watch wait until all are "
    "judged and show what would change.",
    "deepoj admin rejudges start --submission 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    "deepoj admin rejudges start --problem two-sum --verdict WA --reason 'wrong test 3' --watch",
)
@click.option("--submission", type=click.UUID, help="Only this one.")
@selection_options
@reason_option
@click.option("-w", "--watch", is_flag=True, help="Wait until all are judged.")
def start(desk: Desk, *, submission: object, selection: Selection, reason: str, watch: bool) -> None:
    body: dict[str, object] = {"rejudge_id": uuid4(), "reason": reason}
    if submission is not None and not selection.is_empty:
        raise Failure("name either a submission or a selection", Exit.USAGE)
    if submission is None and selection.is_empty:
        raise Failure(
            "that would be every submission there is: name at least a problem or a contest", Exit.USAGE
        )
    body |= {"submission_id": submission} if submission else {"filter": selection.filter(desk.api)}
    started = desk.api.post(_PATH, StartedRejudge, body, repeatable=True)
    if not watch:
        desk.done(
            f"{started.submissions} submissions: deepoj admin rejudges show {started.rejudge_id}", started
        )
        return
    desk.note(f"rejudge {started.rejudge_id}")
    _show(desk, follow_rejudge(desk.api, started.rejudge_id, until=_is_judged))


@subcommand(command, "list", "List rejudges, the latest first.", "deepoj admin rejudges list")
@click.option("--contest", type=click.UUID, help="Of submissions to this contest.")
@limit_option
def list_rejudges(desk: Desk, contest: object, limit: int) -> None:
    params = {"contest_id": str(contest) if contest else None}
    found = listed(desk.api, _PATH, Page[Rejudge], params, limit=limit)
    desk.show(found, "id", "state", "submissions", "started_at", "reason", none="there are none")


@subcommand(
    command,
    "show",
    "Show how far REJUDGE is and what it would change: from which verdict to which, and each submission.",
    "deepoj admin rejudges show 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --watch",
)
@rejudge_argument
@click.option("-w", "--watch", is_flag=True, help="Wait until all are judged.")
@limit_option
def show(desk: Desk, *, rejudge: object, watch: bool, limit: int) -> None:
    if watch:
        follow_rejudge(desk.api, str(rejudge), until=_is_judged)
    state = desk.api.get(f"{_PATH}/{rejudge}", RejudgeState, {"size": "1"})
    _show(desk, state, effects=_effects(desk.api, rejudge, limit))


def _effects(api: Api, rejudge: object, limit: int) -> list[RejudgeEffect]:
    return listed(api, f"{_PATH}/{rejudge}", Page[RejudgeEffect], limit=limit)


def _show(desk: Desk, state: RejudgeState, effects: list[RejudgeEffect] | None = None) -> None:
    if desk.as_json:
        desk.facts(state if effects is None else _with_effects(state, effects))
        return
    desk.done(
        f"{state.state}: judged {state.judged} of {state.submissions}, failed {state.failed}, would change "
        f"{state.changed}, applied {state.applied}, dropped {state.dropped}"
    )
    desk.show(state.matrix, "old", "new", "count", none="no verdict changes")
    if effects:
        columns = ("old_submission_id", "old_verdict", "new_verdict", "old_score", "new_score", "fate")
        desk.show(effects, *columns, none="")


def _with_effects(state: RejudgeState, effects: list[RejudgeEffect]) -> RejudgeState:
    return RejudgeState(
        **{**{name: getattr(state, name) for name in state.__struct_fields__}, "items": tuple(effects)}
    )


@subcommand(
    command,
    "board",
    "Show what REJUDGE would do to the board of CONTEST.",
    "deepoj admin rejudges board 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a12",
)
@click.argument("contest", type=click.UUID)
@rejudge_argument
def board(desk: Desk, contest: object, rejudge: object) -> None:
    effect = desk.api.get(f"/api/contests/{contest}/rejudges/{rejudge}/preview", BoardEffect)
    if desk.as_json:
        desk.facts(effect)
        return
    show_changes(desk, effect.changes)
    desk.done(f"judged {effect.judged} of {effect.submissions}")


@subcommand(
    command,
    "apply",
    "Make REJUDGE count, and wait until it does.",
    "deepoj admin rejudges apply 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@rejudge_argument
@yes_option
def apply(desk: Desk, *, rejudge: object, yes: bool) -> None:
    state = desk.api.get(f"{_PATH}/{rejudge}", RejudgeState, {"size": "1"})
    confirm(f"{state.changed} submissions get another verdict or score.", yes=yes)
    desk.api.change("POST", f"{_PATH}/{rejudge}/apply", AppliedRejudge)
    _show(desk, follow_rejudge(desk.api, str(rejudge), until=lambda now: now.state == "applied"))


@subcommand(
    command,
    "discard",
    "Throw REJUDGE away, and wait until it is gone.",
    "deepoj admin rejudges discard 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@rejudge_argument
@yes_option
def discard(desk: Desk, *, rejudge: object, yes: bool) -> None:
    confirm("What was judged again is thrown away.", yes=yes)
    desk.api.change("POST", f"{_PATH}/{rejudge}/discard", DiscardedRejudge)
    _show(desk, follow_rejudge(desk.api, str(rejudge), until=lambda now: now.state == "discarded"))


def _is_judged(now: RejudgeState) -> bool:
    return now.state != "opening" and now.judged + now.failed >= now.submissions
