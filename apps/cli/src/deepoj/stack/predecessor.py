"""What a killed `deepoj up` may have left: children still ending, and files outside its directories."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from deepoj.home import Home
from deepoj.state import ProcessState, birth_of, read_state

PATIENCE = 20.0
POLL = 0.02


def clear_predecessor(home: Home) -> None:
    """Wait for its children to end, since they still hold the data; the caller holds the lock.

    The kernel told them to stop when it died. One that does not listen is killed: its number and start time
    are those that were written down, so it is no other process.
    """
    state = read_state(home.state)
    if state is None:
        return
    deadline = time.monotonic() + PATIENCE
    for process in state.processes:
        while _is_alive(process):
            if time.monotonic() > deadline and process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)
            time.sleep(POLL)
        for path in process.leftovers:
            Path(path).unlink(missing_ok=True)
    home.state.unlink(missing_ok=True)


def _is_alive(process: ProcessState) -> bool:
    return process.pid is not None and process.birth is not None and birth_of(process.pid) == process.birth
