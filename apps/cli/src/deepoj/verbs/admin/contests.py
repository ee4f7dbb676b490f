"""`deepoj admin contests`: plans and the end; rulings are beside this file."""

from __future__ import annotations

import sys
from typing import IO

import click

from deepoj.client.contest_wire import LoggedSubmission, PlannedContest
from deepoj.client.pages import Page
from deepoj.client.wire import Nothing
from deepoj.console import print_json
from deepoj.errors import Exit
from deepoj.verbs.admin import contest_rulings, contest_work
from deepoj.verbs.admin.desk import Desk, confirm, noun, reason_option, subcommand, yes_option
from deepoj.verbs.admin.documents import ContestAnswer, changed, document, draft_of

_PATH = "/api/contests"

command = noun(
    "contests",
    "Plan contests, rule on them, finish them. CONTEST is an id: deepoj contest list.",
    "deepoj admin contests create plan.json",
    "deepoj admin contests extend 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 15m --dry-run",
    "deepoj admin contests blockers 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
for each in (*contest_rulings.COMMANDS, *contest_work.COMMANDS):
    command.add_command(each)
contest_argument = click.argument("contest", type=click.UUID)


@subcommand(
    command,
    "create",
    "Plan the contest that FILE, or standard input for -, describes as JSON (ContestDraft of the API).",
    "deepoj admin contests create plan.json",
)
@click.argument("file", type=click.File())
def create(desk: Desk, file: IO[str]) -> None:
    made = desk.api.post(_PATH, PlannedContest, document(file))
    desk.done(f"planned {made.title}: {made.id}", made)


@subcommand(
    command,
    "draft",
    "Show the plan of CONTEST as JSON, as create and edit take it.",
    "deepoj admin contests draft 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 > plan.json",
)
@contest_argument
def draft(desk: Desk, contest: object) -> None:
    print_json(draft_of(desk.api.get(f"{_PATH}/{contest}", ContestAnswer).contest))


@subcommand(
    command,
    "edit",
    "Change the plan of CONTEST by the JSON in FILE, or standard input for -; what it does not name stays. "
    "With --plan-version it is refused if somebody has changed the contest since.",
    """deepoj admin contests edit 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 - <<< '{"title": "Finals"}'""",
)
@contest_argument
@click.argument("file", type=click.File())
@click.option("--plan-version", type=click.IntRange(0), help="As it was read. [default: the newest]")
def edit(desk: Desk, *, contest: object, file: IO[str], plan_version: int | None) -> None:
    given = document(file)
    found = desk.api.get(f"{_PATH}/{contest}", ContestAnswer).contest
    version = found["version"] if plan_version is None else plan_version
    body = {"version": version, "draft": changed(draft_of(found), given)}
    made = desk.api.change("PUT", f"{_PATH}/{contest}", PlannedContest, body)
    desk.done(f"changed {made.title}, version {made.version}", made)


@subcommand(
    command, "delete", "Delete CONTEST.", "deepoj admin contests delete 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
)
@contest_argument
@yes_option
def delete(desk: Desk, *, contest: object, yes: bool) -> None:
    found = desk.api.get(f"{_PATH}/{contest}", ContestAnswer).contest
    confirm(f"{found['title']} is deleted.", yes=yes)
    desk.api.change("DELETE", f"{_PATH}/{contest}", Nothing, params={"version": str(found["version"])})
    desk.done("it is deleted")


@subcommand(
    command,
    "unfreeze",
    "Show everybody the full board, after the end.",
    "deepoj admin contests unfreeze 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@contest_argument
@yes_option
def unfreeze(desk: Desk, *, contest: object, yes: bool) -> None:
    confirm("Everybody sees the full board from then on.", yes=yes)
    made = desk.api.change("POST", f"{_PATH}/{contest}/unfreeze", PlannedContest)
    desk.done(f"everybody sees the board of {made.title}", made)


@subcommand(
    command,
    "blockers",
    "Show the submissions without a verdict that hold back the official result, the oldest first. Wait for "
    "them, replay those that died (deepoj admin dead-letters), or leave them out (ignore).",
    "deepoj admin contests blockers 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    exits={Exit.OK: "nothing holds it back", Exit.FAILED: "something does, and is named"},
)
@contest_argument
def blockers(desk: Desk, contest: object) -> None:
    found = desk.api.get(f"{_PATH}/{contest}/undecided", Page[LoggedSubmission]).items
    columns = ("submission_id", "display_name", "label", "submitted_at")
    desk.show(found, *columns, none="nothing holds the result back")
    sys.exit(Exit.FAILED if found else Exit.OK)


@subcommand(
    command,
    "finalize",
    "Make the result of CONTEST official; refused while something holds it back (blockers).",
    "deepoj admin contests finalize 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@contest_argument
def finalize(desk: Desk, contest: object) -> None:
    made = desk.api.change("POST", f"{_PATH}/{contest}/finalize", PlannedContest)
    desk.done(f"the result of {made.title} is official", made)


@subcommand(
    command,
    "reopen",
    "Make the result of CONTEST unofficial again; its board is recomputed.",
    "deepoj admin contests reopen 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --reason 'appeal'",
)
@contest_argument
@reason_option
def reopen(desk: Desk, contest: object, reason: str) -> None:
    made = desk.api.change("POST", f"{_PATH}/{contest}/reopen", PlannedContest, {"reason": reason})
    desk.done(f"the result of {made.title} is not official", made)
