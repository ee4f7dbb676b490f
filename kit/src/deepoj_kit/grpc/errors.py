"""Errors that cross a service boundary, and the one table that maps them to status codes.

Exception
├── Refusal       raised by a servicer: what the caller did cannot be done, and why
└── RemoteError   raised by a client: what the other service answered
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final, NoReturn

from grpc import StatusCode
from grpc.aio import AioRpcError

REASON_KEY: Final = "deepoj-reason"
RETRY_AFTER_KEY: Final = "deepoj-retry-after-ms"


class Kind(StrEnum):
    INVALID = "invalid"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    PRECONDITION = "precondition"
    FORBIDDEN = "forbidden"
    UNAUTHENTICATED = "unauthenticated"
    EXHAUSTED = "exhausted"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    INTERNAL = "internal"


STATUS_OF: Final[Mapping[Kind, StatusCode]] = {
    Kind.INVALID: StatusCode.INVALID_ARGUMENT,
    Kind.NOT_FOUND: StatusCode.NOT_FOUND,
    Kind.CONFLICT: StatusCode.ABORTED,
    Kind.PRECONDITION: StatusCode.FAILED_PRECONDITION,
    Kind.FORBIDDEN: StatusCode.PERMISSION_DENIED,
    Kind.UNAUTHENTICATED: StatusCode.UNAUTHENTICATED,
    Kind.EXHAUSTED: StatusCode.RESOURCE_EXHAUSTED,
    Kind.UNAVAILABLE: StatusCode.UNAVAILABLE,
    Kind.TIMEOUT: StatusCode.DEADLINE_EXCEEDED,
    Kind.INTERNAL: StatusCode.INTERNAL,
}
# Codes that only gRPC itself sends.
_FOREIGN: Final = {
    StatusCode.ALREADY_EXISTS: Kind.CONFLICT,
    StatusCode.OUT_OF_RANGE: Kind.INVALID,
    StatusCode.CANCELLED: Kind.UNAVAILABLE,
}
KIND_OF: Final[Mapping[StatusCode, Kind]] = {code: kind for kind, code in STATUS_OF.items()} | _FOREIGN


class _BoundaryError(Exception):
    def __init__(self, kind: Kind, reason: str, message: str, retry_after: timedelta | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.reason = reason
        """Stable and machine-readable, such as `stale_attempt`."""
        self.message = message
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.reason} ({self.kind}): {self.message}"


class Refusal(_BoundaryError):  # noqa: N818 — a refusal is an answer, not a defect
    """Raised by a servicer; its message reaches the caller, so it names no internals."""

    def trailers(self) -> tuple[tuple[str, str], ...]:
        reason = (REASON_KEY, self.reason)
        if self.retry_after is None:
            return (reason,)
        return (reason, (RETRY_AFTER_KEY, str(round(self.retry_after.total_seconds() * 1000))))


class RemoteError(_BoundaryError):
    """What the other service answered, or that it did not."""


def refuse(kind: Kind, reason: str, message: str, *, retry_after: timedelta | None = None) -> NoReturn:
    raise Refusal(kind, reason, message, retry_after)


def remote_error(error: AioRpcError) -> RemoteError:
    """Translate what the library raised; an answer without our reason gets its status code as reason."""
    metadata = error.trailing_metadata() or ()
    reason = _first(metadata, REASON_KEY) or error.code().name.lower()
    milliseconds = _first(metadata, RETRY_AFTER_KEY)
    retry_after = timedelta(milliseconds=int(milliseconds)) if milliseconds.isdigit() else None
    kind = KIND_OF.get(error.code(), Kind.INTERNAL)
    return RemoteError(kind, reason, error.details() or "", retry_after)


def _first(metadata: Iterable[tuple[str, str | bytes]], key: str) -> str:
    return next((value for name, value in metadata if name == key and isinstance(value, str)), "")
