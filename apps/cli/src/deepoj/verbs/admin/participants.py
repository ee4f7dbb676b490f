"""`deepoj admin participants`."""

from __future__ import annotations

import sys
from typing import IO

import click

from deepoj.client.contest_wire import ContestParticipant, ImportedParticipants
from deepoj.client.pages import Page, listed
from deepoj.client.wire import Nothing
from deepoj.errors import Exit
from deepoj.verbs.admin.desk import Desk, confirm, limit_option, noun, subcommand, yes_option
from deepoj.verbs.admin.names import account_id

command = noun(
    "participants",
    "Who takes part in a contest.",
    "deepoj admin participants import 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 names.txt",
    "deepoj admin participants edit 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 ada --kind unofficial",
)
_contest = click.argument("contest", type=click.UUID)
_ID = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"


@subcommand(command, "list", "List who takes part.", f"deepoj admin participants list {_ID}")
@_contest
@click.argument("search", required=False)
@limit_option
def list_participants(desk: Desk, *, contest: object, search: str | None, limit: int) -> None:
    path = f"/api/contests/{contest}/participants"
    found = listed(desk.api, path, Page[ContestParticipant], {"search": search}, limit=limit)
    desk.show(found, "display_name", "kind", "penalty_adjustment_minutes", "user_id", none="nobody")


@subcommand(
    command,
    "import",
    "Sign up the accounts that FILE, or standard input for -, names, one a line; without password or "
    "invitation, until the end of the contest.",
    f"deepoj admin participants import {_ID} names.txt",
    exits={Exit.OK: "all take part", Exit.FAILED: "some do not, and it is told why"},
)
@_contest
@click.argument("file", type=click.File(encoding="utf-8-sig"))
def import_participants(desk: Desk, contest: object, file: IO[str]) -> None:
    names = [line.strip() for line in file if line.strip()]
    path = f"/api/contests/{contest}/participants/import"
    done = desk.api.post(path, ImportedParticipants, {"names": names}, repeatable=True)
    if desk.as_json:
        desk.facts(done)
    else:
        refused = [each for each in done.items if each.refused]
        desk.show(refused, "name", "refused", none="nobody was refused")
        desk.done(f"{done.enrolled} take part, {done.refused} refused")
    sys.exit(Exit.FAILED if done.refused else Exit.OK)


@subcommand(
    command,
    "edit",
    "Change how WHO takes part; what is not named stays.",
    f"deepoj admin participants edit {_ID} ada --kind unofficial",
    f"deepoj admin participants edit {_ID} ada --penalty 20",
)
@_contest
@click.argument("who")
@click.option("--kind", type=click.Choice(["official", "unofficial", "hidden"]))
@click.option("--penalty", type=click.IntRange(-10_080, 10_080), help="Minutes added, or taken away.")
@click.option("--name", help="As the board shows them.")
def edit(
    desk: Desk, *, contest: object, who: str, kind: str | None, penalty: int | None, name: str | None
) -> None:
    path = f"/api/contests/{contest}/participants/{account_id(desk.api, who)}"
    body = {"kind": kind, "penalty_adjustment_minutes": penalty, "display_name": name}
    made = desk.api.change("PATCH", path, ContestParticipant, body)
    desk.done(f"{made.display_name}: {made.kind}, {made.penalty_adjustment_minutes} min of penalty", made)


@subcommand(
    command,
    "remove",
    "Take WHO out of a contest; they cannot sign up again, edit takes them in again.",
    f"deepoj admin participants remove {_ID} mallory",
)
@_contest
@click.argument("who")
@yes_option
def remove(desk: Desk, *, contest: object, who: str, yes: bool) -> None:
    confirm(f"{who} leaves the board and cannot sign up again.", yes=yes)
    path = f"/api/contests/{contest}/participants/{account_id(desk.api, who)}"
    desk.api.change("DELETE", path, Nothing)
    desk.done(f"{who} does not take part")
