"""Two ways to fail that are exceptions. A refused command is neither: it is a returned `Refused`.

DomainError
├── InvalidValueError      input that cannot become a value (decoded at the edge, mapped once at inbound)
└── BrokenInvariantError   a state our own code must never build; a bug or a corrupted row
"""


class DomainError(Exception):
    pass


class InvalidValueError(DomainError, ValueError):
    """`code` is stable and machine-readable; the message is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class BrokenInvariantError(DomainError, AssertionError):
    pass
