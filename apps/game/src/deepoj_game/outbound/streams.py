"""The names of the streams and how much of each is kept (design §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from deepoj_kit.streams import MaxAge, Retention

_EVENTS: Final = MaxAge(timedelta(days=1))


@dataclass(frozen=True, slots=True)
class Streams:
    env: str

    @property
    def submissions(self) -> str:
        return f"deepoj:{self.env}:events:submission"

    @property
    def accounts(self) -> str:
        return f"deepoj:{self.env}:events:user"

    @property
    def games(self) -> str:
        return f"deepoj:{self.env}:events:game"

    def retention(self) -> Mapping[str, Retention]:
        return {self.games: _EVENTS}
