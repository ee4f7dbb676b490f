"""What an operator sees of a worker: logs, metrics, presence, kept logs of attempts."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.streams import Streams
from deepoj_kit.grpc import RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.services import TOKEN, Service
from deepoj_kit.testing.streams import entries
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from .conftest import Pipeline

METRICS = {
    "judge_exec_duration_seconds_bucket",
    "judge_exec_inflight",
    "judge_exec_total",
    "judge_output_truncated_total",
    "judge_protocol_errors_total",
    "judge_verdict_total",
    "worker_claim_total",
    "worker_finalize_errors_total",
    "worker_finalize_latency_ms_bucket",
    "worker_finalize_rejected_total",
    "worker_finalize_total",
    "worker_lease_heartbeat_total",
    "worker_reclaim_inflight",
    "worker_reclaim_latency_ms_bucket",
    "worker_reclaim_total",
    "worker_stale_attempt_total",
}
OUTBOX_METRICS = {"outbox_dispatch_total", "outbox_dispatch_latency_seconds_bucket", "outbox_pending"}
STEPS = {"fetch_spec", "judge_cache", "compile", "fetch_data", "run_cases", "aggregate"}
TALKS = "import sys\nprint(sum(map(int, input().split())))\nprint('hm', file=sys.stderr)\n"


async def test_one_job_is_seen_in_logs_one_trace_metrics_and_kept_files(pipeline: Pipeline) -> None:
    worker = await pipeline.worker()
    submission = await pipeline.submit(await pipeline.questions.add(), TALKS)
    result = (await pipeline.ended(submission)).submission.result
    await pipeline.drained()
    prefix = f"submissions/{submission}/attempts/1/"
    assert result.log_prefix == prefix

    of_job = lines_of(worker)[submission]
    assert {line["stage"] for line in of_job if "stage" in line} == STEPS
    assert {"claimed", "finalized"} <= {line["message"] for line in of_job}
    assert {line["attempt_id"] for line in of_job} == {1}
    told = lines_of(pipeline.records[0])[submission]
    # A heartbeat belongs to a job that takes long, as it may on a busy machine.
    assert {line["stage"] for line in told} - {"heartbeat"} == {"submit", "claim", "finalize"}
    assert {line["trace_id"] for line in of_job} == {submit_trace(told)}
    assert {line["trace_id"] for line in told} == {submit_trace(told)}

    page = worker.metrics()
    assert names(page) >= METRICS
    assert submission not in page, "no metric is labelled with a job (INV-6)"
    assert 'job_id="' not in page

    async def kept() -> bool:
        return await pipeline.objects.exists(prefix + "result.json")

    await eventually(kept)
    assert await pipeline.objects.read(prefix + "case_1.stdout") == b"3\n"
    assert await pipeline.objects.read(prefix + "case_2.stderr") == b"hm\n"
    manifest = json.loads(await pipeline.objects.read(prefix + "manifest.json"))
    assert manifest["revision"]["number"] == 1
    assert manifest["host"]["kernel"] == f"Linux {os.uname().release}"
    assert "seccomp" in manifest["host"]["layers"]
    assert manifest["source"] == hash_of(TALKS.encode())
    assert manifest["limits"]["cpu_ms"] >= 10_000
    resource = json.loads(await pipeline.objects.read(prefix + "case_1_resource.json"))
    assert (resource["schema_version"], resource["job_id"], resource["verdict"]) == (1, submission, "OK")


async def test_the_outbox_is_seen_in_the_numbers_of_record_and_its_relay(pipeline: Pipeline) -> None:
    relay = await pipeline.relay()
    await pipeline.submit(await pipeline.questions.add())

    def seen() -> bool:
        return names(relay.metrics()) | names(pipeline.records[0].metrics()) >= OUTBOX_METRICS

    await eventually(seen)


async def test_jobs_claimed_and_finalized_together_keep_each_its_own_trace(pipeline: Pipeline) -> None:
    question = await pipeline.questions.add()
    jobs = await asyncio.gather(*(pipeline.submit(question) for _ in range(100)))
    worker = await pipeline.worker(runner="noop")

    async def all_judged() -> bool:
        return await pipeline.count(record_pb2.STATUS_FINISHED) == len(jobs)

    await eventually(all_judged)
    await pipeline.drained()
    told, of_worker = lines_of(pipeline.records[0]), lines_of(worker)
    traces = {job: submit_trace(told[job]) for job in jobs}
    assert len(set(traces.values())) == len(jobs)
    for job in jobs:
        assert {"submit", "claim", "finalize"} <= {line["stage"] for line in told[job]}
        assert {"claimed", "finalized"} <= {line["message"] for line in of_worker[job]}
        assert {line["trace_id"] for line in told[job] + of_worker[job]} == {traces[job]}
    claims = re.findall(
        r'^deepoj_grpc_server_requests_total.*WorkerService/Claim"} (\S+)$',
        pipeline.records[0].metrics(), re.MULTILINE,
    )  # fmt: skip
    assert sum(map(float, claims)) < len(jobs), "or nothing shared a call"
    events = await entries(pipeline.redis, Streams(pipeline.settings["env"]).submission_events)
    about = [(json.loads(each["data"])["submission"]["id"], each["traceparent"][3:35]) for _, each in events]
    assert set(about) == set(traces.items())


async def test_workers_and_languages_are_listed_and_a_program_runs_on_a_given_input(
    pipeline: Pipeline,
) -> None:
    worker = await pipeline.worker(worker_name="host-1")
    async with connect(worker.address, Secret(TOKEN)) as channel:
        judgement = JudgementServiceStub(channel)
        asked = judgement_pb2.ListWorkersRequest(actor=common_pb2.Actor(role=common_pb2.ROLE_JUDGE))

        async def announced() -> bool:
            return bool((await judgement.ListWorkers(asked)).workers)

        await eventually(announced)
        assert "workers_alive 1.0" in worker.metrics()
        [found] = (await judgement.ListWorkers(asked)).workers
        for role in (common_pb2.ROLE_GUEST, common_pb2.ROLE_CONTESTANT, common_pb2.ROLE_SETTER):
            asked.actor.role = role
            with pytest.raises(RemoteError, match="for judges and admins"):
                await judgement.ListWorkers(asked)
        assert (found.name, found.running, found.capacity) == ("host-1", 0, 1)
        assert "python3" in found.languages
        assert "seccomp" in found.layers
        assert await pipeline.redis.ttl(f"deepoj:{pipeline.settings['env']}:workers:host-1") > 0
        listed = await judgement.ListLanguages(judgement_pb2.ListLanguagesRequest())
        languages = {language.slug: language for language in listed.languages}
        assert languages["python3"].available
        assert languages["cpp17"].lane == judging_pb2.LANE_HEAVY
        assert all(language.install_hint for language in languages.values())
        ran = await judgement.Run(
            judgement_pb2.RunRequest(language="python3", source="print(input() * 2)", input=b"ab\n"),
            timeout=PATIENCE,
        )
        assert (ran.verdict, ran.stdout) == (judgement_pb2.SANDBOX_VERDICT_OK, b"abab\n")
        broken = await judgement.Run(
            judgement_pb2.RunRequest(language="c11", source="nonsense", input=b""), timeout=PATIENCE
        )
        assert "error" in broken.compile_error
    await asyncio.to_thread(worker.process.stop, PATIENCE)
    assert await pipeline.redis.exists(f"deepoj:{pipeline.settings['env']}:workers:host-1") == 0


async def test_inv_7_a_worker_judges_with_either_runner(pipeline: Pipeline) -> None:
    await pipeline.worker(runner="one_shot")
    submission = await pipeline.submit(await pipeline.questions.add())
    result = (await pipeline.ended(submission)).submission.result
    assert result.verdict == judging_pb2.VERDICT_ACCEPTED


async def test_an_identical_submission_is_answered_from_the_judge_cache(pipeline: Pipeline) -> None:
    """The result is the same, its logs are its own."""
    worker = await pipeline.worker()
    question = await pipeline.questions.add()
    ids = [await pipeline.submit(question) for _ in range(2)]
    first, second = [(await pipeline.ended(each)).submission.result for each in ids]
    assert 'judge_cache_total{result="hit"} 1.0' in worker.metrics()
    assert pipeline.questions.asked == 2, "a revision is asked for once by the worker, once by record"
    prefixes = [f"submissions/{each}/attempts/1/" for each in ids]
    assert [first.log_prefix, second.log_prefix] == prefixes
    second.log_prefix = first.log_prefix
    assert second.SerializeToString() == first.SerializeToString()

    async def kept() -> bool:
        return await pipeline.objects.exists(prefixes[1] + "result.json")

    await eventually(kept)


async def test_inv_7_the_judge_cache_can_be_switched_off_and_forgets_what_is_old(pipeline: Pipeline) -> None:
    question = await pipeline.questions.add()
    first = await pipeline.worker()
    await pipeline.ended(await pipeline.submit(question))
    await asyncio.to_thread(first.process.stop, PATIENCE)
    second = await pipeline.worker(judge_cache="false", judge_cache_keep="0s")
    await pipeline.ended(await pipeline.submit(question))
    assert 'judge_cache_total{result="miss"} 1.0' in second.metrics()
    await eventually(lambda: "deleted 1 old rows" in second.log())


async def test_urgent_jobs_go_first(pipeline: Pipeline) -> None:
    """Four rejudge-band copies wait already when a contest job comes; the contest job is claimed first."""
    question = await pipeline.questions.add()
    bulk, contest = await pipeline.submit(question), await pipeline.submit(question)
    await pipeline.has_queued(2)
    await pipeline.forget_queues()
    message = {"enqueue_ts": "1", "payload_ref": "x", "priority": "1"}
    await pipeline.enqueue("light:bulk", {"job_id": bulk, **message})
    await pipeline.enqueue("light:contest", {"job_id": contest, **message})
    worker = await pipeline.worker()
    await pipeline.ended(bulk)
    claimed = [
        json.loads(line)["job_id"] for line in worker.log().splitlines() if '"message":"claimed"' in line
    ]
    assert claimed == [contest, bulk]


Line = dict[str, Any]


def names(page: str) -> set[str]:
    """Return the names of the series on a page of metrics."""
    return set(re.findall(r"^(\w+)", page, re.MULTILINE))


def lines_of(service: Service) -> dict[str, list[Line]]:
    """Return what a process has logged of each job, in order."""
    found: dict[str, list[Line]] = defaultdict(list)
    for line in map(json.loads, service.log().splitlines()):
        if job := line.get("job_id"):
            found[job].append(line)
    return found


def submit_trace(lines: Sequence[Line]) -> str:
    [trace] = [line["trace_id"] for line in lines if line["stage"] == "submit"]
    return str(trace)
