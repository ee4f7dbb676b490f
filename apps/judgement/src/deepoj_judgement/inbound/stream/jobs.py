"""Jobs from one lane's streams: the urgent band first, and now and then one of the others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from uuid import UUID

import msgspec
from redis.asyncio import Redis

from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Band, Lane
from deepoj_judgement.commands.worker.ports import Settled, Settlement
from deepoj_judgement.commands.worker.process_job import ProcessJob
from deepoj_kit.failpoint import fail_point
from deepoj_kit.streams import (
    Consumer,
    ConsumerOptions,
    Delivery,
    Done,
    Dropped,
    Failed,
    FieldsCodec,
    Follower,
    Kept,
    Outcome,
    Poison,
    each,
)
from deepoj_kit.streams.commands import RawFields


class JobMessage(msgspec.Struct, frozen=True):
    """Identifiers only; everything else is asked of record."""

    job_id: UUID
    enqueue_ts: int
    payload_ref: str
    priority: int


class BuryingFailedError(Exception):
    """The message stays, because nobody could be told that it makes no sense."""


@dataclass(frozen=True, slots=True)
class JobHandler:
    process: ProcessJob
    place: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
    """Where every job is processed."""

    async def handle(self, delivery: Delivery[JobMessage]) -> Outcome:
        job_id = str(delivery.message.job_id)
        with self.place(job_id):
            settled = await self.process(job_id, reclaimed=delivery.reclaimed)
        return _outcome(settled)

    async def on_poison(self, poison: Poison) -> None:
        """End the job the message names, if it names one; without a name there is nothing to end."""
        job_id = _job_id(poison.fields)
        if job_id is None:
            return
        settled = await self.process.bury(job_id, poison.detail)
        if settled.how is Settlement.FAILED:
            raise BuryingFailedError(settled.reason)


def job_streams(env: str, lane: Lane) -> list[str]:
    return [Streams(env).jobs(lane, band) for band in Band]


def job_consumer(
    redis: Redis,
    handler: JobHandler,
    *,
    streams: list[str],
    group: str,
    worker: str,
    options: ConsumerOptions,
) -> Consumer[JobMessage]:
    return Consumer(
        redis,
        group=group,
        name=worker,
        streams=streams,
        codec=FieldsCodec(JobMessage),
        handler=each(handler.handle),
        on_poison=handler.on_poison,
        options=replace(options, on_acknowledged=lambda: fail_point("after_ack")),
    )


def _outcome(settled: Settled) -> Outcome:
    match settled.how:
        case Settlement.DONE:
            return Done()
        case Settlement.REFUSED:
            return Dropped(settled.reason)
        case Settlement.KEPT:
            return Kept(settled.reason)
        case Settlement.FAILED:
            return Failed(settled.reason)


def _job_id(fields: RawFields) -> str | None:
    try:
        return str(UUID(fields.get(b"job_id", b"").decode()))
    except ValueError:
        return None


def cancellations(redis: Redis, env: str, doubt: Callable[[str], None]) -> Follower:
    """Let a cancelled submission stop running at once: its worker asks record whether it is so.

    `doubt` is told the job. A message that is missed costs time: the next heartbeat learns of it too.
    """

    def see(fields: RawFields) -> None:
        if job_id := _job_id(fields):
            doubt(job_id)

    return Follower(redis, Streams(env).cancellations, see)
