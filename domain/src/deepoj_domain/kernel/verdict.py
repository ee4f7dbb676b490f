"""Two verdicts that must never be mixed up: what the sandbox saw, and what the contestant is told."""

from enum import StrEnum


class SandboxVerdict(StrEnum):
    """How one run ended. `OK` says nothing about the answer being right."""

    OK = "OK"
    TIME_LIMIT = "TLE"
    MEMORY_LIMIT = "MLE"
    OUTPUT_LIMIT = "OLE"
    RUNTIME_ERROR = "RE"
    SYSTEM_ERROR = "SE"


class Verdict(StrEnum):
    """The final word on a case or on a submission."""

    ACCEPTED = "AC"
    WRONG_ANSWER = "WA"
    PRESENTATION_ERROR = "PE"
    TIME_LIMIT = "TLE"
    MEMORY_LIMIT = "MLE"
    OUTPUT_LIMIT = "OLE"
    RUNTIME_ERROR = "RE"
    COMPILE_ERROR = "CE"
    SYSTEM_ERROR = "SE"
