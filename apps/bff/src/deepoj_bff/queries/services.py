"""The port to the other services: a call names a method and the view its answer becomes.

Each file declares the calls it makes as constants; all of them are checked against the contract at the start,
with the structs that they send and the one that they answer.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
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
    body: type[msgspec.Struct] | None = None
    """What may be sent with it; its attributes are fields of the request."""
    parts: Mapping[str, type[msgspec.Struct]] = field(default_factory=dict, compare=False)
    """Fields of the request that are structs, beside the `SHARED` ones."""

    def require_declared(self, body: msgspec.Struct | None, fields: Mapping[str, object]) -> None:
        """Raise for a struct that nobody has compared with the request."""
        declared = {**SHARED, **self.parts}
        for name, value in fields.items():
            if isinstance(value, msgspec.Struct) and type(value) is not declared.get(name):
                raise TypeError(f"{self.method} does not declare {type(value).__name__} for {name}")
        if body is not None and type(body) is not self.body:
            raise TypeError(f"{self.method} does not declare the body {type(body).__name__}")


class Nothing(msgspec.Struct, frozen=True):
    """The answer of a call that only succeeds."""


class Page(msgspec.Struct, frozen=True):
    """Which page is asked for."""

    size: int | None
    cursor: str | None


class Origin(msgspec.Struct, frozen=True):
    """Where a call came from, for throttling and the audit log."""

    address: str
    user_agent: str


SHARED: Final[Mapping[str, type[msgspec.Struct]]] = {"page": Page, "origin": Origin}
"""Fields that mean the same in every request."""


class Services(Protocol):
    async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
        """Call with the attributes of `body` and the fields named, which win. None leaves a field out."""
        ...

    async def find(self, call: Call[A], /, **fields: object) -> A | None:
        """Call; return None when the service refuses because there is nothing for this actor to see."""
        ...

    async def optional(self, call: Call[A], /, **fields: object) -> A | None:
        """Call for what an answer can do without; return None when the service refuses or does not answer."""
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
