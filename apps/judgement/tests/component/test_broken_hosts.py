"""A host that judges wrong or slow finds out by itself, and other hosts do its work."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import httpx
import pytest

from apps.judgement.tests.programs import ENDLESS
from deepoj_judgement.commands.worker.measure_speed import LANGUAGE, MeasureSpeed
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_kit.grpc import RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.services import TOKEN, Service
from deepoj_languages.table import language_table
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub

if TYPE_CHECKING:
    from deepoj_judgement.outbound.sandbox.agent import AgentSandbox

    from .conftest import OpenPipeline

CANARIES = {
    "canary_interval": "3s", "canary_languages": "python3", "canary_times_right": "2", "lease": "1h",
}  # fmt: skip
SOUND = '#!/bin/sh\nexec /usr/bin/python3 "$@"\n'
# Says what it should when it is asked for its version, and one digit otherwise in all it prints.
WRONG = (
    '#!/bin/sh\ncase "$*" in *--version*) exec /usr/bin/python3 "$@";; esac\n/usr/bin/python3 "$@" | tr 4 5\n'
)


class Interpreter:
    """A toolchain directory whose interpreter can be put in the place of the host's own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._file = directory / "bin" / "python3"
        self._file.parent.mkdir(parents=True, mode=0o755)

    def becomes(self, text: str) -> None:
        partial = self._file.with_suffix(".partial")
        partial.write_text(text)
        partial.chmod(0o755)
        partial.replace(self._file)


@pytest.fixture
def python() -> Iterator[Interpreter]:
    """In a place that boxes do not have something else at."""
    with TemporaryDirectory(dir="/var/tmp") as directory:
        path = Path(directory)
        path.chmod(0o755)
        yield Interpreter(path)


async def workers_of(worker: Service) -> dict[str, judgement_pb2.Worker]:
    async with connect(worker.address, Secret(TOKEN)) as channel:
        asked = judgement_pb2.ListWorkersRequest(actor=common_pb2.Actor(role=common_pb2.ROLE_JUDGE))
        found = await JudgementServiceStub(channel).ListWorkers(asked, timeout=PATIENCE)
    return {each.name: each for each in found.workers}


async def run_something(worker: Service) -> None:
    async with connect(worker.address, Secret(TOKEN)) as channel:
        request = judgement_pb2.RunRequest(language="python3", source="print(1)")
        await JudgementServiceStub(channel).Run(request, timeout=PATIENCE)


async def until_held_back(worker: Service, name: str, *, held: bool = True) -> judgement_pb2.Worker:
    async def told() -> bool:
        workers = await workers_of(worker)
        return name in workers and workers[name].held_back is held

    await eventually(told)
    return (await workers_of(worker))[name]


async def test_a_host_whose_interpreter_breaks_hands_back_its_jobs_and_comes_back_when_it_is_mended(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
    python: Interpreter,
) -> None:
    """Its running job would end wrong: it goes back at once and another host judges it."""
    python.becomes(SOUND)
    async with open_pipeline(**CANARIES) as pipeline:
        await pipeline.serve_record()
        endless = await pipeline.questions.add(cpu_ms=600_000)
        question = await pipeline.questions.add({"1 3\n": "4\n"})
        broken = await pipeline.worker(worker_name="broken", toolchains=str(python.directory), cores="2")
        await eventually(lambda: heard(broken, "right") > 0)
        running = await pipeline.submit(endless, ENDLESS)
        await pipeline.running(running)
        python.becomes(WRONG)
        told = await until_held_back(broken, "broken")
        assert told.trouble.startswith("python3: case 'right 1' is WA and not AC")
        assert "judge_held_back 1.0" in broken.metrics()
        assert heard(broken, "wrong") > 0
        assert degraded(broken)[0].startswith("canary: python3")

        async def handed_back() -> bool:
            audit = (await pipeline.get(running)).attempts
            return [(each.outcome, each.reason) for each in audit] == [("failed", "worker_draining")]

        await eventually(handed_back)
        with pytest.raises(RemoteError, match="judges known solutions wrong"):
            await run_something(broken)
        submission = await pipeline.submit(question)
        sound = await pipeline.worker(worker_name="sound", canary_interval="0s", cores="2")
        judged = await pipeline.ended(submission)
        assert judged.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
        assert [each.worker for each in judged.attempts] == ["sound"]
        await pipeline.running(running)
        assert [each.worker for each in (await pipeline.get(running)).attempts] == ["broken", "sound"]

        python.becomes(SOUND)
        await until_held_back(broken, "broken", held=False)
        await pipeline.cancel(running)
        await asyncio.to_thread(sound.process.stop, PATIENCE)
        await run_something(broken)
        judged = await pipeline.ended(await pipeline.submit(question))
        assert [each.worker for each in judged.attempts] == ["broken"]
        assert judged.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
        assert degraded(broken) == []


async def test_a_host_that_has_become_slow_holds_back_only_while_another_can_take_over(
    open_pipeline: OpenPipeline,
    agent_sandbox: AgentSandbox,
    private_home: Path,
) -> None:
    """It is told that it used to be four times as fast."""
    home = private_home / "slow"
    # Each look at a host in trouble takes seconds of its time, and there is a pause of a tenth between two.
    async with open_pipeline(**CANARIES | {"canary_interval": "10s"}) as pipeline:
        await pipeline.serve_record()
        question = await pipeline.questions.add()
        first = await pipeline.worker(worker_name="slow", home=str(home))
        await eventually(lambda: heard(first, "right") > 0)
        await asyncio.to_thread(first.process.stop, PATIENCE)
        baselines = json.loads((home / "canaries.json").read_text())
        baselines["python3"]["cpu_ms"] //= 4
        (home / "canaries.json").write_text(json.dumps(baselines))

        # In the time of a reference that is far faster it would look faster than ever. The host may have
        # become busy meanwhile and take five times as long as it took.
        reference_ms = str(await took_ms(agent_sandbox) // 2)
        slow = await pipeline.worker(
            worker_name="slow", home=str(home), reference_ms=reference_ms, speed_band="10"
        )
        await eventually(lambda: heard(slow, "slow") > 0)
        drift = re.compile(r'judge_canary_drift{language="python3"} ([2-9]|\d\d)')
        await eventually(lambda: drift.search(slow.metrics()) is not None)
        assert "judge_held_back 0.0" in slow.metrics()
        alone = await pipeline.ended(await pipeline.submit(question))
        assert [each.worker for each in alone.attempts] == ["slow"], "nobody else is there"

        other = await pipeline.worker(worker_name="other", canary_interval="0s")
        told = await until_held_back(other, "slow")
        assert re.search(r"python3 takes \d+ ms of CPU time, \d+\.\d times its \d+ ms", told.trouble)
        judged = [await pipeline.ended(await pipeline.submit(question)) for _ in range(3)]
        assert {each.worker for job in judged for each in job.attempts} == {"other"}
        await asyncio.to_thread(other.process.stop, PATIENCE)
        await until_held_back(slow, "slow", held=False)


def heard(worker: Service, outcome: str) -> float:
    series = re.search(
        rf'^judge_canary_total{{language="python3",outcome="{outcome}"}} (\S+)$',
        worker.metrics(), re.MULTILINE,
    )  # fmt: skip
    return 0.0 if series is None else float(series[1])


async def took_ms(sandbox: AgentSandbox) -> int:
    """Return about what a worker would measure when it starts: it depends on what else the machine does."""
    toolchains = InstalledToolchains(language_table(), only={LANGUAGE})
    await toolchains.detect()
    return (await MeasureSpeed(toolchains, sandbox)(times=1)).fastest_ms


def degraded(worker: Service) -> list[str]:
    found = httpx.get(f"{worker.ops_url}/readyz").json()["degraded"]
    return [each for each in found if each.startswith("canary")]
