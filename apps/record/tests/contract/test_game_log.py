"""What game reads to build a board: every submission to it, as lines that PostgreSQL reads back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.record.tests.fakes import StoppedClock
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, RejudgeId, SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.selection import Selection
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION, ROOT, a_result
from deepoj_kit.postgres import Database
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.start_rejudge import RejudgeStarted
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container
from deepoj_record.outbound.postgres.game_log import PostgresGameLog

WORKER = WorkerId("judge-1")
# What somebody might call a subtask.
AWKWARD = 'a\t"b"\\\n[é'
Line = tuple[UUID, UUID, UUID, UUID, int, int, str | None, int, str, bool]


@pytest.fixture
def log(database: Database) -> PostgresGameLog:
    return PostgresGameLog(database)


async def read(
    database: Database, log: PostgresGameLog, account: AccountId | None = None, size: int = 2
) -> list[Line]:
    """Read all pages and give them to COPY, as game does."""
    rows: list[Any] = []
    async for lines in pages(log, account, size):
        async with database.transaction() as connection:
            await connection.execute(
                "CREATE TEMPORARY TABLE lines (submission_id uuid, origin_id uuid, account_id uuid,"
                " question_id uuid, submitted_us bigint, known_us bigint, verdict text, score_micros bigint,"
                " groups text, cancelled boolean) ON COMMIT DROP"
            )
            async with connection.cursor().copy("COPY lines FROM STDIN") as copy:
                await copy.write(lines)
            rows += await (await connection.execute("SELECT * FROM lines")).fetchall()
    return rows


async def pages(log: PostgresGameLog, account: AccountId | None, size: int) -> AsyncIterator[bytes]:
    found = await log.lines(GAME, account, None, size)
    yield found.lines
    while found.next is not None:
        found = await log.lines(GAME, account, found.next, size)
        yield found.lines


async def submitted(container: Container, account: AccountId = ALICE) -> SubmissionId:
    request = SubmitRequest(
        actor=Actor(account, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="",
        question_id=QUESTION,
        game_id=GAME,
        language="cpp17",
        source="int main() {}",
    )
    outcome = await container.submission_use_cases().submit(request)
    assert isinstance(outcome, Accepted)
    return outcome.submission_id


async def judge(container: Container, job: SubmissionId, verdict: Verdict, group: str = "all") -> None:
    result = replace(a_result(verdict), groups=(GroupScore(group, Score.points(7)),))
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    [outcome] = await workers.finalize(WORKER, [FinishedAttempt(job, 1, result)])
    assert isinstance(outcome, Changed)


def micros(moment: datetime) -> int:
    return round((moment - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1))


async def test_every_page_is_read_once_and_each_submission_says_what_is_known_of_it(
    container: Container, database: Database, log: PostgresGameLog, clock: StoppedClock
) -> None:
    made = micros(clock())
    right, odd = await submitted(container), await submitted(container, BOB)
    gone, waiting = await submitted(container), await submitted(container)
    clock.advance(5)
    await judge(container, right, Verdict.ACCEPTED)
    await judge(container, odd, Verdict.WRONG_ANSWER, AWKWARD)
    assert isinstance(await container.submission_use_cases().cancel(ROOT, gone), Changed)
    later = micros(clock())
    lines = {SubmissionId(line[0]): line for line in await read(database, log)}
    assert len(lines) == 4
    assert lines[right][4:] == (made, later, "AC", 7_000_000, '[["all",7000000]]', False)
    assert lines[odd][4:] == (made, later, "WA", 7_000_000, r'[["a\t\"b\"\\\n[é",7000000]]', False)
    assert lines[gone][4:] == (made, later, None, 0, "[]", True)
    assert lines[waiting][4:] == (made, made, None, 0, "[]", False)
    assert [line[0] for line in await read(database, log, BOB)] == [odd]
    assert await read(database, log, AccountId(uuid4())) == []


async def test_what_a_rejudge_found_is_known_from_when_it_was_applied(
    container: Container, database: Database, log: PostgresGameLog, clock: StoppedClock
) -> None:
    job = await submitted(container)
    await judge(container, job, Verdict.WRONG_ANSWER)
    rejudges = container.rejudge_use_cases()
    rejudge = RejudgeId(uuid4())
    started = await rejudges.start(ROOT, rejudge, Selection(game_id=GAME), "a wrong test")
    assert isinstance(started, RejudgeStarted)
    async with database.connection() as connection:
        found = await connection.execute("SELECT id FROM record.submissions WHERE rejudge_of = %s", (job,))
        [(candidate,)] = await found.fetchall()
    clock.advance(5)
    await judge(container, SubmissionId(candidate), Verdict.ACCEPTED)
    assert [line[0] for line in await read(database, log)] == [job], "a candidate is no part of the log"
    clock.advance(3600)
    await rejudges.apply(ROOT, rejudge)
    lines = {line[0]: line for line in await read(database, log)}
    assert lines[candidate][1] == job
    assert lines[candidate][5:7] == (micros(clock()), "AC")
    assert lines[job][6] == "WA"
