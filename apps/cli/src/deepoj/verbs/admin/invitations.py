"""`deepoj admin invitations`."""

from __future__ import annotations

from datetime import datetime

import click

from deepoj.client.account_wire import Invitation
from deepoj.client.pages import Page
from deepoj.client.wire import Nothing
from deepoj.verbs.admin.desk import Desk, noun, subcommand
from deepoj.verbs.admin.moments import MOMENT

_PATH = "/api/admin/invitations"

command = noun(
    "invitations",
    "Codes by which people get in where registration is by invitation.",
    "deepoj admin invitations create --uses 30 --note 'class of 2026'",
    "deepoj admin invitations list",
)


@subcommand(
    command,
    "list",
    "List invitations, the newest first, those that are used up or expired included.",
    "deepoj admin invitations list",
)
def list_invitations(desk: Desk) -> None:
    found = desk.api.get(_PATH, Page[Invitation]).items
    desk.show(found, "code", "uses_left", "expires_at", "note", "created_at", "id", none="there are none")


@subcommand(
    command,
    "create",
    "Make a code that is good for a number of accounts.",
    "deepoj admin invitations create --uses 30 --expires 2026-10-01T00:00:00Z --note 'class of 2026'",
)
@click.option("--uses", type=click.IntRange(1, 10_000), default=1, show_default=True)
@click.option("--expires", type=MOMENT, help="Not good from then on. [default: never]")
@click.option("--note", default="", help="For whom it is.")
def create(desk: Desk, uses: int, expires: datetime | None, note: str) -> None:
    made = desk.api.post(_PATH, Invitation, {"uses": uses, "expires_at": expires, "note": note})
    desk.done(made.code, made)


@subcommand(
    command,
    "revoke",
    "Take an invitation back, by its id. Accounts that were made with it stay.",
    "deepoj admin invitations revoke 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@click.argument("invitation", type=click.UUID)
def revoke(desk: Desk, invitation: object) -> None:
    desk.api.change("DELETE", f"{_PATH}/{invitation}", Nothing)
    desk.done("it is good for nobody")
