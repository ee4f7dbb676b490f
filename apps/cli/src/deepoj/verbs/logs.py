"""`deepoj logs`."""

from __future__ import annotations

import sys
import time
from collections import deque
from pathlib import Path

import click

from deepoj.console import harmless
from deepoj.errors import Exit, Failure
from deepoj.home import Home
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, home_of

POLL = 0.1


@click.command(
    name="logs",
    help=help_text(
        "Show what PROCESS wrote: postgres, redis, s3, or the name of a service.",
        examples=("deepoj logs record", "deepoj logs -f judgement"),
        exits={Exit.OK: "shown", Exit.UNUSABLE: "there is no log of that name"},
    ),
)
@click.argument("process")
@data_option
@click.option("-f", "--follow", is_flag=True, help="Go on showing new lines until Ctrl-C.")
@click.option("-n", "--lines", default=50, show_default=True, help="How many lines from the end; 0 for all.")
def command(process: str, data: Path, *, follow: bool, lines: int) -> None:
    log = _find(home_of(data), process)
    with log.open("rb") as file:
        for line in deque(file, maxlen=lines or None):
            _write(line)
        sys.stdout.flush()
        end = file.tell()
    if follow:
        try:
            _follow(log, end)
        except KeyboardInterrupt:
            return


def _find(home: Home, process: str) -> Path:
    known = sorted(path.stem for path in home.logs.glob("*.log"))
    if process not in known:
        has = f"it has {', '.join(known)}" if known else "it has none yet; start the stack with deepoj up"
        raise Failure(f"{home.logs} has no log of {process!r}: {has}", Exit.UNUSABLE)
    return home.log(process)


def _follow(log: Path, position: int) -> None:
    while True:
        size = log.stat().st_size
        if size < position:
            position = 0  # it was emptied because it had grown too large
        if size > position:
            with log.open("rb") as file:
                file.seek(position)
                for line in file:
                    if line.endswith(b"\n"):
                        _write(line)
                        position += len(line)
            sys.stdout.flush()
        time.sleep(POLL)


def _write(line: bytes) -> None:
    """Logs quote what strangers sent."""
    sys.stdout.write(harmless(line.decode(errors="replace")))
