"""On a terminal the stack shows one table that stays in place."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

from apps.cli.tests.up_process import PATIENCE, own_environ

PROGRAM = Path(__file__).with_name("toy_stack.py")


def _read_until(descriptor: int, text: bytes) -> bytes:
    seen = b""
    while text not in seen:
        readable, _, _ = select.select([descriptor], [], [], PATIENCE)
        assert readable, seen.decode()
        seen += os.read(descriptor, 65536)
    return seen


def test_a_terminal_gets_a_live_table_and_ctrl_c_stops_the_stack(
    new_data: Path, external: dict[str, str]
) -> None:
    ours, theirs = pty.openpty()
    environ = own_environ() | external | {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    # A session with this terminal as its own, so that ^C typed into it becomes a signal.
    up = subprocess.Popen(
        ["setsid", "--ctty", "--wait", sys.executable, str(PROGRAM), str(new_data)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ,
    )
    os.close(theirs)
    try:
        screen = _read_until(ours, b"Ctrl-C stops it")
        assert b"restarts" in screen
        assert b"\x1b[" in screen
        os.write(ours, b"\x03")
        _read_until(ours, b"Deep-OJ is stopping")
        assert up.wait(timeout=PATIENCE) == 0
    finally:
        if up.poll() is None:
            up.send_signal(signal.SIGTERM)
            up.wait()
        os.close(ours)
