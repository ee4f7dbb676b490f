"""`deepoj whoami`."""

from __future__ import annotations

import click
import msgspec

from deepoj.client.wire import User
from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option


@click.command(
    name="whoami",
    help=help_text(
        "Show who the server takes you for.",
        examples=("deepoj whoami", "deepoj whoami --json"),
        exits={Exit.OK: "shown", Exit.NOT_SIGNED_IN: "nobody: log in first"},
    ),
)
@server_option
@json_option
def command(server: str | None, *, as_json: bool) -> None:
    with connected(server) as api:
        user = api.get("/api/users/me", User)
        if as_json:
            print_json({"server": api.server, **msgspec.to_builtins(user)})
        else:
            out().print(f"{user.name} ({user.role}) on {api.server}", markup=False)
