"""How the system is, in one sentence: the worst of what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec
import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.queries.now import ReadNow
from deepoj_bff.queries.views.admin import DeadLetterGroup, DeadLetterGroups, QueueStats, Worker, Workers
from deepoj_bff.queries.views.now import Now, RunningJob, Trouble, WaitingGroup, Workload
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


def waiting(language: str = "cpp17", oldest: int = 1000, needs: str = "") -> WaitingGroup:
    return WaitingGroup(
        lane=Lane.HEAVY, band=Band.NORMAL, language=language, submissions=3, oldest_wait=oldest, needs=needs
    )


def a_worker(*languages: str, layers: Sequence[str] = ()) -> Worker:
    return Worker(
        name="w1", version="1", started_at=SINCE, seen_at=SINCE, running=1, capacity=2,
        languages=list(languages), layers=list(layers),
    )  # fmt: skip


DRAINED = msgspec.structs.replace(a_worker("cpp17"), drained="new kernel", held_back=True)


def in_trouble(*, held_back: bool) -> Worker:
    return msgspec.structs.replace(a_worker("cpp17"), trouble="cpp17: slow", held_back=held_back)


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


Break = Callable[[Door], None]


def told(service: str, method: str, answer: msgspec.Struct) -> Break:
    def tell(door: Door) -> None:
        door.services.answers[service, method] = answer

    return tell


def stop_answering(door: Door) -> None:
    door.probe.serves = False


def queues(**found: int) -> Break:
    return told("record", "QueueStats", msgspec.structs.replace(QUIET, **found))


# What breaks, and what is said of it, the worst first.
TROUBLES: dict[Trouble, tuple[list[Break], str]] = {
    Trouble.PROCESS_AWAY: ([stop_answering], "1 of our services do not answer: record."),
    Trouble.STORE_AWAY: (
        [told("record", "GetWorkload", work(redis=False))],
        "1 of our stores do not answer: Redis.",
    ),
    Trouble.NO_WORKER: (
        [
            told("record", "GetWorkload", work(waiting())),
            told("judgement", "ListWorkers", Workers(workers=[])),
        ],
        "3 submissions wait and no judge worker takes jobs.",
    ),
    Trouble.NO_WORKER_FOR_LANGUAGE: (
        [told("record", "GetWorkload", work(waiting("rust")))],
        "3 submissions wait for a worker that has rust.",
    ),
    Trouble.NO_ABLE_WORKER: (
        [told("record", "GetWorkload", work(waiting(needs="cpp17,python3@4096")))],
        "3 submissions wait for a worker that has cpp17, python3, and 4096 MiB for a program.",
    ),
    Trouble.WORKER_LOST: ([queues(stalled=1)], "1 submissions were taken by workers that are silent."),
    Trouble.WORKER_HELD_BACK: (
        [told("judgement", "ListWorkers", Workers(workers=[in_trouble(held_back=True)]))],
        "1 judge workers take no jobs, as canaries are wrong or slow: w1.",
    ),
    Trouble.WORKER_SLOW: (
        [told("judgement", "ListWorkers", Workers(workers=[in_trouble(held_back=False)]))],
        "1 judge workers are slower than they were; no other can take over: w1.",
    ),
    Trouble.WAITS_LONG: (
        [told("record", "GetWorkload", work(waiting(oldest=61_000)))],
        "3 submissions wait in the heavy normal queue, the oldest for 61 s.",
    ),
    Trouble.OUTBOX_STUCK: (
        [queues(outbox_pending=5, outbox_oldest_wait=61_000)],
        "5 messages wait to be sent, the oldest for 61 s.",
    ),
    Trouble.DEAD_LETTERS: ([queues(dead=2)], "2 submissions could not be judged."),
    Trouble.ISOLATION_DEGRADED: (
        [
            told(
                "judgement",
                "ListWorkers",
                Workers(workers=[a_worker("cpp17", layers=["seccomp", "degraded: no"])]),
            )
        ],
        "1 judge workers run programs with less isolation than they should: w1.",
    ),
    Trouble.WORKER_DRAINED: (
        [told("judgement", "ListWorkers", Workers(workers=[DRAINED]))],
        "1 judge workers were taken out of service by an operator: w1.",
    ),
}


@pytest.mark.parametrize("cause", Trouble)
async def test_each_trouble_has_its_sentence_and_says_what_to_look_at(door: Door, cause: Trouble) -> None:
    breaks, sentence = TROUBLES[cause]
    for each in breaks:
        each(door)
    found = await door.now()
    assert (found.sentence_code, found.sentence) == (cause, sentence)
    assert [each.cause for each in found.stuck] == [cause]
    assert all(each.hint for each in found.stuck)


async def test_of_several_troubles_the_worst_is_the_sentence_and_all_are_told(door: Door) -> None:
    door.services.answers["record", "QueueStats"] = msgspec.structs.replace(QUIET, stalled=1, dead=2)
    door.services.answers["record", "GetWorkload"] = work(waiting("rust"), redis=False)
    stop_answering(door)
    found = await door.now()
    assert found.sentence_code == "process_away"
    assert [each.cause for each in found.stuck] == [
        "process_away", "store_away", "no_worker_for_language", "worker_lost", "dead_letters"
    ]  # fmt: skip


async def test_a_message_that_has_just_been_written_is_nothing_to_tell(door: Door) -> None:
    queues(outbox_pending=5, outbox_oldest_wait=2_000)(door)
    assert (await door.now()).sentence_code is None


async def test_a_database_that_record_cannot_read_is_away_and_nothing_is_called_well(door: Door) -> None:
    for method in ("QueueStats", "GetWorkload", "ListDeadLetterGroups"):
        door.services.answers["record", method] = AWAY
    found = await door.now()
    assert (found.sentence_code, found.sentence) == (
        "store_away", "1 of our stores do not answer: PostgreSQL."
    )  # fmt: skip
    assert (found.stores.postgres, found.stores.redis) == (False, None)


async def test_what_nobody_can_say_is_neither_well_nor_broken(door: Door) -> None:
    door.services.answers = dict.fromkeys(door.services.answers, AWAY)
    door.probe.serves = False
    found = await door.now()
    assert (found.sentence_code, found.rates, found.workers) == ("process_away", None, [])
    assert (found.stores.postgres, found.stores.redis, found.stores.outbox) == (None, None, None)


async def test_a_short_queue_is_nothing_to_tell(door: Door) -> None:
    door.services.answers["record", "GetWorkload"] = work(waiting())
    assert (await door.now()).sentence_code is None


async def test_who_holds_back_is_no_worker_for_what_waits(door: Door) -> None:
    told("record", "GetWorkload", work(waiting()))(door)
    told("judgement", "ListWorkers", Workers(workers=[in_trouble(held_back=True)]))(door)
    now = await door.now()
    assert [each.cause for each in now.stuck] == [Trouble.NO_WORKER, Trouble.WORKER_HELD_BACK]
    assert now.sentence_code is Trouble.NO_WORKER
    assert [(each.trouble, each.held_back) for each in now.workers] == [("cpp17: slow", True)]
