"""As many submissions as one rejudge may have, and a process that is killed between any two pages."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
import pytest

from apps.record.tests.people import ADMIN, judged
from deepoj_domain.testing import QUESTION
from deepoj_kit.grpc import RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.services import TOKEN, ServiceStarter
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub

MANY = 10_000
SEVERAL_PAGES = 1_200
LONG = timedelta(seconds=PATIENCE)
# The front door gives every call so long, and does not know then what became of it.
DEADLINE = 5.0
COPY = """
CREATE TEMPORARY TABLE copies AS
SELECT s.*, gen_random_uuid() AS new_id FROM record.submissions s, generate_series(2, %s);
UPDATE copies SET id = new_id, origin_id = new_id, idempotency_key = NULL, request_hash = NULL;
ALTER TABLE copies DROP COLUMN new_id;
INSERT INTO record.submissions SELECT * FROM copies;
INSERT INTO record.attempts
SELECT c.id, a.attempt_id, a.worker, a.started_at, a.ended_at, a.outcome, a.reason
FROM copies c, record.attempts a;
"""
# Every second one gets another verdict.
JUDGE = """
UPDATE record.submissions new
SET status = 'FINISHED', attempt_id = 1, result = old.result, finished_at = now(),
    verdict = CASE WHEN get_byte(uuid_send(new.id), 15) % 2 = 0 THEN 'WA' ELSE old.verdict END,
    score_micros = old.score_micros, lease_owner = NULL, lease_until = NULL
FROM record.submissions old WHERE old.id = new.rejudge_of;
INSERT INTO record.attempts SELECT id, 1, 'w', now(), now(), 'finished', 'AC' FROM record.submissions
WHERE rejudge_of IS NOT NULL;
"""
STANDINGS = "SELECT standing, count(*) FROM record.submissions GROUP BY standing ORDER BY standing"
SUPERSEDED = "SELECT count(*) FROM record.outbox WHERE payload->>'type' = 'submission.superseded.v1'"


class Stage:
    """The database, and a record service that lives or is killed after its next page."""

    def __init__(self, start: ServiceStarter, settings: dict[str, str], url: str) -> None:
        self._start = start
        self._settings = settings
        self._url = url

    def execute(self, *statements: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self._url) as connection:
            found = [connection.execute(statement.encode()) for statement in statements]
            return found[-1].fetchall() if found[-1].description else []

    @asynccontextmanager
    async def record(self, fail_point: str = "") -> AsyncIterator[RecordServiceAsyncStub]:
        service = self._start("deepoj_record", self._settings | {"fail_point": fail_point})
        async with connect(service.address, Secret(TOKEN), deadline=LONG) as channel:
            yield RecordServiceStub(channel)
        if fail_point:
            await eventually(lambda: service.process.exit_code() == -signal.SIGKILL)
        else:
            service.process.stop()

    async def judge(self, many: int) -> None:
        service = self._start("deepoj_record", self._settings)
        async with connect(service.address, Secret(TOKEN), deadline=LONG) as channel:
            await judged(RecordServiceStub(channel), WorkerServiceStub(channel))
        service.process.stop()
        self.execute(*(COPY % many).split(";\n"))


@pytest.fixture
def stage(start_service: ServiceStarter, settings: dict[str, str], record_url: str) -> Stage:
    return Stage(start_service, settings, record_url)


async def test_a_rejudge_of_ten_thousand_survives_kills_and_no_deadline_cuts_it(stage: Stage) -> None:
    await stage.judge(MANY)
    rejudge = str(uuid4())
    start = record_pb2.StartRejudgeRequest(
        actor=ADMIN, rejudge_id=rejudge, filter=record_pb2.SubmissionFilter(question_id=str(QUESTION))
    )
    apply = record_pb2.ApplyRejudgeRequest(actor=ADMIN, rejudge_id=rejudge)
    async with stage.record("after_rejudge_page") as doomed:
        with suppress(RemoteError):
            await doomed.StartRejudge(start)
    async with stage.record("after_rejudge_page") as doomed:
        with pytest.raises(RemoteError):
            await doomed.ApplyRejudge(apply)
    assert stage.execute("SELECT status FROM record.rejudges") == [("opening",)]

    async with stage.record() as record:
        await reached(record, rejudge, record_pb2.REJUDGE_STATE_OPEN)
        seen = await preview(record, rejudge)
        assert (seen.submissions, seen.selected, seen.judged) == (MANY, MANY, 0)
        again = await record.StartRejudge(start)
        assert (again.submissions, again.state) == (MANY, record_pb2.REJUDGE_STATE_OPEN)
    stage.execute(*JUDGE.split(";\n"))

    async with stage.record("after_rejudge_page") as doomed:
        with suppress(RemoteError):
            await doomed.ApplyRejudge(apply)
    async with stage.record() as record:
        with suppress(RemoteError):
            await record.ApplyRejudge(apply, timeout=DEADLINE)
        await reached(record, rejudge, record_pb2.REJUDGE_STATE_APPLIED)
        seen = await preview(record, rejudge)
        assert (seen.submissions, seen.applied, seen.dropped) == (MANY, MANY, 0)
    assert stage.execute(STANDINGS) == [("archived", MANY), ("head", MANY)]
    assert stage.execute(SUPERSEDED) == [(MANY,)]


async def test_a_rejudge_of_several_pages_is_thrown_away_though_it_is_killed(stage: Stage) -> None:
    await stage.judge(SEVERAL_PAGES)
    rejudge = str(uuid4())
    start = record_pb2.StartRejudgeRequest(
        actor=ADMIN, rejudge_id=rejudge, filter=record_pb2.SubmissionFilter(question_id=str(QUESTION))
    )
    discard = record_pb2.DiscardRejudgeRequest(actor=ADMIN, rejudge_id=rejudge)
    async with stage.record() as record:
        await record.StartRejudge(start)
        await reached(record, rejudge, record_pb2.REJUDGE_STATE_OPEN)
    async with stage.record("after_rejudge_page") as doomed:
        with suppress(RemoteError):
            await doomed.DiscardRejudge(discard)
    async with stage.record() as record:
        await reached(record, rejudge, record_pb2.REJUDGE_STATE_DISCARDED)
    assert stage.execute(STANDINGS) == [("discarded", SEVERAL_PAGES), ("head", SEVERAL_PAGES)]


async def reached(
    record: RecordServiceAsyncStub, rejudge: str, state: record_pb2.RejudgeState.ValueType
) -> None:
    async def is_reached() -> bool:
        return (await preview(record, rejudge)).state == state

    await eventually(is_reached)


async def preview(record: RecordServiceAsyncStub, rejudge: str) -> record_pb2.PreviewRejudgeResponse:
    return await record.PreviewRejudge(record_pb2.PreviewRejudgeRequest(actor=ADMIN, rejudge_id=rejudge))
