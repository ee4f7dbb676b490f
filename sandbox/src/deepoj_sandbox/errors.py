"""What can go wrong, and whose fault it is.

SandboxError     we broke: the run has no result, the box is destroyed, the caller may try again
BadRequest       the caller asked for something that is refused; nothing was done
Busy             no box is free and the caller did not want to wait longer

A program that misbehaves is none of these: it has a RunResult.
"""

import os


class SandboxError(Exception):
    def __init__(self, step: str, code: int = 0, detail: str = "") -> None:
        self.step = step
        self.code = code
        self.detail = detail
        reason = f": {os.strerror(code)}" if code else ""
        super().__init__(f"{step}{reason}{f' ({detail})' if detail else ''}")


class BadRequest(ValueError):  # noqa: N818 -- named after what it answers, as the protocol does
    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")


class Busy(Exception):  # noqa: N818 -- a state, not a mistake
    pass


class Steps:
    """Remembers what was being done when an error came, so that a report can name it."""

    def __init__(self, first: str) -> None:
        self.current = first

    def now(self, step: str) -> None:
        self.current = step
