"""Errors that cross a service boundary, and the one table that maps them to status codes.

Exception
├── Refusal       raised by a servicer: what the caller did cannot be done, and why
└── RemoteError   raised by a client: what the other service answered
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final, NoReturn, Protocol, TypeVar

from grpc import StatusCode
from grpc.aio import AioRpcError

from deepoj_kit.unavailable import Unavailable

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
_TLS_SENTENCES: Final = {
    "certificate has expired": "the certificate of the service has ended: renew its tls_certificate",
    "CERTIFICATE_VERIFY_FAILED": "the certificate of the service is from no authority of tls_ca",
    "Hostname Verification Check failed": "the certificate of the service is not for this address",
    "last error: .*Socket closed": "the service hung up at once: both sides need the same tls, and "
    "our tls_certificate an authority that it trusts and an end that is to come",
    "WRONG_VERSION_NUMBER": "the service does not speak TLS: set its tls, or ours to off",
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


def remote_error(error: AioRpcError, peer: str = "") -> RemoteError:
    """Translate what the library raised.

    What came without a reason of ours has who did not answer as reason, where that has a name, and its
    status code elsewhere.
    """
    metadata = error.trailing_metadata() or ()
    away = peer and error.code() in {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED}
    nameless = f"{peer}_unavailable" if away else error.code().name.lower()
    reason = _first(metadata, REASON_KEY) or nameless
    milliseconds = _first(metadata, RETRY_AFTER_KEY)
    retry_after = timedelta(milliseconds=int(milliseconds)) if milliseconds.isdigit() else None
    kind = KIND_OF.get(error.code(), Kind.INTERNAL)
    return RemoteError(kind, reason, _sentence(error.details() or ""), retry_after)


def _sentence(details: str) -> str:
    """Say what a library means that could not agree on TLS; everything else is said as it is."""
    told = next((sentence for sign, sentence in _TLS_SENTENCES.items() if re.search(sign, details)), None)
    return details if told is None else f"{told} ({details})"


def _first(metadata: Iterable[tuple[str, str | bytes]], key: str) -> str:
    return next((value for name, value in metadata if name == key and isinstance(value, str)), "")


T = TypeVar("T")
Translate = Callable[[Exception], Refusal | None]
STORE_UNAVAILABLE: Final = Refusal(Kind.UNAVAILABLE, "store_unavailable", "the database is not available")


class _Coded(Protocol):
    """An exception for input that makes no sense; its text is for people."""

    code: str


class Translation:
    """How an application's own exceptions become refusals; a store that is away is known to all."""

    def __init__(self, invalid: type[_Coded], told: Mapping[type[Exception], Refusal]) -> None:
        self._invalid = invalid
        self._told: dict[type[Exception], Refusal] = {Unavailable: STORE_UNAVAILABLE, **told}

    def __call__(self, error: Exception) -> Refusal | None:
        if isinstance(error, self._invalid):
            return Refusal(Kind.INVALID, error.code, str(error))
        return next((refusal for kind, refusal in self._told.items() if isinstance(error, kind)), None)


def signed_in(actor: T | None) -> T:
    """Refuse a guest."""
    if actor is None:
        refuse(Kind.FORBIDDEN, "sign_in_required", "guests may not do this")
    return actor
