"""How the system is, in one sentence: the worst of what is wrong."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from deepoj_bff.inbound.http.testing import ToldServices
from deepoj_bff.outbound.cache.answers import AnswerCache, Lifetimes
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.queries.now import ReadNow
from deepoj_bff.queries.views.admin import DeadLetterGroup, DeadLetterGroups, QueueStats, Worker, Workers
from deepoj_bff.queries.views.now import Now, RunningJob, WaitingGroup, Workload
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.testing import ROOT
from deepoj_kit.grpc import Kind, RemoteError

AWAY = RemoteError(Kind.UNAVAILABLE, "away", "try later")
QUIET = QueueStats(queues=[], running=0, stalled=0, dead=0, outbox_pending=0)
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
JOB = RunningJob(submission_id="s", language="cpp17", worker="w1", since=SINCE)
DEAD = DeadLetterGroup(
    group="g", reason="attempts_exhausted", last_error="no disk", submissions=2, first_died_at=SINCE,
    last_died_at=SINCE, languages=["cpp17"],
)  # fmt: skip


class Probe:
    def __init__(self) -> None:
        self.serves = True

    async def is_serving(self) -> bool:
        return self.serves


def work(*waiting: WaitingGroup, redis: bool = True) -> Workload:
    return Workload(
        waiting=list(waiting),
        running=[JOB],
        per_minute=1.5,
        wait_p50=10,
        wait_p95=20,
        redis=redis,
        objects=True,
    )


def waiting(language: str = "cpp17", oldest: int = 1000) -> WaitingGroup:
    return WaitingGroup(
        lane=Lane.HEAVY, band=Band.NORMAL, language=language, submissions=3, oldest_wait=oldest
    )


def a_worker(*languages: str) -> Worker:
    return Worker(
        name="w1", version="1", started_at=SINCE, seen_at=SINCE, running=1, capacity=2,
        languages=list(languages), layers=[],
    )  # fmt: skip


class Door:
    def __init__(self) -> None:
        self.services = ToldServices(
            {
                ("record", "QueueStats"): QUIET,
                ("record", "GetWorkload"): work(),
                ("record", "ListDeadLetterGroups"): DeadLetterGroups(groups=[DEAD]),
                ("judgement", "ListWorkers"): Workers(workers=[a_worker("cpp17")]),
            }
        )
        self.probe = Probe()
        cache = AnswerCache(Lifetimes(fresh=0.0, stale=0.0), None, lambda _: None)
        self.read = ReadNow(self.services, GetHealth({"record": self.probe}), cache)

    async def now(self) -> Now:
        return msgspec.json.decode((await self.read(ROOT)).body or b"", type=Now)


@pytest.fixture
def door() -> Door:
    return Door()


async def test_when_all_is_well_it_says_so_with_the_numbers(door: Door) -> None:
    now = await door.now()
    assert (now.sentence_code, now.sentence, now.stuck) == (None, "Everything is well.", [])
    assert [(each.name, each.jobs) for each in now.workers] == [("w1", [JOB])]
    assert now.rates is not None
    assert (now.rates.per_minute, now.rates.wait_p95) == (1.5, 20)
    assert (now.stores.postgres, now.stores.redis, now.stores.objects, now.stores.outbox) == (
        True, True, True, 0
    )  # fmt: skip
    assert now.dead_groups == [DEAD]


async def test_each_trouble_has_its_sentence(door: Door) -> None:
    answers = door.services.answers
    answers["record", "QueueStats"] = QueueStats(queues=[], running=0, stalled=0, dead=2, outbox_pending=0)
    assert (await door.now()).sentence == "2 submissions could not be judged."
    answers["record", "GetWorkload"] = work(waiting(oldest=61_000))
    assert (await door.now()).sentence == (
        "3 submissions wait in the heavy normal queue, the oldest for 61 s."
    )
    answers["record", "QueueStats"] = QueueStats(queues=[], running=0, stalled=1, dead=2, outbox_pending=0)
    assert (await door.now()).sentence == "1 submissions were taken by workers that are silent."
    answers["record", "GetWorkload"] = work(waiting("rust"))
    assert (await door.now()).sentence == "3 submissions wait for a worker that has rust."
    answers["judgement", "ListWorkers"] = Workers(workers=[])
    assert (await door.now()).sentence == "3 submissions wait and no judge worker is alive."
    answers["record", "GetWorkload"] = work(redis=False)
    assert (await door.now()).sentence == "1 of our stores do not answer."
    door.probe.serves = False
    found = await door.now()
    assert found.sentence == "1 of our services do not answer."
    assert [each.cause for each in found.stuck] == [
        "process_away", "store_away", "worker_lost", "dead_letters"
    ]  # fmt: skip
    assert all(each.hint for each in found.stuck)


async def test_what_nobody_can_say_is_neither_well_nor_broken(door: Door) -> None:
    door.services.answers = dict.fromkeys(door.services.answers, AWAY)
    door.probe.serves = False
    found = await door.now()
    assert (found.sentence_code, found.rates, found.workers) == ("process_away", None, [])
    assert (found.stores.postgres, found.stores.redis, found.stores.outbox) == (None, None, None)


async def test_a_short_queue_is_nothing_to_tell(door: Door) -> None:
    door.services.answers["record", "GetWorkload"] = work(waiting())
    assert (await door.now()).sentence_code is None
