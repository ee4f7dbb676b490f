"""The names of the streams and how much of each is kept (design §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import product

from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.streams import MaxAge, MaxLength, Retention

_JOBS = MaxLength(200_000)
_EVENTS = MaxAge(timedelta(days=1))
_DEAD_LETTERS = MaxAge(timedelta(days=7))


@dataclass(frozen=True, slots=True)
class Streams:
    env: str

    def jobs(self, lane: Lane, band: Band) -> str:
        return f"deepoj:{self.env}:jobs:{lane}:{band}"

    @property
    def events(self) -> str:
        return f"deepoj:{self.env}:events:submission"

    @property
    def dead_letters(self) -> str:
        return f"deepoj:{self.env}:dlq"

    def retention(self) -> Mapping[str, Retention]:
        jobs: dict[str, Retention] = {self.jobs(lane, band): _JOBS for lane, band in product(Lane, Band)}
        return jobs | {self.events: _EVENTS, self.dead_letters: _DEAD_LETTERS}
