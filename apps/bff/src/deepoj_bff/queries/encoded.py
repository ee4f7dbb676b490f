"""An answer in JSON, and what tells it from another."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

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
