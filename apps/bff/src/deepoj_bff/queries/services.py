"""The port to the other services: a call names a method and the view its answer becomes.

Each file declares the calls it makes as constants; all of them are checked against the contract at the start.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic, Protocol, TypeVar

import msgspec

A = TypeVar("A", bound=msgspec.Struct)
LONG: Final = timedelta(minutes=10)
"""For calls that move whole packages or rebuild a contest."""


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    service: str
    method: str
    answer: type[A]
    deadline: timedelta | None = None
    """None: the deadline every call has."""


class Nothing(msgspec.Struct, frozen=True):
    """The answer of a call that only succeeds."""


class Page(msgspec.Struct, frozen=True):
    """Which page is asked for."""

    size: int | None
    cursor: str | None


class Services(Protocol):
    async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
        """Call with the attributes of `body` and the fields named, which win. None leaves a field out."""
        ...

    async def find(self, call: Call[A], /, **fields: object) -> A | None:
        """Call; return None when the service refuses because there is nothing for this actor to see."""
        ...

    async def attempt(self, call: Call[A], /, **fields: object) -> A | None:
        """Call; return None when the service cannot answer now."""
        ...

    def stream(
        self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object
    ) -> AsyncIterator[A]:
        """Yield each answer of a method that streams them."""
        ...

    def exchange(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> AsyncIterator[A]:
        """Send each request as it comes, and yield each answer."""
        ...

    async def upload(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> A:
        """Send each request as it comes; return the one answer."""
        ...


def declared_calls() -> Iterator[Call[msgspec.Struct]]:
    """Yield the calls that the modules of this service declare, as far as they are imported."""
    package = __name__.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package:
            yield from (value for value in vars(module).values() if isinstance(value, Call))
