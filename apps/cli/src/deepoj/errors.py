"""What can go wrong, as one sentence for a person and one exit code for a program."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_RUNNING = 3
    BUSY = 4
    UNUSABLE = 5
    UNREACHABLE = 6
    NOT_SIGNED_IN = 7
    REFUSED = 8
    LATER = 9
    INTERNAL = 70
    INTERRUPTED = 130


MEANING = {
    Exit.OK: "it worked",
    Exit.FAILED: "it ran and found a failure (a step, a check, a process that did not start)",
    Exit.USAGE: "the command was not understood",
    Exit.NOT_RUNNING: "no stack runs on this data directory",
    Exit.BUSY: "another deepoj up uses this data directory",
    Exit.UNUSABLE: "something on this machine must change first: a port, a directory, a missing program",
    Exit.UNREACHABLE: "a server cannot be reached",
    Exit.NOT_SIGNED_IN: "the server does not know you: deepoj login",
    Exit.REFUSED: "the server understood and refused",
    Exit.LATER: "the server is busy or a part of it is away: try again later",
    Exit.INTERNAL: "a bug in deepoj (DEEPOJ_DEBUG=1 shows where)",
    Exit.INTERRUPTED: "Ctrl-C broke it off (up: a second Ctrl-C killed what had not stopped yet)",
}


class Failure(Exception):  # noqa: N818 — a command ended badly; the name is what the reader sees
    """The message says what happened, why, and what to do."""

    def __init__(self, message: str, code: Exit, reason: str = "") -> None:
        """`reason` is a server's word for the precise cause."""
        super().__init__(message)
        self.code = code
        self.reason = reason
