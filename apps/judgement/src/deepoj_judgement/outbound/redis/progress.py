"""How far each judgement is, in a short stream: whoever follows it is told, and nobody misses it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_domain.judgement.progress import progress_of
from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.streams import Streams
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.streams.retention import MaxLength
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
_pause: Final = partial(asyncio.sleep, 0.1)
# A front door that is further behind than this has worse to tell.
_KEPT: Final = MaxLength(1000)


class RedisProgress:
    """Sends the newest of each job, with a pause between two; judging never waits for it."""

    def __init__(
        self,
        redis: Redis,
        env: str,
        clock: Callable[[], datetime],
        pause: Callable[[], Awaitable[None]] = _pause,
    ) -> None:
        self._redis = redis
        self._stream = Streams(env).progress
        self._clock = clock
        self._pause = pause
        self._newest: dict[RunRef, tuple[Sequence[CaseResult], int] | None] = {}
        self.senders: set[asyncio.Task[None]] = set()

    def __call__(self, ref: RunRef, results: Sequence[CaseResult], total: int) -> None:
        if len(results) == total:
            # The result itself is next.
            self._newest.pop(ref, None)
            return
        is_new = ref not in self._newest
        self._newest[ref] = results, total
        if is_new:
            sender = asyncio.create_task(self._send(ref))
            self.senders.add(sender)
            sender.add_done_callback(self.senders.discard)

    async def _send(self, ref: RunRef) -> None:
        while (newest := self._newest.get(ref)) is not None:
            self._newest[ref] = None
            progress = progress_of(ref.job_id, ref.attempt_id, *newest)
            fields = {"data": msgspec.json.encode(progress).decode()}
            try:
                await append(self._redis, [NewEntry(self._stream, fields, _KEPT)], self._clock())
            except (Unavailable, RedisError) as error:
                _log.debug("the progress of a job is not told: %s", error)
            await self._pause()
        self._newest.pop(ref, None)
