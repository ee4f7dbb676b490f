"""`deepoj admin contests`: rulings, each with a dry run that tells what it would do to the board."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import click

from deepoj.client.contest_wire import LoggedSubmission, PlannedContest, Ruling, RulingPreview
from deepoj.client.pages import Page, listed
from deepoj.client.wire import Nothing
from deepoj.verbs.admin.desk import Desk, dry_run_option, limit_option, reason_option, single
from deepoj.verbs.admin.moments import LENGTH_MS, MOMENT
from deepoj.verbs.admin.rank_changes import show_preview

_DRY: Final = {"dry_run": "true"}
_contest = click.argument("contest", type=click.UUID)


@single(
    "extend",
    "Move freeze and end of CONTEST by LENGTH; once the board is frozen, the end only.",
    "deepoj admin contests extend 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 15m --reason 'late start' --dry-run",
)
@_contest
@click.argument("length", type=LENGTH_MS)
@reason_option
@dry_run_option
def extend(desk: Desk, *, contest: object, length: int, reason: str, dry_run: bool) -> None:
    body = {"by_ms": length, "reason": reason}
    _rule(desk, "POST", f"{contest}/extend", body, dry_run=dry_run)


def _interval(name: str, does: str, path: str) -> click.Command:
    example = (
        "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 2026-10-01T18:30:00Z 2026-10-01T18:42:00Z --reason 'power'"
    )

    @single(name, does, f"deepoj admin contests {name} {example}")
    @_contest
    @click.argument("start", type=MOMENT)
    @click.argument("end", type=MOMENT)
    @reason_option
    @dry_run_option
    def ruling(
        desk: Desk, *, contest: object, start: datetime, end: datetime, reason: str, dry_run: bool
    ) -> None:
        body = {"interval": {"from": start, "before": end}, "reason": reason}
        _rule(desk, "POST", f"{contest}/{path}", body, dry_run=dry_run)

    return ruling


remove_interval = _interval(
    "remove-interval",
    "Take out of CONTEST the time from START to END: its clock stands still in it. The end stays where it "
    "is: extend gives the time back.",
    "removed-intervals",
)
restore_interval = _interval(
    "restore-interval", "Let a time count again that was taken out of CONTEST.", "restored-intervals"
)


@single(
    "ignore",
    "Leave SUBMISSION out of the board of CONTEST, or with --undo take it in again.",
    "deepoj admin contests ignore 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a12",
)
@_contest
@click.argument("submission", type=click.UUID)
@click.option("--undo", is_flag=True, help="Take it in again.")
@reason_option
@dry_run_option
def ignore(
    desk: Desk, *, contest: object, submission: object, undo: bool, reason: str, dry_run: bool
) -> None:
    path, body = f"{contest}/submissions/{submission}/ignored", {"ignored": not undo, "reason": reason}
    if dry_run:
        _rule(desk, "PUT", path, body, dry_run=True)
        return
    desk.api.change("PUT", f"/api/contests/{path}", Nothing, body)
    desk.done("it counts again" if undo else "it does not count")


def _rule(desk: Desk, method: str, path: str, body: object, *, dry_run: bool) -> None:
    if dry_run:
        show_preview(desk, desk.api.change(method, f"/api/contests/{path}", RulingPreview, body, params=_DRY))
        return
    made = desk.api.change(method, f"/api/contests/{path}", PlannedContest, body)
    desk.done(f"it is so in {made.title}", made)


@single(
    "rulings",
    "Show who ruled what in CONTEST, when and why, the latest first.",
    "deepoj admin contests rulings 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@_contest
@limit_option
def rulings(desk: Desk, contest: object, limit: int) -> None:
    found = listed(desk.api, f"/api/contests/{contest}/rulings", Page[Ruling], limit=limit)
    desk.show(found, "at", "by", "action", "reason", "details", none="nothing was ruled")


@single(
    "ignored",
    "Show the submissions that were left out of the board of CONTEST.",
    "deepoj admin contests ignored 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@_contest
def ignored(desk: Desk, contest: object) -> None:
    found = desk.api.get(f"/api/contests/{contest}/ignored", Page[LoggedSubmission]).items
    desk.show(found, "submission_id", "display_name", "label", "submitted_at", none="all of them count")


COMMANDS: Final = (extend, remove_interval, restore_interval, ignore, rulings, ignored)
