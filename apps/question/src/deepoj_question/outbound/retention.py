"""How much is kept of the stream that question writes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from deepoj_domain.streams import Streams
from deepoj_kit.streams import MaxAge, Retention

_EVENTS: Final = MaxAge(timedelta(days=1))


def retention(streams: Streams) -> Mapping[str, Retention]:
    return {streams.question_events: _EVENTS}
