"""What record.Submit, Claim and Finalize cost, beside the same statements without gRPC, domain and Python.

The same statements are sent three times: by record in a process of its own over gRPC, by record's commands
called in this process, and bare from a list. Read the ratios: the machine may be busy.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar
from uuid import UUID, uuid4

from apps.record.tests.fakes import MemoryCatalogue
from benchmarks.record.stage import Call, Recorder, in_process, served, stage
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, QUESTION, a_result
from deepoj_kit.grpc import connect
from deepoj_kit.postgres import Database, DatabaseOptions
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, Service
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.ports import QuestionFacts
from deepoj_record.commands.submit import SubmitRequest
from deepoj_record.container import Container
from deepoj_record.inbound.grpc.judge_results import RESULT

T = TypeVar("T")
SOURCE = "int main() { return 0; }\n" * 20
WORKER = WorkerId("bench")
MOST, LARGEST_BATCH = 20_000, 256


async def spread(work: Sequence[T], width: int, do: Callable[[T], Awaitable[object]]) -> float:
    """Do all of it, `width` at a time; return the seconds it took."""
    left = iter(work)

    async def one() -> None:
        for item in left:
            await do(item)

    started = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(width)))
    return time.perf_counter() - started


def batches(ids: Sequence[UUID], size: int) -> list[list[UUID]]:
    return [list(ids[start : start + size]) for start in range(0, len(ids), size)]


async def over_grpc(service: Service, ids: Sequence[UUID], width: int, batch: int) -> tuple[float, float]:
    actor = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
    document = RESULT.encode(a_result())
    async with connect(service.address, Secret(TOKEN)) as channel:
        record, worker = RecordServiceStub(channel), WorkerServiceStub(channel)

        async def submit(key: UUID) -> None:
            await record.Submit(
                record_pb2.SubmitRequest(
                    actor=actor,
                    submission_id=str(key),
                    question_id=str(QUESTION),
                    language="cpp17",
                    source=SOURCE,
                )
            )

        async def judge(keys: list[UUID]) -> None:
            texts = [str(key) for key in keys]
            claimed = await worker.Claim(record_pb2.ClaimRequest(worker=WORKER, job_ids=texts))
            jobs = [
                record_pb2.FinishedJob(
                    attempt=record_pb2.AttemptRef(job_id=each.job_id, attempt_id=each.claimed.attempt_id),
                    document=document,
                )
                for each in claimed.outcomes
            ]
            await worker.Finalize(record_pb2.FinalizeRequest(worker=WORKER, jobs=jobs))

        await spread([uuid4() for _ in range(width)], width, submit)
        return await spread(ids, width, submit), await spread(batches(ids, batch), 4, judge)


async def by_commands(
    container: Container, recorder: Recorder, ids: Sequence[UUID], width: int, batch: int
) -> tuple[tuple[float, float], list[Call], list[Call]]:
    """Return the times, and the statements of both steps."""
    submit, workers = container.submission_use_cases().submit, container.worker_use_cases()

    async def one(key: UUID) -> None:
        await submit(
            SubmitRequest(
                actor=Actor(ALICE, Role.CONTESTANT),
                submission_id=SubmissionId(key),
                idempotency_key="",
                question_id=QUESTION,
                game_id=None,
                language="cpp17",
                source=SOURCE,
            )
        )

    async def judge(keys: list[UUID]) -> None:
        jobs = [SubmissionId(key) for key in keys]
        await workers.claim(WORKER, jobs)
        await workers.finalize(WORKER, [FinishedAttempt(job, 1, a_result()) for job in jobs])

    submitting = await spread(ids, width, one)
    submits = list(recorder.calls)
    judging = await spread(batches(ids, batch), 1, judge)
    return (submitting, judging), submits, recorder.calls[len(submits) :]


async def bare(url: str, calls: Sequence[Call], width: int) -> float:
    async with Database(url, DatabaseOptions(pool_max=8)) as database:

        async def send(call: Call) -> None:
            async with database.connection() as connection:
                cursor = await connection.execute(*call)
                await cursor.fetchall()

        return await spread(calls, width, send)


async def measure(count: int, width: int, batch: int, rows: int) -> dict[str, dict[str, float]]:
    facts = QuestionFacts(revision=RevisionRef(QUESTION, 1), languages=frozenset(), source_bytes=None)
    ids = [uuid4() for _ in range(count)]
    with stage() as made:
        async with served(made, made.fresh("over_grpc", rows)) as service:
            grpc_seconds = await over_grpc(service, ids, width, batch)
            service.process.stop()
        async with in_process(
            made, made.fresh("commands", rows), MemoryCatalogue({QUESTION: facts})
        ) as stores:
            container, recorder = stores
            command_seconds, submits, judging = await by_commands(container, recorder, ids, width, batch)
        url = made.fresh("bare", rows)
        # In order: the statements of one batch build on each other. Submits were gathered into few.
        bare_seconds = await bare(url, submits, 2), await bare(url, judging, 1)
    steps = zip(("submit", "claim_and_finalize"), grpc_seconds, command_seconds, bare_seconds, strict=True)
    return {
        name: {
            "grpc_per_s": round(count / over),
            "commands_per_s": round(count / inside),
            "bare_per_s": round(count / plain),
            "grpc_to_bare": round(over / plain, 2),
            "commands_to_bare": round(inside / plain, 2),
        }
        for name, over, inside, plain in steps
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--submissions", type=int, default=1000, help="how many, up to 20000 (1000)")
    parser.add_argument("--concurrency", type=int, default=16, help="submits at the same time (16)")
    parser.add_argument("--batch", type=int, default=16, help="jobs in one claim and one finalize (16)")
    parser.add_argument("--rows", type=int, default=0, help="judged submissions already there (0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if not 1 <= arguments.submissions <= MOST or not 1 <= arguments.batch <= LARGEST_BATCH:
        parser.error(f"1 to {MOST} submissions in batches of 1 to {LARGEST_BATCH}")
    logging.disable(logging.INFO)
    found = asyncio.run(
        measure(arguments.submissions, arguments.concurrency, arguments.batch, arguments.rows)
    )
    if arguments.json:
        print(json.dumps(found))
        return 0
    for name, numbers in found.items():
        print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in numbers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
