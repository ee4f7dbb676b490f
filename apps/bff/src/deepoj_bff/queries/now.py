"""How the system is now: asked of everybody who knows a part of it, whoever of them answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

import msgspec

from deepoj_bff.queries.encoded import Encoded, encode
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.queries.ports import Cache
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.admin import DeadLetterGroups, QueueStats, Workers
from deepoj_bff.queries.views.now import (
    Now,
    ProcessNow,
    Rates,
    Stores,
    Stuck,
    Trouble,
    WorkerNow,
    Workload,
)
from deepoj_domain.kernel.role import Actor

_SOON: Final = timedelta(seconds=2)
QUEUES: Final = Call("record", "QueueStats", QueueStats, _SOON)
WORKLOAD: Final = Call("record", "GetWorkload", Workload, _SOON)
WORKERS: Final = Call("judgement", "ListWorkers", Workers, _SOON)
DEAD_GROUPS: Final = Call("record", "ListDeadLetterGroups", DeadLetterGroups, _SOON)
_LONG_MS: Final = 60_000
_SENTENCES: Final = {
    Trouble.PROCESS_AWAY: "{count} of our services do not answer.",
    Trouble.STORE_AWAY: "{count} of our stores do not answer.",
    Trouble.NO_WORKER: "{count} submissions wait and no judge worker is alive.",
    Trouble.NO_WORKER_FOR_LANGUAGE: "{count} submissions wait for a worker that has {language}.",
    Trouble.WORKER_LOST: "{count} submissions were taken by workers that are silent.",
    Trouble.WAITS_LONG: "{count} submissions wait in the {lane} {band} queue, the oldest for {seconds} s.",
    Trouble.DEAD_LETTERS: "{count} submissions could not be judged.",
}
_HINTS: Final = {
    Trouble.PROCESS_AWAY: "look at `processes`, and at the logs of those that are away",
    Trouble.STORE_AWAY: "look at `stores`; what is accepted is kept and judged when they are back",
    Trouble.NO_WORKER: "start a judge worker",
    Trouble.NO_WORKER_FOR_LANGUAGE: "install the language on a judge host: `deepoj doctor` says how",
    Trouble.WORKER_LOST: "others take them over when the lease has ended; see why the workers are silent",
    Trouble.WAITS_LONG: "add a judge worker, or see what the running ones do",
    Trouble.DEAD_LETTERS: "read their errors in `dead_groups`, mend the cause and replay the group",
}
_WELL: Final = "Everything is well."


class ReadNow:
    """The same for all who may see it, and asked once for all of them."""

    def __init__(self, services: Services, health: GetHealth, cache: Cache) -> None:
        self._services = services
        self._health = health
        self._cache = cache

    async def __call__(self, actor: Actor | None) -> Encoded:
        async def load() -> bytes:
            return encode(await self._look(actor))

        return await self._cache.get("now", load)

    async def _look(self, actor: Actor | None) -> Now:
        queues, work, workers, dead, health = await asyncio.gather(
            self._services.optional(QUEUES, actor=actor),
            self._services.optional(WORKLOAD, actor=actor),
            self._services.optional(WORKERS, actor=actor),
            self._services.optional(DEAD_GROUPS, actor=actor),
            self._health(),
        )
        processes = [
            ProcessNow(name=name, ok=ok, why=None if ok else "it does not answer")
            for name, ok in health.services.items()
        ]
        stores = Stores(
            postgres=None if work is None else queues is not None,
            redis=None if work is None else work.redis,
            objects=None if work is None else work.objects,
            outbox=None if queues is None else queues.outbox_pending,
        )
        stuck = [*_away(processes, stores), *_waiting(work, workers), *_failed(queues)]
        worst = min(stuck, key=lambda each: list(Trouble).index(each.cause), default=None)
        return Now(
            sentence_code=None if worst is None else worst.cause,
            sentence=_WELL if worst is None else _sentence(worst),
            stuck=stuck,
            queues=[] if queues is None else queues.queues,
            workers=_workers(work, workers),
            rates=None if work is None else _rates(work),
            stores=stores,
            processes=processes,
            dead_groups=[] if dead is None else dead.groups,
        )


def _away(processes: Sequence[ProcessNow], stores: Stores) -> Iterator[Stuck]:
    if count := sum(not each.ok for each in processes):
        yield _stuck(Trouble.PROCESS_AWAY, count)
    if count := [stores.postgres, stores.redis, stores.objects].count(False):
        yield _stuck(Trouble.STORE_AWAY, count)


def _waiting(work: Workload | None, workers: Workers | None) -> Iterator[Stuck]:
    alive = [] if workers is None else workers.workers
    languages = {language for each in alive for language in each.languages}
    for group in work.waiting if work else ():
        if workers is not None and not alive:
            cause = Trouble.NO_WORKER
        elif workers is not None and group.language not in languages:
            cause = Trouble.NO_WORKER_FOR_LANGUAGE
        elif group.oldest_wait > _LONG_MS:
            cause = Trouble.WAITS_LONG
        else:
            continue
        yield Stuck(
            cause=cause,
            count=group.submissions,
            hint=_HINTS[cause],
            language=group.language,
            lane=group.lane,
            band=group.band,
            oldest_wait=group.oldest_wait,
        )


def _failed(queues: QueueStats | None) -> Iterator[Stuck]:
    if queues is not None and queues.stalled:
        yield _stuck(Trouble.WORKER_LOST, queues.stalled)
    if queues is not None and queues.dead:
        yield _stuck(Trouble.DEAD_LETTERS, queues.dead)


def _stuck(cause: Trouble, count: int) -> Stuck:
    return Stuck(cause=cause, count=count, hint=_HINTS[cause])


def _sentence(stuck: Stuck) -> str:
    seconds = (stuck.oldest_wait or 0) // 1000
    return _SENTENCES[stuck.cause].format(
        count=stuck.count, language=stuck.language, lane=stuck.lane, band=stuck.band, seconds=seconds
    )


def _rates(work: Workload) -> Rates:
    return Rates(per_minute=work.per_minute, wait_p50=work.wait_p50, wait_p95=work.wait_p95)


def _workers(work: Workload | None, workers: Workers | None) -> list[WorkerNow]:
    jobs = [] if work is None else work.running
    return [
        WorkerNow(**msgspec.structs.asdict(each), jobs=[job for job in jobs if job.worker == each.name])
        for each in (workers.workers if workers else ())
    ]
