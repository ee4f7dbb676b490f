"""A replay compares with what is stored, also where less was kept than there could be."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.outbound.grpc.judge_documents import read_manifest, read_result
from deepoj_bff.queries.replay import NotJudgedError, NotReproducedError, ReplaySubmission
from deepoj_bff.queries.services import Nothing
from deepoj_bff.queries.views.admin import Worker, Workers
from deepoj_bff.queries.views.replay import (
    JudgedAgain,
    Pinned,
    PinnedAnswer,
    Reproduced,
    ReproductionAnswer,
)
from deepoj_bff.queries.views.submission import CaseResult, LogContent, Result
from deepoj_domain.documents import JUDGE_RESULT, MANIFEST
from deepoj_domain.judgement.manifest import JudgeHost, Manifest
from deepoj_domain.judgement.result import CaseResult as Judged
from deepoj_domain.judgement.result import JudgeResult, Usage
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.testing import QUESTION, ROOT
from deepoj_kit.documents import Document
from deepoj_kit.grpc import Kind, RemoteError

SUBMISSION = UUID(int=3)
HOST = JudgeHost(
    worker="now", version="1", architecture="x86_64", processor="p", cores=1, kernel="Linux 6.1", layers=()
)
NOW = Manifest(
    revision=RevisionRef(QUESTION, 4), spec=hash_of(b"1"), data=hash_of(b"2"), source=hash_of(b"3"),
    language=language_slug("python3"), toolchain="Python", checker_toolchains=(), compile=(), run=(),
    environment=(), limits=Limits(1000, 1024, 16), host=HOST,
)  # fmt: skip
RESULTS = Document(JUDGE_RESULT, InvalidValueError)
MANIFESTS = Document(MANIFEST, InvalidValueError)


def stored(verdict: Verdict = Verdict.ACCEPTED) -> Result:
    case = CaseResult(
        number=1, name="1", verdict=verdict, time=10, memory_bytes=1024, exit_code=0, signal=0, message="",
        points=None, sample=False,
    )  # fmt: skip
    return Result(
        verdict=verdict, score=0, time=10, memory_bytes=1024, cases=[case], groups=[], compile_output=""
    )


class Front:
    def __init__(self, result: Result | None) -> None:
        pinned = Pinned(
            question_id=str(QUESTION), question_revision=4, language="python3", attempt_id=2, source="x",
            result=result,
        )  # fmt: skip
        again = JudgeResult(Verdict.ACCEPTED, cases=(Judged.accepted("1", Usage(12, 1)),))
        document = RESULTS.encode(again)
        self.services = ToldServices(
            {
                ("record", "Get"): PinnedAnswer(submission=pinned),
                ("judgement", "Replay"): JudgedAgain(result=document, manifest=MANIFESTS.encode(NOW)),
            }
        )
        self.replay = ReplaySubmission(self.services, read_result, read_manifest, uuid4)

    def kept(self, answer: object) -> None:
        self.services.answers["record", "GetLog"] = answer


async def test_what_was_pinned_is_judged_and_nothing_newer() -> None:
    front = Front(stored())
    front.kept(LogContent(content=MANIFESTS.encode(NOW), truncated=False))
    found = await front.replay(SUBMISSION, ROOT)
    assert (found.same, found.differences) == (True, [])
    assert (found.worker_before, found.worker_after) == ("now", "now")
    [asked] = [fields for _, method, fields in front.services.asked if method == "Replay"]
    assert asked == {
        "actor": ROOT, "question_id": str(QUESTION), "revision": 4, "language": "python3", "source": "x",
    }  # fmt: skip


async def test_a_verdict_that_is_another_one_is_no_failure_of_the_request() -> None:
    found = await Front(stored(Verdict.TIME_LIMIT)).replay(SUBMISSION, ROOT)
    assert not found.same
    assert (found.verdict_before, found.verdict_after) == (Verdict.TIME_LIMIT, Verdict.ACCEPTED)
    assert "Cases that differ: 1 (TLE, now AC)." in found.sentence


@pytest.mark.parametrize(
    "answer",
    [
        RemoteError(Kind.NOT_FOUND, "not_found", "deleted"),
        LogContent(content=b"nonsense", truncated=False),
        LogContent(content=b'{"document":"judge_manifest.v9"}', truncated=False),
        LogContent(content=MANIFESTS.encode(NOW)[:100], truncated=True),
    ],
    ids=["deleted", "nonsense", "newer", "cut"],
)
async def test_without_a_manifest_that_can_be_read_the_verdicts_are_compared_all_the_same(
    answer: object,
) -> None:
    front = Front(stored())
    front.kept(answer)
    found = await front.replay(SUBMISSION, ROOT)
    assert (found.same, found.worker_before) == (True, None)
    assert "What it was judged with then was not kept." in found.sentence


async def test_what_has_no_result_is_not_judged_again() -> None:
    front = Front(None)
    with pytest.raises(NotJudgedError):
        await front.replay(SUBMISSION, ROOT)
    assert [method for _, method, _ in front.services.asked] == ["Get"]


def elsewhere(front: Front, answer: ReproductionAnswer) -> None:
    worker = Worker(
        name="judge-2",
        version="1",
        started_at=None,
        seen_at=None,
        running=0,
        capacity=1,
        languages=[],
        layers=[],
    )
    front.services.answers["judgement", "ListWorkers"] = Workers(workers=[worker])
    front.services.answers["record", "StartReproduction"] = Nothing()
    front.services.answers["record", "GetReproduction"] = Reproduced(answer=answer)


def answered(worker: str = "judge-2", **said: bytes) -> ReproductionAnswer:
    again = JudgeResult(Verdict.ACCEPTED, cases=(Judged.accepted("1", Usage(12, 1)),))
    manifest = replace(NOW, host=replace(HOST, worker=worker))
    parts = {"result": RESULTS.encode(again), "manifest": MANIFESTS.encode(manifest)} | said
    return ReproductionAnswer(**parts, problem="")


async def test_a_worker_that_is_named_judges_it_wherever_it_stands() -> None:
    front = Front(stored(Verdict.TIME_LIMIT))
    elsewhere(front, answered())
    found = await front.replay(SUBMISSION, ROOT, "judge-2")
    assert (found.verdict_before, found.verdict_after) == (Verdict.TIME_LIMIT, Verdict.ACCEPTED)
    [asked] = [fields for _, method, fields in front.services.asked if method == "StartReproduction"]
    assert (asked["worker"], asked["submission_id"]) == ("judge-2", SUBMISSION)


async def test_who_is_not_there_or_did_not_judge_is_said() -> None:
    front = Front(stored())
    elsewhere(front, ReproductionAnswer(result=b"", manifest=b"", problem="python3 is not installed"))
    with pytest.raises(NotReproducedError, match="no worker called judge-3 is alive"):
        await front.replay(SUBMISSION, ROOT, "judge-3")
    with pytest.raises(NotReproducedError, match="judge-2 did not judge it: python3 is not installed"):
        await front.replay(SUBMISSION, ROOT, "judge-2")
    long = ReproductionAnswer(result=b"", manifest=b"", problem="x" * 1_000_000)
    elsewhere(front, long)
    with pytest.raises(NotReproducedError) as said:
        await front.replay(SUBMISSION, ROOT, "judge-2")
    assert len(str(said.value)) < 1000


LIES = {
    "nothing": answered(result=b""),
    "no manifest": answered(manifest=b""),
    "nonsense": answered(result=b"\xff nonsense"),
    "no verdict": answered(result=RESULTS.encode(JudgeResult(Verdict.ACCEPTED)).replace(b"AC", b"OK")),
    "points for a failure": answered(result=answered().result.replace(b'"AC"', b'"TLE"')),
    "another's name": answered("judge-3"),
    "a control": answered("\x1b[2Jjudge-2"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_host_that_answers_a_lie_is_named_and_fails_no_front_door(lie: str) -> None:
    front = Front(stored())
    elsewhere(front, LIES[lie])
    with pytest.raises(NotReproducedError, match="judge-2 answered") as said:
        await front.replay(SUBMISSION, ROOT, "judge-2")
    assert str(said.value).isprintable()
