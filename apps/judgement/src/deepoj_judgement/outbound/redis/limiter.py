"""How many jobs begin in a second on all hosts together: slots that also cost a token of a shared bucket."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, cast

from redis.asyncio import Redis

from deepoj_judgement.commands.worker.slots import Slots
from deepoj_kit.streams.connection import translated
from deepoj_kit.telemetry import counter
from deepoj_kit.unavailable import Unavailable

_MICROS: Final = 1_000_000
# The key holds when the bucket will be full again, by the clock of the server: those of the hosts differ.
# Every host may write it, so what no bucket can say, such as a year from now, counts as full.
_TAKE: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local held = tonumber(redis.call('GET', KEYS[1]) or '')
if not held or not (held >= now and held <= now + burst * interval) then held = now end
local full_at = held + interval
local wait = full_at - burst * interval - now
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil((full_at - now) / 1000))
return 0
"""
_LIMITED = counter("worker_limited", "Times a worker waited because jobs begin as fast as they may")
_log = logging.getLogger(__name__)


class JobRate:
    """A bucket with the tokens of one second; a rate of 0 is no limit.

    It fails open: without Redis there is no job to begin either.
    """

    def __init__(self, redis: Redis, env: str, rate: float) -> None:
        self._take = redis.register_script(_TAKE)
        self._key = f"deepoj:{env}:job-rate"
        self._arguments = (round(_MICROS / rate), max(1, math.ceil(rate))) if rate else None

    async def take(self) -> float:
        """Take a token and return 0, or return in how many seconds there may be one."""
        if self._arguments is None:
            return 0.0
        try:
            with translated():
                return cast("int", await self._take(keys=[self._key], args=self._arguments)) / _MICROS
        except Unavailable as error:
            _log.warning("the rate of jobs is not limited: %s", error)
            return 0.0


class LimitedSlots:
    """Whoever waits for a token holds neither a slot nor a message meanwhile.

    A slot may be given back unused, because no job was there. Its token is kept here for the next one, so
    every worker may begin as many jobs above the rate as it has slots, once after a quiet time.
    """

    def __init__(self, slots: Slots, rate: JobRate) -> None:
        self._slots = slots
        self._rate = rate
        self._spare = 0
        self._begun = 0

    async def acquire(self) -> None:
        while True:
            await self._slots.acquire()
            wait = await self._pay()
            if not wait:
                return
            _LIMITED.add()
            await asyncio.sleep(wait)

    async def try_acquire(self) -> bool:
        return await self._slots.try_acquire() and not await self._pay()

    @property
    def left(self) -> int:
        return self._slots.left

    @contextmanager
    def job(self, job_id: str) -> Iterator[None]:
        """Make use of one of the slots that are held: a job is there."""
        self._begun += 1
        with self._slots.job(job_id):
            yield

    def release(self) -> None:
        if self._begun:
            self._begun -= 1
        else:
            self._spare += 1
        self._slots.release()

    async def _pay(self) -> float:
        """Pay for the slot just taken, or give it up and return how long to wait."""
        if self._spare:
            self._spare -= 1
            return 0.0
        wait = math.inf
        try:
            wait = await self._rate.take()
        finally:
            if wait:
                self._slots.release()
        return wait
