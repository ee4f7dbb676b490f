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
