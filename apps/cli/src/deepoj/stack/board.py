"""The status of the stack for a person: a table that stays in place on a terminal, lines anywhere else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from deepoj.state import Phase, ProcessState, StackState, State

STYLES = {
    State.WAITING: "dim",
    State.STARTING: "yellow",
    State.READY: "green",
    State.NOT_READY: "yellow",
    State.BACK_OFF: "red",
    State.STOPPING: "yellow",
    State.STOPPED: "dim",
}


class Board(Protocol):
    def show(self, state: StackState) -> None: ...

    def say(self, sentence: str) -> None: ...


class Lines:
    """Print what changed, one line each."""

    def __init__(self) -> None:
        self._shown: dict[str, tuple[State, int]] = {}

    def show(self, state: StackState) -> None:
        for process in state.processes:
            now = (process.state, process.restarts)
            if self._shown.get(process.name, (State.WAITING, 0)) != now:
                self._shown[process.name] = now
                self.say(_line(process))

    def say(self, sentence: str) -> None:
        try:
            sys.stdout.write(f"{sentence}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader went away; the stack stays. What is still buffered would fail again at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class LiveTable:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._state: StackState | None = None

    def show(self, state: StackState) -> None:
        self._state = state

    def say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False)

    def render(self) -> Group:
        return picture_of(self._state) if self._state is not None else Group()


@contextmanager
def open_board(console: Console) -> Iterator[Board]:
    if not console.is_terminal:
        yield Lines()
        return
    board = LiveTable(console)
    with Live(get_renderable=board.render, console=console, refresh_per_second=4):
        yield board


def picture_of(state: StackState) -> Group:
    table = Table(box=None, pad_edge=False)
    for heading in ("process", "state"):
        table.add_column(heading)
    for heading in ("pid", "restarts", "uptime"):
        table.add_column(heading, justify="right")
    table.add_column("last stop", overflow="ellipsis", no_wrap=True)
    for process in state.processes:
        table.add_row(
            process.name,
            f"[{STYLES[process.state]}]{process.state}[/]",
            "" if process.pid is None else str(process.pid),
            str(process.restarts),
            uptime(process, time.time()),
            escape(process.reason),
        )
    # Above the table and not its title, which would be wrapped to the table's width.
    notices = (Text(notice, style="yellow") for notice in state.notices)
    return Group(Text(_title(state), style="bold"), *notices, table)


def uptime(process: ProcessState, now: float) -> str:
    if process.since is None:
        return ""
    minutes, seconds = divmod(max(0, int(now - process.since)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def _title(state: StackState) -> str:
    match state.phase:
        case Phase.STARTING:
            return "Deep-OJ is starting"
        case Phase.READY:
            return f"Deep-OJ is ready: {state.url} — Ctrl-C stops it"
        case Phase.STOPPING:
            return "Deep-OJ is stopping — Ctrl-C again kills what is left"


def _line(process: ProcessState) -> str:
    parts = [f"{process.name}: {process.state}"]
    if process.pid is not None:
        parts.append(f"pid {process.pid}")
    if process.restarts:
        parts.append(f"restarts {process.restarts}")
    if process.state is State.BACK_OFF:
        parts.append(process.reason)
    return ", ".join(parts)
