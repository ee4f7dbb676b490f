"""`deepoj top`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click
import msgspec
from rich.live import Live

from deepoj.client.api import Api
from deepoj.client.events import follow
from deepoj.client.now_display import picture
from deepoj.client.operator_wire import Now
from deepoj.console import out, print_json, print_json_line
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option

_NOW = "/api/admin/now"
_EVENTS = "/api/admin/events"


@click.command(
    name="top",
    help=help_text(
        "Show how a system is, live, for its admins: what is wrong, how many wait in which lane and band and "
        "for how long, the workers and what they run, the verdicts a minute, stores, processes and dead "
        "letters.\n\n"
        "The server tells of each change; Ctrl-C ends it. Without a terminal it shows the state once.",
        examples=("deepoj top", "deepoj top --once", "deepoj top --json     a line for each change"),
        exits={
            Exit.OK: "ended as asked; with --once: nothing is wrong",
            Exit.FAILED: "with --once: something is wrong, and is named",
            Exit.UNREACHABLE: "the server cannot be reached",
            Exit.NOT_SIGNED_IN: "log in first",
            Exit.REFUSED: "you are no admin",
        },
    ),
)
@click.option("--once", is_flag=True, help="Show the state once and end.")
@server_option
@json_option
def command(*, once: bool, server: str | None, as_json: bool) -> None:
    with connected(server) as api:
        if once or not (as_json or sys.stdout.isatty()):
            sys.exit(_once(api, as_json=as_json))
        try:
            _lines(api) if as_json else _live(api)
        except KeyboardInterrupt:
            sys.exit(Exit.OK)


def _once(api: Api, *, as_json: bool) -> Exit:
    now = api.get(_NOW, Now)
    if as_json:
        print_json(msgspec.to_builtins(now))
    else:
        out().print(picture(now, datetime.now(UTC)))
    return Exit.FAILED if now.sentence_code else Exit.OK


def _lines(api: Api) -> None:
    for event in follow(api, _EVENTS):
        if event.name == "now":
            print_json_line(msgspec.to_builtins(msgspec.json.decode(event.data, type=Now)))


def _live(api: Api) -> None:
    with Live(console=out(), screen=True, auto_refresh=False) as screen:
        for event in follow(api, _EVENTS):
            if event.name == "now":
                now = msgspec.json.decode(event.data, type=Now)
                screen.update(picture(now, datetime.now(UTC)), refresh=True)
