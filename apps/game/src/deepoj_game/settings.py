"""What the game service is told from outside."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import msgspec

from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_kit.settings import PostgresUrl, ProcessSettings, Secret, ServiceAddress


class GameSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
    redis_url: Annotated[Secret, msgspec.Meta(description="Redis, redis://… or unix://…")]
    record_address: ServiceAddress
    question_address: ServiceAddress
    postgres_connections: Annotated[
        int, msgspec.Meta(ge=2, description="connections to PostgreSQL at most, per pool")
    ] = 8
    event_batch: Annotated[
        int, msgspec.Meta(ge=1, description="events applied in one transaction at most; never waited for")
    ] = 64
    event_group: Annotated[
        str,
        msgspec.Meta(min_length=1, description="consumer group on the events of submissions and accounts"),
    ] = "game"
    event_idle: Annotated[
        timedelta, msgspec.Meta(description="after this long an event is taken over from a silent process")
    ] = timedelta(seconds=75)
    password_tries: Annotated[
        int, msgspec.Meta(ge=1, description="wrong passwords of one account for one contest at once")
    ] = 10
    password_pace: Annotated[timedelta, msgspec.Meta(description="time in which one more is allowed")] = (
        timedelta(minutes=1)
    )
    past_boards: Annotated[
        int, msgspec.Meta(ge=1, description="boards of past moments for one account at once; guests share")
    ] = 20
    past_pace: Annotated[timedelta, msgspec.Meta(description="time in which one more is allowed")] = (
        timedelta(seconds=1)
    )
    ruling_size: Annotated[
        int,
        msgspec.Meta(
            ge=0, description="a ruling that touches more submissions or participants is carried out as work"
        ),
    ] = 5000
    messages_keep: Annotated[
        timedelta, msgspec.Meta(description="how long received messages are remembered")
    ] = timedelta(days=7)

    def guess_limit(self) -> RateLimit:
        return RateLimit(self.password_pace, self.password_tries)

    def past_limit(self) -> RateLimit:
        return RateLimit(self.past_pace, self.past_boards)
