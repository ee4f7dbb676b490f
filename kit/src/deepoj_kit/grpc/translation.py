"""What every service says alike when it refuses a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar

from deepoj_kit.grpc.errors import Kind, Refusal, refuse
from deepoj_kit.unavailable import Unavailable

T = TypeVar("T")
Translate = Callable[[Exception], Refusal | None]
STORE_UNAVAILABLE: Final = Refusal(Kind.UNAVAILABLE, "store_unavailable", "the database is not available")


class _Coded(Protocol):
    """An exception for input that makes no sense; its text is for people."""

    code: str


def translated(
    error: Exception, invalid: type[_Coded], told: Mapping[type[Exception], Refusal]
) -> Refusal | None:
    """Return the refusal an application's own exception becomes; a store that is away is known to all."""
    if isinstance(error, invalid):
        return Refusal(Kind.INVALID, error.code, str(error))
    known = (refusal for kind, refusal in told.items() if isinstance(error, kind))
    return next(known, STORE_UNAVAILABLE if isinstance(error, Unavailable) else None)


def signed_in(actor: T | None) -> T:
    """Refuse a guest."""
    if actor is None:
        refuse(Kind.FORBIDDEN, "sign_in_required", "guests may not do this")
    return actor
