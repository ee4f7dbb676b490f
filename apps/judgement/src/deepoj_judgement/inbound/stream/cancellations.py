"""A cancelled submission stops running at once: its worker hears of it, and asks record whether it is so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from redis.asyncio import Redis

from deepoj_domain.streams import Streams
from deepoj_domain.submission.events import SubmissionCancelled
from deepoj_kit.streams import EventCodec, Follower, Undecodable
from deepoj_kit.streams.codec import decode_text
from deepoj_kit.streams.commands import RawFields

_log = logging.getLogger(__name__)
_CANCELLED: Final = SubmissionCancelled.name.encode()
_CODEC: Final = EventCodec({SubmissionCancelled.name: SubmissionCancelled})
# Most events are of other kinds, so they are read by the batch.
_PAUSE: Final = 0.2


def cancellations(redis: Redis, env: str, doubt: Callable[[str], None]) -> Follower:
    """`doubt` is told the job. An event that is missed costs time: the next heartbeat learns of it too."""

    def see(fields: RawFields) -> None:
        if fields.get(b"type") != _CANCELLED:
            return
        try:
            doubt(str(_CODEC.decode(decode_text(fields)).submission.id))
        except Undecodable as error:
            _log.warning("a cancellation cannot be read: %s", error)

    return Follower(redis, Streams(env).submission_events, see, pause=_PAUSE)
