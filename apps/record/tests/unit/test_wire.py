"""What crosses the wire comes back as it was, and what makes no sense is refused by name."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Status
from deepoj_domain.testing import ALICE, GAME, QUESTION, a_result
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc import decode, encode
from deepoj_record.inbound.grpc.decode_result import judge_result
from deepoj_record.inbound.grpc.worker_servicer import _REASONS

AC, CE = judging_pb2.VERDICT_ACCEPTED, judging_pb2.VERDICT_COMPILE_ERROR
RICH = JudgeResult(
    Verdict.WRONG_ANSWER,
    (GroupScore("easy", Score.points("10.5")), GroupScore("hard", Score.points(0))),
    Usage(120, 2048),
    (
        CaseResult.accepted("1", Usage(3, 1024)),
        CaseResult("2", Verdict.WRONG_ANSWER, Share(250_000), Usage(5, 7), 0, 0, "line 3 differs"),
        CaseResult("3", Verdict.RUNTIME_ERROR, exit_code=139, signal=11),
        CaseResult.skipped("4"),
        CaseResult("5", Verdict.ACCEPTED, points=Score.points("33.333333")),
    ),
    "warning: unused",
    "submissions/1/attempts/1",
)


@pytest.mark.parametrize("result", [RICH, *(a_result(verdict) for verdict in Verdict)])
def test_a_result_comes_back_as_it_was(result: JudgeResult) -> None:
    message = judging_pb2.JudgeResult.FromString(encode.judge_result(result).SerializeToString())
    assert judge_result(message) == result


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (judging_pb2.JudgeResult(), "verdict_unknown"),
        (judging_pb2.JudgeResult(verdict=judging_pb2.Verdict.ValueType(99)), "verdict_unknown"),
        (judging_pb2.JudgeResult(verdict=AC, score=judging_pb2.Score(micros=1)), "score_mismatch"),
        (
            judging_pb2.JudgeResult(verdict=AC, cases=[judging_pb2.CaseResult(verdict=CE)]),
            "result_inconsistent",
        ),
        (
            judging_pb2.JudgeResult(verdict=AC, cases=[judging_pb2.CaseResult(share_millionths=1)]),
            "result_inconsistent",
        ),
        (
            judging_pb2.JudgeResult(
                verdict=AC, groups=[judging_pb2.GroupResult(score=judging_pb2.Score(micros=-1))]
            ),
            "score_out_of_range",
        ),
    ],
)
def test_a_result_that_cannot_be_is_refused(message: judging_pb2.JudgeResult, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        judge_result(message)
    assert refused.value.code == code


def test_no_text_of_a_result_brings_a_nul_into_the_database() -> None:
    message = judging_pb2.JudgeResult(
        verdict=AC,
        compile_output="\0",
        log_prefix="\0",
        groups=[judging_pb2.GroupResult(name="\0")],
        cases=[judging_pb2.CaseResult(name="\0", verdict=AC, message="\0")],
    )
    assert "\0" not in repr(judge_result(message)).replace("\\x00", "\0")


def test_a_nul_in_the_compilers_output_is_replaced_and_a_long_one_cut() -> None:
    message = judging_pb2.JudgeResult(verdict=CE, compile_output="a\0b" + "x" * 5000)
    assert judge_result(message).message.startswith("a\N{REPLACEMENT CHARACTER}b")
    assert len(judge_result(message).message) == 4000


def test_an_actor_is_a_guest_a_person_or_a_service() -> None:
    assert decode.actor(common_pb2.Actor()) is None
    assert decode.actor(common_pb2.Actor(role=common_pb2.ROLE_GUEST, account_id=str(ALICE))) is None
    person = common_pb2.Actor(role=common_pb2.ROLE_CONTESTANT, account_id=str(ALICE))
    assert decode.actor(person) == Actor(ALICE, Role.CONTESTANT)
    assert decode.actor(common_pb2.Actor(role=common_pb2.ROLE_ADMIN)) == Actor(
        decode.SERVICE_ACCOUNT, Role.ADMIN
    )
    with pytest.raises(InvalidValueError, match="account_id"):
        decode.actor(common_pb2.Actor(role=common_pb2.ROLE_CONTESTANT))


def test_a_filter_becomes_a_selection() -> None:
    message = record_pb2.SubmissionFilter(
        account_id=str(ALICE),
        question_id=str(QUESTION),
        game_id=str(GAME),
        statuses=[record_pb2.STATUS_DEAD],
        verdicts=[judging_pb2.VERDICT_TIME_LIMIT_EXCEEDED],
    )
    assert decode.selection(message) == Selection(
        account_id=ALICE,
        question_id=QUESTION,
        game_id=GAME,
        statuses=frozenset({Status.DEAD}),
        verdicts=frozenset({Verdict.TIME_LIMIT}),
    )
    assert decode.selection(record_pb2.SubmissionFilter()).is_everything


def test_every_refusal_a_worker_can_meet_has_its_reason_on_the_wire() -> None:
    """The others belong to commands that no worker calls."""
    rest = {
        SubmissionRefusal.NOT_OVERDUE,
        SubmissionRefusal.NOT_OWNER,
        SubmissionRefusal.NOT_HEAD,
        SubmissionRefusal.NOT_CANDIDATE,
    }
    assert set(_REASONS) | rest == set(SubmissionRefusal)
    assert len(set(_REASONS.values())) == len(_REASONS)


def test_every_verdict_and_status_has_its_value_on_the_wire() -> None:
    assert set(encode.VERDICT_OF) == set(Verdict)
    assert set(encode.STATUS_OF) == set(Status)
    assert len(decode.FAILURES) == len(record_pb2.Failure.keys()) - 1


def test_a_batch_is_bounded_and_has_each_job_once() -> None:
    job = str(uuid4())
    for texts, code in (([], "batch_size"), ([job, job], "job_twice"), (["x"], "job_id_malformed")):
        with pytest.raises(InvalidValueError) as refused:
            decode.job_ids(texts)
        assert refused.value.code == code


def test_a_duration_keeps_its_microseconds() -> None:
    assert encode.duration(timedelta(microseconds=1500)).ToMicroseconds() == 1500
