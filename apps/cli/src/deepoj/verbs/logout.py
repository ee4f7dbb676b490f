"""`deepoj logout`."""

from __future__ import annotations

import click

from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option


@click.command(
    name="logout",
    help=help_text(
        "End the session on this machine, or with --everywhere all sessions of the account.\n\n"
        "A saved API token is only forgotten: revoke it where it was made.",
        examples=("deepoj logout", "deepoj logout --everywhere"),
        exits={Exit.OK: "logged out, or was not logged in", Exit.UNREACHABLE: "the server cannot be reached"},
    ),
)
@server_option
@click.option("--everywhere", is_flag=True, help="End every session of the account.")
@json_option
def command(server: str | None, *, everywhere: bool, as_json: bool) -> None:
    with connected(server) as api:
        api.log_out(everywhere=everywhere)
    if as_json:
        print_json({"server": api.server, "everywhere": everywhere})
    else:
        out().print(f"logged out of {api.server}", markup=False)
