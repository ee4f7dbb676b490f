"""How a route asks another service. Each route file declares the calls it makes."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, Protocol, TypeVar

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

A = TypeVar("A", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    service: str
    method: str
    answer: type[A]
    deadline: timedelta | None = None
    """None: the deadline every call has."""


class Nothing(msgspec.Struct, frozen=True):
    """The answer of a call that only succeeds."""


class ServicesPort(Protocol):
    async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
        """Call with the attributes of `body` and the fields named, which win. None leaves a field out."""
        ...

    def stream(
        self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object
    ) -> AsyncIterator[A]: ...

    def exchange(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> AsyncIterator[A]: ...

    async def upload(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> A: ...


# The framework would check each value against its annotation, which costs time and fails with protocols.
Services = NamedDependency[SkipValidation[ServicesPort]]
