"""Logs of submissions are kept as long as the operator says."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from apps.record.tests.fakes import StoppedClock
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_kit.ids import first_id_at
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container

DAY, KEEP, MOMENT = timedelta(days=1), timedelta(days=30), timedelta(milliseconds=1)


async def test_logs_of_older_submissions_are_deleted_and_no_others(
    container: Container, clock: StoppedClock
) -> None:
    def log(age: timedelta, name: str) -> str:
        return f"submissions/{first_id_at(clock() - age)}/attempts/1/{name}"

    old = [
        log(KEEP * 2, "compile.log"),
        log(KEEP + MOMENT, "case_1.stdout"),
        log(KEEP + MOMENT, "result.json"),
    ]
    kept = [log(KEEP, "result.json"), log(timedelta(0), "result.json"), "data/0123", "submissions.txt"]
    async with container.object_store() as store:
        for key in (*old, *kept):
            await store.put(key, b"text")
        assert await container.logs().purge(KEEP) == len(old)
        assert [key for key in (*old, *kept) if await store.exists(key)] == kept
        assert await container.logs().purge(KEEP) == 0


async def test_logs_of_submissions_that_are_not_there_are_deleted(
    container: Container, clock: StoppedClock
) -> None:
    week = timedelta(days=7)
    there, gone, young = first_id_at(clock() - week), first_id_at(clock() - week * 2), first_id_at(clock())
    await submit(container, there)
    kept = [f"submissions/{there}/attempts/1/result.json", f"submissions/{young}/attempts/1/result.json",
            "submissions/.not-ours", "data/0123"]  # fmt: skip
    lost = [f"submissions/{gone}/attempts/{number}/result.json" for number in (1, 2)]
    async with container.object_store() as store:
        for key in (*kept, *lost):
            await store.put(key, b"text")
        tried = await container.sweep_logs()(DAY, dry_run=True)
        assert (tried.objects, tried.deleted_objects, tried.deleted_bytes) == (3, 2, 8)
        assert await container.sweep_logs()(DAY) == tried
        assert [key for key in (*kept, *lost) if await store.exists(key)] == kept


async def submit(container: Container, submission_id: UUID) -> None:
    request = SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(submission_id),
        idempotency_key="",
        question_id=QUESTION,
        game_id=None,
        language="cpp17",
        source="int main() {}",
    )
    assert isinstance(await container.submission_use_cases().submit(request), Accepted)
