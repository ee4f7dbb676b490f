"""A submission is judged again as it was pinned, and nobody else hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deepoj_domain.documents import JUDGE_RESULT, MANIFEST
from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.judgement.reproduction import CaseOutcome, Reached, compare
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.verdict import Verdict
from deepoj_kit.documents import Document
from deepoj_kit.grpc import RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.services import TOKEN, Service
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub

from .conftest import ADD

if TYPE_CHECKING:
    from .conftest import Pipeline

RESULT, MANIFESTS = Document(JUDGE_RESULT, InvalidValueError), Document(MANIFEST, InvalidValueError)


async def test_a_replay_has_the_verdict_of_then_and_says_on_which_other_host_it_was(
    pipeline: Pipeline,
) -> None:
    """The problem has a new revision by then; the pinned one is judged, and nothing is stored."""
    first = await pipeline.worker(worker_name="first")
    question = await pipeline.questions.add()
    submission = await pipeline.submit(question)
    before = (await pipeline.ended(submission)).submission
    key = f"submissions/{submission}/attempts/1/manifest.json"

    async def kept() -> bool:
        return await pipeline.objects.exists(key)

    await eventually(kept)
    stored = MANIFESTS.decode(await pipeline.objects.read(key))
    await pipeline.revise(question, {"1 2\n": "no sum\n"})
    second = await pipeline.worker(worker_name="second", postgres_url="", judge_cache="false")

    result, manifest = await replayed(second, question)
    found = compare(reached(result, stored), reached(result, manifest))
    assert found.same
    assert [each.what for each in found.differences] == ["worker"]
    assert (stored.host.worker, manifest.host.worker) == ("first", "second")
    assert result.verdict is Verdict.ACCEPTED
    assert [case.verdict for case in result.cases] == [Verdict.ACCEPTED] * 2
    assert (await pipeline.get(submission)).submission == before
    assert await pipeline.count() == 1
    assert 'judge_verdict_total{verdict="AC"} 0.0' in second.metrics()
    assert 'judge_verdict_total{verdict="AC"} 1.0' in first.metrics()


async def test_only_judges_and_admins_judge_again(pipeline: Pipeline) -> None:
    worker = await pipeline.worker()
    question = await pipeline.questions.add()
    for role in (common_pb2.ROLE_GUEST, common_pb2.ROLE_CONTESTANT, common_pb2.ROLE_SETTER):
        with pytest.raises(RemoteError, match="judges and admins"):
            await replayed(worker, question, role=role)
    with pytest.raises(RemoteError, match="question has no"):
        await replayed(worker, question, revision=7)


async def replayed(
    worker: Service,
    question: str,
    *,
    revision: int = 1,
    role: common_pb2.Role.ValueType = common_pb2.ROLE_JUDGE,
) -> tuple[JudgeResult, Manifest]:
    request = judgement_pb2.ReplayRequest(
        actor=common_pb2.Actor(role=role), question_id=question, revision=revision,
        language="python3", source=ADD,
    )  # fmt: skip
    async with connect(worker.address, Secret(TOKEN)) as channel:
        answer = await JudgementServiceStub(channel).Replay(request, timeout=PATIENCE)
    return RESULT.decode(answer.result), MANIFESTS.decode(answer.manifest)


def reached(result: JudgeResult, manifest: Manifest) -> Reached:
    cases = (
        CaseOutcome(case.case, case.verdict, case.usage.time_ms, case.usage.memory_kib * 1024)
        for case in result.cases
    )
    return Reached(result.verdict, tuple(cases), manifest)
