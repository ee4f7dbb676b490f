"""What waits, what runs and how fast, as operators are told."""

from __future__ import annotations

from datetime import timedelta

from apps.record.tests.contract.test_queries import WORKER, judged, submitted
from apps.record.tests.fakes import StoppedClock
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.testing import ALICE, ROOT
from deepoj_record.container import Container
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.workload import WorkerAttempts, Workload


async def looked(container: Container) -> Workload:
    found = await container.count_use_cases().workload(ROOT)
    assert isinstance(found, Workload)
    return found


async def test_waiting_and_running_and_the_rates_of_late(container: Container, clock: StoppedClock) -> None:
    assert (await looked(container)).rates.wait_p50 is None
    for _ in range(2):
        await judged(container)
    running = await submitted(container)
    clock.advance(30)
    await container.worker_use_cases().claim(WORKER, [running])
    since = clock()
    for language in ("cpp17", "cpp17", "python3"):
        await submitted(container, language=language)
    clock.advance(10)
    found = await looked(container)
    assert {(each.language, each.submissions, each.oldest_wait) for each in found.waiting} == {
        ("cpp17", 2, timedelta(seconds=10)), ("python3", 1, timedelta(seconds=10))
    }  # fmt: skip
    assert [(each.submission_id, each.worker, each.since) for each in found.running] == [
        (running, WORKER, since)
    ]
    assert (found.rates.per_minute, found.rates.wait_p50, found.rates.wait_p95) == (
        0.2, timedelta(0), timedelta(0)
    )  # fmt: skip
    assert (found.redis, found.objects) == (True, True)
    clock.advance(601)
    assert (await looked(container)).rates.per_minute == 0


async def test_which_worker_had_what_and_when(container: Container, clock: StoppedClock) -> None:
    old = await judged(container)
    clock.advance(601)
    lost = await submitted(container)
    await container.worker_use_cases().claim(WORKER, [lost])
    began = clock()
    clock.advance(600)
    done = await judged(container)
    found = await container.count_use_cases().attempts(ROOT, timedelta(minutes=10))
    assert isinstance(found, WorkerAttempts)
    told = [(each.submission_id, each.worker, each.outcome) for each in found.attempts]
    assert told == [(lost, WORKER, None), (done, WORKER, AttemptOutcome.FINISHED)], f"and not {old}"
    assert (found.attempts[0].started_at, found.attempts[0].ended_at, found.cut) == (began, None, False)


async def test_it_is_for_judges_and_admins(container: Container) -> None:
    counts = container.count_use_cases()
    for actor in (None, Actor(ALICE, Role.CONTESTANT), Actor(ALICE, Role.SETTER)):
        assert await counts.workload(actor) == Refused(QueryRefusal.NOT_ALLOWED)
        assert await counts.attempts(actor, timedelta(minutes=1)) == Refused(QueryRefusal.NOT_ALLOWED)
