"""How much is kept of the streams that record writes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from itertools import product
from typing import Final

from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.streams import MaxAge, MaxLength, Retention

_JOBS: Final = MaxLength(200_000)
_EVENTS: Final = MaxAge(timedelta(days=1))
_DEAD_LETTERS: Final = MaxAge(timedelta(days=7))


def retention(streams: Streams) -> Mapping[str, Retention]:
    jobs: dict[str, Retention] = {streams.jobs(lane, band): _JOBS for lane, band in product(Lane, Band)}
    return jobs | {streams.submission_events: _EVENTS, streams.dead_letters: _DEAD_LETTERS}
