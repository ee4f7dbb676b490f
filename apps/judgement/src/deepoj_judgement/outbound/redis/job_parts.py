"""The parts of the job queues for which this host has what they ask for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_kit.streams.commands import members
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
_EVERY: Final = 1.0


class JobParts:
    """Asks Redis every second. A part stays: there are few, and somebody may be sent there again."""

    def __init__(self, redis: Redis, env: str, abilities: Callable[[], Abilities]) -> None:
        self._redis = redis
        self._names = Streams(env).job_parts
        self._abilities = abilities
        self._parts: dict[str, tuple[str, ...]] = {}

    def of(self, queue: str) -> Sequence[str]:
        return self._parts.get(queue, ())

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                self._see(await members(self._redis, self._names))
            except (Unavailable, RedisError) as error:
                _log.warning("which parts the job queues have is not known anew: %s", error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _EVERY)

    def _see(self, parts: Iterable[str]) -> None:
        found: dict[str, tuple[str, ...]] = {}
        abilities = self._abilities()
        for part in sorted(parts):
            queue, _, needs = part.rpartition(":")
            if _is_met(needs, abilities):
                found[queue] = (*found.get(queue, ()), part)
        self._parts = found


def _is_met(text: str, abilities: Abilities) -> bool:
    try:
        return abilities.meet(Needs.parse(text))
    except InvalidValueError:
        return False
