"""`deepoj down`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import click

from deepoj.console import out
from deepoj.errors import Exit, Failure
from deepoj.home import Home, is_running
from deepoj.state import birth_of, read_state
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, home_of

POLL = 0.05


@click.command(
    name="down",
    help=help_text(
        "Stop a running stack and wait until nothing of it is left.",
        examples=("deepoj down",),
        exits={
            Exit.OK: "it stopped",
            Exit.FAILED: "it did not stop in time",
            Exit.NOT_RUNNING: "none was running",
        },
    ),
)
@data_option
@click.option("--timeout", default=90.0, show_default=True, help="Seconds to wait for the end.")
def command(data: Path, timeout: float) -> None:
    home = home_of(data)
    state = read_state(home.state)
    if not is_running(home) or state is None:
        raise Failure(f"no stack runs on {home.root}: start one with deepoj up", Exit.NOT_RUNNING)
    if birth_of(state.pid) == state.birth:
        os.kill(state.pid, signal.SIGTERM)
    with out().status("stopping"):
        _wait(home, timeout)
    out().print("Deep-OJ has stopped.")


def _wait(home: Home, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    while is_running(home):
        if time.monotonic() > deadline:
            raise Failure(
                f"the stack on {home.root} has not stopped after {timeout:.0f} s: look at deepoj status, or "
                "run deepoj down again with a longer --timeout",
                Exit.FAILED,
            )
        time.sleep(POLL)
