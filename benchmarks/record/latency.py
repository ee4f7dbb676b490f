"""How long a submission takes through an idle record: from Submit to the finished state being readable.

A worker that does nothing reads the stream, claims and finalizes at once, so what is left is ours: gRPC,
PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import time
from statistics import median, quantiles
from typing import cast
from uuid import uuid4

from redis.asyncio import Redis

from benchmarks.record.stage import served, stage
from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.testing import ALICE, QUESTION, a_result
from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, Service
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub
from deepoj_record.inbound.grpc.judge_results import RESULT

ACTOR = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
STREAM = Streams("bench").jobs(Lane.HEAVY, Band.NORMAL)
MOST, WARM_UP = 5000, 20


async def measure(count: int) -> dict[str, float]:
    with stage() as made:
        async with served(made, made.fresh("idle")) as service, Redis.from_url(made.redis_url) as redis:
            times = await one_by_one(service, redis, count + WARM_UP)
            service.process.stop()
    found: dict[str, float] = {}
    for index, name in enumerate(("submit_ms", "to_stream_ms", "to_finished_ms")):
        values = [1000 * each[index] for each in times[WARM_UP:]]
        found[f"{name}_p50"] = round(median(values), 2)
        found[f"{name}_p95"] = round(quantiles(values, n=20)[-1], 2)
    return found


async def one_by_one(service: Service, redis: Redis, count: int) -> list[tuple[float, float, float]]:
    document = RESULT.encode(a_result())
    times: list[tuple[float, float, float]] = []
    last = "0-0"
    async with connect(service.address, Secret(TOKEN)) as channel:
        record, worker = RecordServiceStub(channel), WorkerServiceStub(channel)
        for _ in range(count):
            reading = asyncio.create_task(next_entry(redis, last))
            await asyncio.sleep(0)
            started = time.perf_counter()
            job = (await record.Submit(a_request())).submission_id
            answered = time.perf_counter()
            last = await reading
            queued = time.perf_counter()
            [claimed] = (await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=[job]))).outcomes
            attempt = record_pb2.AttemptRef(job_id=job, attempt_id=claimed.claimed.attempt_id)
            finished = record_pb2.FinishedJob(attempt=attempt, document=document)
            await worker.Finalize(record_pb2.FinalizeRequest(worker="w", jobs=[finished]))
            done = time.perf_counter()
            times.append((answered - started, queued - started, done - started))
    return times


async def next_entry(redis: Redis, last: str) -> str:
    reply = await redis.xread({STREAM: last}, count=1, block=4000)
    return cast("list[tuple[bytes, list[tuple[bytes, object]]]]", reply)[0][1][0][0].decode()


def a_request() -> record_pb2.SubmitRequest:
    return record_pb2.SubmitRequest(
        actor=ACTOR,
        submission_id=str(uuid4()),
        question_id=str(QUESTION),
        language="cpp17",
        source="int main() {}",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--submissions", type=int, default=200, help=f"how many, 2 to {MOST} (200)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if not 2 <= arguments.submissions <= MOST:  # noqa: PLR2004 — quantiles need two
        parser.error(f"2 to {MOST} submissions")
    logging.disable(logging.INFO)
    found = asyncio.run(measure(arguments.submissions))
    print(json.dumps(found) if arguments.json else "\n".join(f"{k} {v}" for k, v in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
