"""How the system is now: asked of everybody who knows a part of it, whoever of them answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

import msgspec

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.health import GetHealth, SystemHealth
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.admin import DeadLetterGroups, QueueStats, Worker, Workers
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
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.route import Abilities, Needs

_SOON: Final = timedelta(seconds=2)
QUEUES: Final = Call("record", "QueueStats", QueueStats, _SOON)
WORKLOAD: Final = Call("record", "GetWorkload", Workload, _SOON)
WORKERS: Final = Call("judgement", "ListWorkers", Workers, _SOON)
DEAD_GROUPS: Final = Call("record", "ListDeadLetterGroups", DeadLetterGroups, _SOON)
_LONG_MS: Final = 60_000
_DEGRADED: Final = "degraded:"
_SENTENCES: Final = {
    Trouble.PROCESS_AWAY: "{count} of our services do not answer: {names}.",
    Trouble.STORE_AWAY: "{count} of our stores do not answer: {names}.",
    Trouble.NO_WORKER: "{count} submissions wait and no judge worker takes jobs.",
    Trouble.NO_WORKER_FOR_LANGUAGE: "{count} submissions wait for a worker that has {language}.",
    Trouble.NO_ABLE_WORKER: "{count} submissions wait for a worker that has {needs}.",
    Trouble.WORKER_LOST: "{count} submissions were taken by workers that are silent.",
    Trouble.WORKER_HELD_BACK: "{count} judge workers take no jobs, as canaries are wrong or slow: {names}.",
    Trouble.WAITS_LONG: "{count} submissions wait in the {lane} {band} queue, the oldest for {seconds} s.",
    Trouble.OUTBOX_STUCK: "{count} messages wait to be sent, the oldest for {seconds} s.",
    Trouble.DEAD_LETTERS: "{count} submissions could not be judged.",
    Trouble.WORKER_SLOW: "{count} judge workers are slower than they were; no other can take over: {names}.",
    Trouble.ISOLATION_DEGRADED: (
        "{count} judge workers run programs with less isolation than they should: {names}."
    ),
    Trouble.WORKER_DRAINED: "{count} judge workers were taken out of service by an operator: {names}.",
}
_HINTS: Final = {
    Trouble.PROCESS_AWAY: "look at `processes`, and at the logs of those that are away",
    Trouble.STORE_AWAY: "look at `stores`; what is accepted is kept and judged when they are back",
    Trouble.NO_WORKER: "start a judge worker, mend those that hold back, or resume those that are drained",
    Trouble.NO_WORKER_FOR_LANGUAGE: "install the language on a judge host: `deepoj doctor` says how",
    Trouble.NO_ABLE_WORKER: "the workers' `languages` and `memory_mib` say what each has; add one",
    Trouble.WORKER_LOST: "others take them over when the lease has ended; see why the workers are silent",
    Trouble.WORKER_HELD_BACK: "their `trouble` says what, in which language; they come back when it is over",
    Trouble.WAITS_LONG: "add a judge worker, or see what the running ones do",
    Trouble.OUTBOX_STUCK: "see whether the relay of record runs, and what its log says",
    Trouble.DEAD_LETTERS: "read their errors in `dead_groups`, mend the cause and replay the group",
    Trouble.WORKER_SLOW: "see what else runs on that host, and whether its processor is throttled",
    Trouble.ISOLATION_DEGRADED: "their `layers` say what is missing, `deepoj doctor` there how to mend it",
    Trouble.WORKER_DRAINED: "their `drained` says why; `deepoj worker resume NAME` puts one back",
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
            postgres=_is_read(health, queues, work),
            redis=None if work is None else work.redis,
            objects=None if work is None else work.objects,
            outbox=None if queues is None else queues.outbox_pending,
        )
        stuck = [*_away(processes, stores), *_waiting(work, workers), *_failed(queues), *_about(workers)]
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


def _is_read(health: SystemHealth, queues: QueueStats | None, work: Workload | None) -> bool | None:
    """Tell whether PostgreSQL answers: record, where it serves, has everything else to answer with."""
    if queues is not None or work is not None:
        return True
    return False if health.services.get(QUEUES.service) else None


def _away(processes: Sequence[ProcessNow], stores: Stores) -> Iterator[Stuck]:
    if silent := [each.name for each in processes if not each.ok]:
        yield _of(Trouble.PROCESS_AWAY, silent)
    answers = {"PostgreSQL": stores.postgres, "Redis": stores.redis, "S3": stores.objects}
    if silent := [name for name, there in answers.items() if there is False]:
        yield _of(Trouble.STORE_AWAY, silent)


def _waiting(work: Workload | None, workers: Workers | None) -> Iterator[Stuck]:
    alive = [each for each in workers.workers if not each.held_back] if workers else []
    languages = {language for each in alive for language in each.languages}
    for group in work.waiting if work else ():
        if workers is not None and not alive:
            cause = Trouble.NO_WORKER
        elif workers is not None and group.language not in languages:
            cause = Trouble.NO_WORKER_FOR_LANGUAGE
        elif workers is not None and not _is_met(group.needs, alive):
            cause = Trouble.NO_ABLE_WORKER
        elif group.oldest_wait > _LONG_MS:
            cause = Trouble.WAITS_LONG
        else:
            continue
        yield Stuck(
            cause=cause,
            count=group.submissions,
            hint=_HINTS[cause],
            names=[],
            language=group.language,
            needs=Needs.parse(group.needs).words if cause is Trouble.NO_ABLE_WORKER else None,
            lane=group.lane,
            band=group.band,
            oldest_wait=group.oldest_wait,
        )


def _is_met(text: str, alive: Sequence[Worker]) -> bool:
    needs = Needs.parse(text)
    return any(_abilities(each).meet(needs) for each in alive)


def _abilities(worker: Worker) -> Abilities:
    languages = frozenset(LanguageSlug(each) for each in worker.languages)
    return Abilities(languages=languages, memory_mib=worker.memory_mib)


def _failed(queues: QueueStats | None) -> Iterator[Stuck]:
    if queues is not None and queues.stalled:
        yield _stuck(Trouble.WORKER_LOST, queues.stalled)
    if queues is not None and (queues.outbox_oldest_wait or 0) > _LONG_MS:
        yield _stuck(Trouble.OUTBOX_STUCK, queues.outbox_pending, queues.outbox_oldest_wait)
    if queues is not None and queues.dead:
        yield _stuck(Trouble.DEAD_LETTERS, queues.dead)


def _about(workers: Workers | None) -> Iterator[Stuck]:
    alive = [] if workers is None else workers.workers
    if held_back := [each.name for each in alive if each.held_back and each.trouble]:
        yield _of(Trouble.WORKER_HELD_BACK, held_back)
    if slow := [each.name for each in alive if each.trouble and not each.held_back]:
        yield _of(Trouble.WORKER_SLOW, slow)
    if exposed := [each.name for each in alive if any(layer.startswith(_DEGRADED) for layer in each.layers)]:
        yield _of(Trouble.ISOLATION_DEGRADED, exposed)
    if drained := [each.name for each in alive if each.drained]:
        yield _of(Trouble.WORKER_DRAINED, drained)


def _of(cause: Trouble, names: list[str]) -> Stuck:
    return Stuck(cause=cause, count=len(names), hint=_HINTS[cause], names=names)


def _stuck(cause: Trouble, count: int, oldest_wait: int | None = None) -> Stuck:
    return Stuck(cause=cause, count=count, hint=_HINTS[cause], names=[], oldest_wait=oldest_wait)


def _sentence(stuck: Stuck) -> str:
    seconds = (stuck.oldest_wait or 0) // 1000
    told = msgspec.structs.asdict(stuck) | {"names": ", ".join(stuck.names)}
    return _SENTENCES[stuck.cause].format(**told, seconds=seconds)


def _rates(work: Workload) -> Rates:
    return Rates(per_minute=work.per_minute, wait_p50=work.wait_p50, wait_p95=work.wait_p95)


def _workers(work: Workload | None, workers: Workers | None) -> list[WorkerNow]:
    jobs = [] if work is None else work.running
    return [
        WorkerNow(**msgspec.structs.asdict(each), jobs=[job for job in jobs if job.worker == each.name])
        for each in (workers.workers if workers else ())
    ]
