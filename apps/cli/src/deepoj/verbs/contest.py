"""`deepoj contest`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click
import msgspec
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from deepoj.client.api import Api
from deepoj.client.board import board_table
from deepoj.client.events import follow
from deepoj.client.wire import Board, Contest, ContestPage, Row, Wire
from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option

_EXITS: Final = {Exit.OK: "shown", Exit.REFUSED: "there is no such contest, or it is not for you"}
_PAGE: Final = "100"


class ContestDetail(Wire, frozen=True):
    contest: Contest


@click.group(
    name="contest",
    help=help_text(
        "Contests and their boards.",
        examples=(
            "deepoj contest list",
            "deepoj contest board 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --watch",
        ),
        exits=_EXITS,
    ),
)
def command() -> None:
    pass


@command.command(
    name="list",
    help=help_text(
        "List contests.", examples=("deepoj contest list", "deepoj contest list --json"), exits=_EXITS
    ),
)
@server_option
@json_option
def list_contests(server: str | None, *, as_json: bool) -> None:
    with connected(server) as api:
        found = api.get("/api/contests", ContestPage, {"size": _PAGE}).items
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("contest", "title", "format", "phase", "starts", "ends"):
        table.add_column(heading)
    for each in found:
        times = (f"{moment:%Y-%m-%d %H:%M}" for moment in (each.schedule.starts_at, each.schedule.ends_at))
        table.add_row(each.id, escape(each.title), each.format, each.phase, *times)
    out().print(table if found else "there are no contests")


@command.command(
    name="board",
    help=help_text(
        "Show the scoreboard of CONTEST; with --watch as it changes, until Ctrl-C.",
        examples=(
            "deepoj contest board 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
            "deepoj contest board 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --watch --view own",
        ),
        exits=_EXITS,
    ),
)
@click.argument("contest")
@click.option(
    "--view",
    type=click.Choice(["public", "frozen", "own", "admin"]),
    default="public",
    show_default=True,
    help="`own` shows your row unfrozen, `admin` everything, to the staff.",
)
@click.option("-w", "--watch", is_flag=True, help="Go on showing changes.")
@server_option
@json_option
def board(contest: str, view: str, server: str | None, *, watch: bool, as_json: bool) -> None:
    with connected(server) as api:
        rows = list(_rows(api, contest, view))
        if as_json:
            print_json(msgspec.to_builtins(rows))
        elif watch:
            _watch(api, contest, view)
        else:
            out().print(board_table(rows, _format(api, contest)))


def _rows(api: Api, contest: str, view: str) -> Iterator[Row]:
    cursor: str | None = None
    while True:
        params = {"view": view, "size": _PAGE, "cursor": cursor}
        page = api.get(f"/api/contests/{contest}/scoreboard", Board, params)
        yield from page.items
        cursor = page.page.next_cursor
        if cursor is None:
            return


def _format(api: Api, contest: str) -> str:
    return api.get(f"/api/contests/{contest}", ContestDetail).contest.format


def _watch(api: Api, contest: str, view: str) -> None:
    """Read the board anew at each change: an event may be about one row and move all of them."""
    console, contest_format = out(), _format(api, contest)
    shown = board_table([], contest_format)
    changes = follow(api, f"/api/contests/{contest}/events?view={view}")
    try:
        with Live(shown, console=console, auto_refresh=False, transient=False) as live:
            for event in changes:
                if event.name in {"board", "row", "reload"}:
                    rows = list(_rows(api, contest, view))
                    live.update(board_table(rows, contest_format), refresh=True)
                    if not console.is_terminal:
                        console.print(board_table(rows, contest_format))
    except KeyboardInterrupt:
        return
