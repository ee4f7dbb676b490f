"""`deepoj admin sessions`."""

from __future__ import annotations

import click

from deepoj.client.account_wire import OpenSession
from deepoj.client.pages import Page
from deepoj.client.wire import Nothing
from deepoj.verbs.admin.desk import Desk, noun, subcommand

_PATH = "/api/users/me/sessions"

command = noun(
    "sessions",
    "Your own sessions. Those of others end with a new password or a suspension (deepoj admin accounts).",
    "deepoj admin sessions list",
)


@subcommand(command, "list", "List them, the one used last first.", "deepoj admin sessions list")
def list_sessions(desk: Desk) -> None:
    found = desk.api.get(_PATH, Page[OpenSession]).items
    columns = ("current", "last_used_at", "created_at", "address", "user_agent", "id")
    desk.show(found, *columns, none="there are none")


@subcommand(
    command,
    "end",
    "End one; its access token stays good for the few minutes it has left.",
    "deepoj admin sessions end 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
)
@click.argument("session", type=click.UUID)
def end(desk: Desk, session: object) -> None:
    desk.api.change("DELETE", f"{_PATH}/{session}", Nothing)
    desk.done("it is over")
