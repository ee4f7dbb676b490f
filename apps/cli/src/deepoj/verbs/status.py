"""`deepoj status`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from deepoj.console import out, print_json
from deepoj.errors import Exit, Failure
from deepoj.home import is_running
from deepoj.stack.board import picture_of
from deepoj.state import Phase, read_state
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, home_of, json_option


@click.command(
    name="status",
    help=help_text(
        "Show the processes of a running stack.",
        examples=("deepoj status", "deepoj status --json"),
        exits={
            Exit.OK: "everything is ready",
            Exit.FAILED: "something is not",
            Exit.NOT_RUNNING: "no stack runs on this data directory",
        },
    ),
)
@data_option
@json_option
def command(data: Path, *, as_json: bool) -> None:
    home = home_of(data)
    state = read_state(home.state) if is_running(home) else None
    if state is None:
        raise Failure(f"no stack runs on {home.root}: start one with deepoj up", Exit.NOT_RUNNING)
    if as_json:
        print_json(asdict(state))
    else:
        out().print(picture_of(state))
    ready = state.phase is Phase.READY and all(process.state == "ready" for process in state.processes)
    sys.exit(Exit.OK if ready else Exit.FAILED)
