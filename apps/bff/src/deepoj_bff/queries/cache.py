"""Answers in JSON that are kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Protocol

import msgspec

encode: Final = msgspec.json.Encoder().encode


def etag_of(body: bytes) -> str:
    return f'"{blake2b(body, digest_size=12).hexdigest()}"'


@dataclass(frozen=True, slots=True)
class Encoded:
    body: bytes | None
    """None: there is none."""
    etag: str

    @classmethod
    def of(cls, body: bytes | None) -> Encoded:
        return cls(body, "" if body is None else etag_of(body))


Load = Callable[[], Awaitable[bytes | None]]


class Cache(Protocol):
    async def get(self, key: str, load: Load, *, unsure: bool = False) -> Encoded:
        """Return the answer; `unsure` of its revision, only one of the last moments, and only from here."""
        ...

    def fresh(self, key: str) -> Encoded | None:
        """Return the answer if it is here, fresh, and one of something."""
        ...

    def drop(self, key: str) -> None:
        """Forget the answer, and the one on its way: it may be from before the change."""
        ...
