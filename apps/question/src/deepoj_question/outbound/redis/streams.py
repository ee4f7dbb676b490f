"""The name of the stream of events and how much of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from deepoj_kit.streams import MaxAge, Retention

_KEEP: Final = MaxAge(timedelta(days=1))


def event_stream(env: str) -> str:
    return f"deepoj:{env}:events:question"


def retention(stream: str) -> Mapping[str, Retention]:
    return {stream: _KEEP}
