"""Why a setter's command cannot be carried out. None of it is about a solution being wrong."""

from enum import StrEnum


class Reason(StrEnum):
    PACKAGE = "package"
    """It was refused, and the sentence says why."""
    MISSING = "missing"
    SOLUTION = "solution"
    TARGET = "target"
    """What should be written is there already."""
    NO_MATCH = "no_match"
    """A filter leaves nothing."""
    UNKNOWN_LANGUAGE = "unknown_language"
    NOT_INSTALLED = "not_installed"
    SANDBOX = "sandbox"
    DIRECTORY = "directory"
    """The one for our own files is not ours, or cannot be written to."""


class SetterFailedError(Exception):
    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
