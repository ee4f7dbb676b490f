"""Two at the same time, on PostgreSQL: exactly one is right, and the other one is told why not."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeGuard
from uuid import uuid4

import pytest

from apps.record.tests.fakes import StoppedClock
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.states import Finished, Status
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.testing import ALICE, QUESTION, ROOT, a_result
from deepoj_record.commands.claim import Granted
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.ports import Write
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container
from deepoj_record.outbound.postgres.submission_repository import PostgresSubmissions

A, B = WorkerId("judge-a"), WorkerId("judge-b")
ROUNDS = range(12)


async def test_inv_3_two_workers_claim_the_same_jobs_and_each_job_runs_once(container: Container) -> None:
    ids = [await submitted(container) for _ in ROUNDS]
    workers = container.worker_use_cases()
    both = await asyncio.gather(workers.claim(A, ids), workers.claim(B, ids[::-1]))
    granted = [outcome.submission.id for outcomes in both for outcome in outcomes if is_granted(outcome)]
    assert sorted(granted) == sorted(ids)
    refused = Counter(outcome.reason for outcomes in both for outcome in outcomes if is_refused(outcome))
    assert refused == {"lease_still_valid": len(ids)}


async def test_inv_1_done_means_finished_with_the_matching_attempt(
    container: Container, clock: StoppedClock
) -> None:
    workers, job = container.worker_use_cases(), await submitted(container)
    await workers.claim(A, [job])
    clock.advance(61)
    await workers.reclaim(B, [job])
    for attempt, worker, why in ((1, A, "stale_attempt"), (3, B, "unknown_attempt"), (2, A, "lease_lost")):
        [outcome] = await workers.finalize(worker, [FinishedAttempt(job, attempt, a_result())])
        assert reason(outcome).startswith(why)
        assert await row(container, job) == ("RUNNING", 2, None)
    [done] = await workers.finalize(B, [FinishedAttempt(job, 2, a_result(Verdict.WRONG_ANSWER))])
    assert isinstance(done, Changed)
    assert await row(container, job) == ("FINISHED", 2, "WA")
    [again] = await workers.finalize(B, [FinishedAttempt(job, 2, a_result())])
    assert reason(again) == "already_finished"
    assert await row(container, job) == ("FINISHED", 2, "WA")


class Stops:
    """Stops whoever has read and decided, before the write; by the state that is to be written."""

    def __init__(self, submissions: PostgresSubmissions) -> None:
        self._write = submissions.write
        self.arrived = {status: asyncio.Event() for status in Status}
        self.released = {status: asyncio.Event() for status in Status}

    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]:
        for each in writes:
            self.arrived[each.after.status].set()
            await self.released[each.after.status].wait()
        return await self._write(writes)


@pytest.mark.parametrize("first", [Status.FINISHED, Status.RUNNING])
async def test_inv_5_finalize_against_reclaim_at_the_end_of_the_lease(
    container: Container, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch, first: Status
) -> None:
    """Both have read the same row. One attempt's word stands, and the other is refused by name."""
    workers, job = container.worker_use_cases(), await submitted(container)
    await workers.claim(A, [job])
    stops = Stops(container.submissions())
    monkeypatch.setattr(container.submissions(), "write", stops.write)
    finishing = asyncio.create_task(workers.finalize(A, [FinishedAttempt(job, 1, a_result())]))
    await stops.arrived[Status.FINISHED].wait()
    clock.advance(container.settings().lease.total_seconds())
    taking = asyncio.create_task(workers.reclaim(B, [job]))
    await stops.arrived[Status.RUNNING].wait()
    calls: dict[Status, asyncio.Task[Any]] = {Status.FINISHED: finishing, Status.RUNNING: taking}
    for status in sorted(calls, key=lambda status: status is not first):
        stops.released[status].set()
        await calls[status]
    [finished], [taken] = await finishing, await taking
    if first is Status.FINISHED:
        assert isinstance(finished, Changed)
        assert reason(taken) == "already_finished"
        assert await row(container, job) == ("FINISHED", 1, "AC")
    else:
        assert is_granted(taken)
        assert reason(finished) == "stale_attempt"
        assert await row(container, job) == ("RUNNING", 2, None)


async def test_a_late_write_back_is_refused_while_the_new_result_stands(
    container: Container, clock: StoppedClock
) -> None:
    workers = container.worker_use_cases()
    job = await submitted(container)
    await workers.claim(A, [job])
    clock.advance(61)
    await workers.reclaim(B, [job])
    new = FinishedAttempt(job, 2, a_result(Verdict.WRONG_ANSWER))
    [late], [done] = await asyncio.gather(
        workers.finalize(A, [FinishedAttempt(job, 1, a_result())]), workers.finalize(B, [new])
    )
    assert reason(late) == "stale_attempt"
    assert isinstance(done, Changed)
    state = (await container.submissions().load([job]))[job].submission.state
    assert isinstance(state, Finished)
    assert (state.attempt_id, state.result.verdict) == (2, Verdict.WRONG_ANSWER)


async def test_cancel_against_finalize_leaves_one_terminal_state(container: Container) -> None:
    workers, people = container.worker_use_cases(), container.submission_use_cases()
    for _ in ROUNDS:
        job = await submitted(container)
        await workers.claim(A, [job])
        [finished], cancelled = await asyncio.gather(
            workers.finalize(A, [FinishedAttempt(job, 1, a_result())]), people.cancel(ROOT, job)
        )
        outcomes = [finished, cancelled]
        assert [type(outcome) for outcome in outcomes].count(Changed) == 1
        assert [reason(each) for each in outcomes if is_refused(each)] == ["already_finished"]


async def test_the_same_key_sent_many_times_at_once_is_one_submission(container: Container) -> None:
    people = container.submission_use_cases()
    outcomes = await asyncio.gather(*(people.submit(a_request(key="once")) for _ in ROUNDS))
    assert {outcome.submission_id for outcome in outcomes if isinstance(outcome, Accepted)} != set()
    assert len({outcome.submission_id for outcome in outcomes if isinstance(outcome, Accepted)}) == 1
    assert sum(isinstance(each, Accepted) and not each.repeated for each in outcomes) == 1
    assert await count(container, "SELECT count(*) FROM record.outbox WHERE stream LIKE '%:jobs:%'") == 1


@pytest.mark.parametrize(
    "status", [status for status in Status if status is not Status.RUNNING], ids=lambda status: status.name
)
async def test_guarded_transition_blocks_illegal_update(
    container: Container, clock: StoppedClock, status: Status
) -> None:
    """The statement itself refuses: a decision made while the row was RUNNING changes nothing any more."""
    job = await submitted(container)
    await container.worker_use_cases().claim(A, [job])
    before = (await container.submissions().load([job]))[job]
    finished = finalize(before.submission, 1, A, a_result(Verdict.WRONG_ANSWER), clock())
    assert isinstance(finished, Changed)
    await force(container, status)
    assert (
        await container.submissions().write([Write(before, finished.after, finished.events, clock())])
        == set()
    )
    assert (await container.submissions().load([job]))[job].submission.status is status
    assert await count(container, "SELECT count(*) FROM record.submissions WHERE verdict = 'WA'") == 0
    assert await count(container, "SELECT count(*) FROM record.attempts WHERE outcome = 'finished'") == 0
    assert (
        await count(container, "SELECT count(*) FROM record.outbox WHERE payload::text LIKE '%judged%'") == 0
    )
    outcome = (await container.worker_use_cases().finalize(B, [FinishedAttempt(job, 1, a_result())]))[0]
    assert is_refused(outcome)


async def submitted(container: Container) -> SubmissionId:
    outcome = await container.submission_use_cases().submit(a_request())
    assert isinstance(outcome, Accepted)
    return outcome.submission_id


def a_request(key: str = "") -> SubmitRequest:
    return SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key=key,
        question_id=QUESTION,
        game_id=None,
        language="cpp17",
        source="int main() {}",
    )


def is_granted(outcome: object) -> TypeGuard[Granted]:
    return isinstance(outcome, Granted)


def is_refused(outcome: object) -> TypeGuard[Refused[SubmissionRefusal]]:
    return isinstance(outcome, Refused)


def reason(outcome: object) -> str:
    assert isinstance(outcome, Refused), outcome
    return str(outcome.reason)


async def row(container: Container, job: SubmissionId) -> tuple[str, int, str | None]:
    statement = "SELECT status, attempt_id, verdict FROM record.submissions WHERE id = %s"
    async with container.database().connection() as connection:
        [found] = await (await connection.execute(statement, (job,))).fetchall()
    return found


async def count(container: Container, statement: str) -> int:
    async with container.database().connection() as connection:
        row = await (await connection.execute(statement.encode())).fetchone()
    assert row is not None
    return int(row[0])


_SET = "UPDATE record.submissions SET lease_owner = NULL, lease_until = NULL, status = "
_FORCED = {
    Status.PENDING: _SET + "'PENDING'",
    Status.DISPATCHED: _SET + "'DISPATCHED'",
    Status.FINISHED: _SET + "'FINISHED', verdict = 'AC', score_micros = 0, finished_at = now(),"
    """ result = '{"verdict": "AC"}'""",
    Status.DEAD: _SET + "'DEAD', death_cause = 'poison', last_error = '', finished_at = now()",
    Status.CANCELLED: _SET + "'CANCELLED', cancelled_by = id, finished_at = now()",
}


async def force(container: Container, status: Status) -> None:
    """Write past the state machine, as nobody may."""
    async with container.database().connection() as connection:
        await connection.execute(_FORCED[status].encode())
        await connection.execute("UPDATE record.attempts SET ended_at = now(), outcome = 'failed'")
