"""The names of the streams that other services write and this one reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Streams:
    env: str

    @property
    def submissions(self) -> str:
        return f"deepoj:{self.env}:events:submission"

    @property
    def accounts(self) -> str:
        return f"deepoj:{self.env}:events:user"
