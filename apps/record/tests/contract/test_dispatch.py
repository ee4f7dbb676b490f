"""From the transaction to the stream, and what the watchdog does when the stream forgets."""

from __future__ import annotations

import asyncio
from typing import Any, cast
from uuid import uuid4

import pytest
from dependency_injector import providers
from redis.asyncio import Redis
from redis.typing import KeyT

from apps.record.tests.fakes import StoppedClock
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.submission.states import Status
from deepoj_domain.testing import ALICE, GAME, QUESTION, a_result
from deepoj_kit.streams.commands import acknowledge, create_group, read_group
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.claim import Granted
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.report_failure import FailedAttempt
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container

WORKER = WorkerId("judge-1")
GROUP = "judgement"
# A stream is cut between blocks of entries, so some more stay than were asked for.
KEPT_CANCELLATIONS, OLD_CANCELLATIONS = 1000, 200


async def test_a_delivered_submission_is_dispatched_and_its_message_names_it_only(
    container: Container,
) -> None:
    job = await submitted(container, game=True)
    await deliver(container)
    assert await status(container, job) is Status.DISPATCHED
    [fields] = await entries(container, container.streams().jobs(Lane.HEAVY, Band.CONTEST))
    assert fields.keys() <= {
        "job_id", "enqueue_ts", "payload_ref", "priority", "traceparent", "message_id",
    }  # fmt: skip
    assert fields["job_id"] == str(job)
    assert fields["priority"] == "0"
    [event] = await entries(container, container.streams().submission_events)
    assert event["type"] == "submission.submitted.v1"
    assert "int main" not in "".join([*fields.values(), *event.values()])


async def test_outbox_survives_enqueue_failure(
    container: Container, private_redis: PrivateServer, clock: StoppedClock
) -> None:
    lost = Redis.from_url(private_redis.url, protocol=2)
    container.redis.override(providers.Object(lost))
    job = await submitted(container)
    private_redis.kill()
    await deliver(container)
    assert await status(container, job) is Status.PENDING
    assert await pending(container) == 2
    private_redis.start()
    clock.advance(60)
    await deliver(container)
    await deliver(container)
    assert await status(container, job) is Status.DISPATCHED
    assert await lost.xlen(container.streams().jobs(Lane.HEAVY, Band.NORMAL)) == 1
    await lost.aclose()


async def test_a_retry_goes_out_after_its_back_off_and_not_before(
    container: Container, clock: StoppedClock
) -> None:
    job = await submitted(container)
    await deliver(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    await workers.report_failure(WORKER, [FailedAttempt(job, 1, Failure.SANDBOX_CRASH, "x")])
    jobs = container.streams().jobs(Lane.HEAVY, Band.NORMAL)
    clock.advance(1.9)
    await deliver(container)
    assert await container.redis().xlen(jobs) == 1
    assert await status(container, job) is Status.PENDING
    clock.advance(0.2)
    await deliver(container)
    assert await container.redis().xlen(jobs) == 2
    assert await status(container, job) is Status.DISPATCHED


async def test_a_dead_submission_leaves_a_dead_letter_and_an_event(container: Container) -> None:
    job = await submitted(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    await workers.report_failure(WORKER, [FailedAttempt(job, 1, Failure.POLICY_VIOLATION, "no")])
    await deliver(container)
    [letter] = await entries(container, container.streams().dead_letters)
    assert letter["job_id"] == str(job)
    assert (letter["reason"], letter["attempts"]) == ("poison", "1")
    events = await entries(container, container.streams().submission_events)
    assert [event["type"] for event in events] == [
        "submission.submitted.v1", "submission.started.v1", "submission.dead.v1",
    ]  # fmt: skip


async def test_workers_are_told_which_submission_is_cancelled_and_nothing_of_others(
    container: Container,
) -> None:
    streams, redis = container.streams(), container.redis()
    for _ in range(KEPT_CANCELLATIONS + OLD_CANCELLATIONS):
        await redis.xadd(streams.cancellations, {"job_id": "old"})
    finished, stopped = await submitted(container), await submitted(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [finished])
    await workers.finalize(WORKER, [FinishedAttempt(finished, 1, a_result())])
    await container.submission_use_cases().cancel(Actor(ALICE, Role.CONTESTANT), stopped)
    await deliver(container)
    told = await entries(container, streams.cancellations)
    [new] = [fields for fields in told if fields["job_id"] != "old"]
    assert new["job_id"] == str(stopped)
    assert new.keys() <= {"job_id", "traceparent", "message_id"}
    assert len(told) < KEPT_CANCELLATIONS + OLD_CANCELLATIONS
    events = await entries(container, streams.submission_events)
    assert events[-1]["type"] == "submission.cancelled.v1", "others hear of it as they did"


async def test_lost_events_and_dead_letters_are_sent_again_and_jobs_are_left_to_the_watchdog(
    container: Container,
) -> None:
    job = await submitted(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    await workers.report_failure(WORKER, [FailedAttempt(job, 1, Failure.POLICY_VIOLATION, "no")])
    await deliver(container)
    streams, redis = container.streams(), container.redis()
    told = (streams.submission_events, streams.dead_letters)
    before = [await entries(container, stream) for stream in told]
    jobs = streams.jobs(Lane.HEAVY, Band.NORMAL)
    await redis.delete(jobs, *told)
    assert await container.guard().check() == sum(map(len, before))
    await deliver(container)
    assert [await entries(container, stream) for stream in told] == before
    assert await entries(container, jobs) == []


async def test_a_message_that_waits_or_is_with_a_worker_is_not_sent_again(
    container: Container, clock: StoppedClock
) -> None:
    held, queued = await submitted(container), await submitted(container)
    await deliver(container)
    stream = container.streams().jobs(Lane.HEAVY, Band.NORMAL)
    await create_group(container.redis(), stream, GROUP)
    await read_group(container.redis(), GROUP, "w", [stream], 1, None)
    clock.advance(3600)
    await container.sweep()()
    assert await pending(container) == 0
    assert await statuses(container, held, queued) == [Status.DISPATCHED] * 2


@pytest.mark.parametrize("loss", ["flush", "acknowledged", "trimmed", "group_gone", "tail", "unread_tail"])
async def test_a_lost_message_is_sent_again_once(
    container: Container, clock: StoppedClock, loss: str
) -> None:
    job = await submitted(container)
    await deliver(container)
    stream = container.streams().jobs(Lane.HEAVY, Band.NORMAL)
    await lose(container.redis(), stream, loss)
    await container.sweep()()
    assert await pending(container) == 0, "not before its time"
    clock.advance(31)
    await container.sweep()()
    await container.sweep()()
    assert await pending(container) == 1
    await deliver(container)
    assert (await entries(container, stream))[-1]["job_id"] == str(job)


@pytest.mark.parametrize("why", ["NOPERM", "WRONGTYPE"])
async def test_a_queue_that_may_not_be_looked_at_is_not_taken_for_lost(
    container: Container, clock: StoppedClock, private_redis: PrivateServer, why: str
) -> None:
    async with Redis.from_url(private_redis.url, protocol=2) as redis:
        container.redis.override(providers.Object(redis))
        await submitted(container)
        await deliver(container)
        clock.advance(31)
        if why == "NOPERM":
            await redis.acl_setuser(
                "default", enabled=True, nopass=True, keys="*", commands=["+@all", "-xinfo"]
            )
        else:
            await redis.set(container.streams().jobs(Lane.HEAVY, Band.NORMAL), "no stream")
        with pytest.raises(Unavailable, match=f"(?i){'no permissions' if why == 'NOPERM' else why}"):
            await container.sweep()()
    assert await pending(container) == 0


async def test_a_stream_that_goes_while_it_is_looked_at_has_lost_its_messages(
    container: Container, clock: StoppedClock
) -> None:
    await submitted(container)
    await deliver(container)
    redis, stream = container.redis(), container.streams().jobs(Lane.HEAVY, Band.NORMAL)
    await create_group(redis, stream, GROUP)
    await read_group(redis, GROUP, "w", [stream], 1, None)

    class Forgetful(Redis):
        async def xinfo_groups(self, name: KeyT) -> list[dict[str, Any]]:
            groups = await super().xinfo_groups(name)
            await self.delete(name)
            return groups

    async with Forgetful(connection_pool=redis.connection_pool) as forgetful:
        container.redis.override(providers.Object(forgetful))
        clock.advance(31)
        await container.sweep()()
    assert await pending(container) == 1


async def test_two_watchdogs_at_the_same_time_send_a_lost_message_once(
    container: Container, clock: StoppedClock
) -> None:
    for _ in range(5):
        await submitted(container)
    await deliver(container)
    await container.redis().delete(container.streams().jobs(Lane.HEAVY, Band.NORMAL))
    clock.advance(31)
    await asyncio.gather(*(container.sweep()() for _ in range(3)))
    assert await pending(container) == 5


async def test_stalled_job_recovered_by_watchdog(container: Container, clock: StoppedClock) -> None:
    """The worker dies with its claim and Redis forgets the message: the job comes back and is finished."""
    job = await submitted(container)
    await deliver(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    await container.redis().delete(container.streams().jobs(Lane.HEAVY, Band.NORMAL))
    clock.advance(60 + 14)
    await container.sweep()()
    await deliver(container)
    jobs = container.streams().jobs(Lane.HEAVY, Band.NORMAL)
    assert await entries(container, jobs) == [], "the grace is left to the first worker"
    clock.advance(2)
    await container.sweep()()
    await deliver(container)
    [fields] = await entries(container, jobs)
    assert fields["job_id"] == str(job)
    [again] = await workers.reclaim(WorkerId("judge-2"), [job])
    assert isinstance(again, Granted)
    await workers.finalize(WorkerId("judge-2"), [FinishedAttempt(job, 2, a_result())])
    assert await status(container, job) is Status.FINISHED


async def test_inv_9_the_watchdog_buries_a_stalled_job_that_has_no_attempt_left(
    container: Container, clock: StoppedClock
) -> None:
    job = await submitted(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    for _ in range(2):
        clock.advance(61)
        await workers.reclaim(WORKER, [job])
    clock.advance(76)
    await container.sweep()()
    assert await status(container, job) is Status.DEAD


async def test_a_job_handed_back_goes_out_at_once_and_keeps_its_attempts(
    container: Container, clock: StoppedClock
) -> None:
    """Five deploys, then lost workers: three more attempts are granted, and no fourth."""
    job = await submitted(container)
    workers, jobs = container.worker_use_cases(), container.streams().jobs(Lane.HEAVY, Band.NORMAL)
    await deliver(container)
    for attempt in range(1, 6):
        await workers.claim(WORKER, [job])
        await workers.report_failure(WORKER, [FailedAttempt(job, attempt, Failure.WORKER_DRAINING, "")])
        await deliver(container)
        assert await container.redis().xlen(jobs) == attempt + 1
    await workers.claim(WORKER, [job])
    for attempt in (7, 8):
        clock.advance(76)
        await container.sweep()()
        [granted] = await workers.reclaim(WORKER, [job])
        assert isinstance(granted, Granted)
        assert granted.submission.attempt_id == attempt
    clock.advance(76)
    await container.sweep()()
    assert await status(container, job) is Status.DEAD


async def test_more_late_submissions_than_a_page_are_all_found(
    container: Container, clock: StoppedClock
) -> None:
    """A long queue in front must not hide the lost ones behind it."""
    ids = [await submitted(container) for _ in range(9)]
    await deliver(container)
    await container.redis().delete(container.streams().jobs(Lane.HEAVY, Band.NORMAL))
    clock.advance(31)
    await container.sweep()()
    assert await pending(container) == len(ids)


async def lose(redis: Redis, stream: str, loss: str) -> None:
    await create_group(redis, stream, GROUP)
    match loss:
        case "flush":
            await redis.delete(stream)
        case "acknowledged":
            await acknowledge(redis, GROUP, await read_group(redis, GROUP, "w", [stream], 1, None))
        case "tail" | "unread_tail":
            await redis.delete(stream)
            await redis.xadd(stream, {"job_id": "other"}, id="1-1")
            if loss == "tail":
                await create_group(redis, stream, GROUP)
                await acknowledge(redis, GROUP, await read_group(redis, GROUP, "w", [stream], 1, None))
        case "trimmed":
            await redis.xadd(stream, {"job_id": "other"})
            await redis.xtrim(stream, maxlen=1, approximate=False)
        case _:
            await redis.xtrim(stream, maxlen=0, approximate=False)


async def submitted(container: Container, *, game: bool = False) -> SubmissionId:
    request = SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="",
        question_id=QUESTION,
        game_id=GAME if game else None,
        language="cpp17",
        source="int main() {}",
    )
    outcome = await container.submission_use_cases().submit(request)
    assert isinstance(outcome, Accepted)
    return outcome.submission_id


async def deliver(container: Container) -> None:
    await container.relay().deliver_due()


async def status(container: Container, job: SubmissionId) -> Status:
    return (await container.submissions().load([job]))[job].submission.status


async def statuses(container: Container, *jobs: SubmissionId) -> list[Status]:
    return [await status(container, job) for job in jobs]


async def pending(container: Container) -> int:
    async with container.database().connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM record.outbox WHERE delivered_at IS NULL")
        return int((await cursor.fetchall())[0][0])


async def entries(container: Container, stream: str) -> list[dict[str, str]]:
    found = cast("list[tuple[bytes, dict[bytes, bytes]]]", await container.redis().xrange(stream))
    return [{name.decode(): value.decode() for name, value in fields.items()} for _, fields in found]
