"""`deepoj contest`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from deepoj.client.api import Api
from deepoj.client.board import board_table
from deepoj.client.events import follow
from deepoj.client.wire import Board, Contest, ContestPage, Participant, Row, User, Wire
from deepoj.console import ask_secret, out, print_json, print_json_line
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option

_EXITS: Final = {Exit.OK: "shown", Exit.REFUSED: "there is no such contest, or it is not for you"}
_PAGE: Final = "100"
# Seconds between two boards at least.
_PACE: Final = 1.0


class ContestDetail(Wire, frozen=True):
    contest: Contest


@click.group(
    name="contest",
    help=help_text(
        "Contests and their boards.",
        examples=(
            "deepoj contest list",
            "deepoj contest join 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
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
        words = (each.id, each.title, each.format, each.phase)
        table.add_row(*map(escape, words), *times)
    out().print(table if found else "there are no contests")


@command.command(
    name="join",
    help=help_text(
        "Sign up for CONTEST.\n\n"
        "With --password that of the contest is asked for, or read from standard input when that is not a "
        "terminal.",
        examples=(
            "deepoj contest join 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
            "deepoj contest join 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --name 'The Sorters'",
            "deepoj contest join 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --password < password.txt",
        ),
        exits={**_EXITS, Exit.OK: "signed up", Exit.NOT_SIGNED_IN: "log in first"},
    ),
)
@click.argument("contest")
@click.option("--name", help="Shown on the board. [default: your own]")
@click.option("--password", "has_password", is_flag=True, help="The contest has a password.")
@server_option
@json_option
def join(contest: str, name: str | None, server: str | None, *, has_password: bool, as_json: bool) -> None:
    with connected(server) as api:
        shown = name or api.get("/api/users/me", User).display_name
        password = ask_secret("password of the contest") if has_password else ""
        body = {"display_name": shown, "password": password}
        joined = api.post(f"/api/contests/{contest}/participants", Participant, body)
    if as_json:
        print_json(msgspec.to_builtins(joined))
    else:
        out().print(f"signed up as {joined.display_name}", markup=False)


@command.command(
    name="board",
    help=help_text(
        "Show the scoreboard of CONTEST; with --watch as it changes, until Ctrl-C. With --json as well, each "
        "board is one line.",
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
        if watch:
            _watch(api, contest, view, as_json=as_json)
            return
        rows = list(_rows(api, contest, view))
        if as_json:
            print_json(msgspec.to_builtins(rows))
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


def _watch(api: Api, contest: str, view: str, *, as_json: bool) -> None:
    """One row that changes can move all the others, so each change is followed by a whole new board."""
    showing = nullcontext(_print_line) if as_json else _screen(out(), _format(api, contest))
    try:
        with showing as show:
            for board in _boards(api, contest, view):
                show(board.items)
    except KeyboardInterrupt:
        return


def _print_line(rows: Sequence[Row]) -> None:
    print_json_line(msgspec.to_builtins(rows))


@contextmanager
def _screen(console: Console, contest_format: str) -> Iterator[Callable[[Sequence[Row]], None]]:
    """A table that stays in place on a terminal, one table after the other anywhere else."""
    if not console.is_terminal:
        yield lambda rows: console.print(board_table(rows, contest_format))
        return
    with Live(console=console, auto_refresh=False) as live:
        yield lambda rows: live.update(board_table(rows, contest_format), refresh=True)


def _boards(api: Api, contest: str, view: str) -> Iterator[Board]:
    while True:
        # A stream begins with the board as it is.
        for event in follow(api, f"/api/contests/{contest}/events?view={view}"):
            if event.name == "board":
                yield msgspec.json.decode(event.data, type=Board)
            elif event.name in {"row", "reload"}:
                break
        time.sleep(_PACE)
