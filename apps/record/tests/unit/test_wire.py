"""What crosses the wire comes back as it was, and what makes no sense is refused by name."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from uuid import uuid4

import msgspec
import pytest
from google.protobuf.message import Message

from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.role import SERVICE_ACCOUNT, Actor, Role
from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.testing import ALICE, GAME, QUESTION, a_result
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.judge_results import RESULT, read_result, read_toolchain, write_result
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.inbound.grpc.worker_servicer import _REASONS
from deepoj_record.queries.ports import Fate

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
    assert read_result(RESULT.encode(result)) == result


def test_a_result_is_shown_with_its_cases_numbered_and_in_bytes() -> None:
    shown = write_result(RICH)
    assert (shown.verdict, shown.score.micros) == (judging_pb2.VERDICT_WRONG_ANSWER, 10_500_000)
    assert (shown.time.ToMilliseconds(), shown.memory_bytes) == (120, 2048 * 1024)
    assert [(group.name, group.score.micros) for group in shown.groups] == [("easy", 10_500_000), ("hard", 0)]
    assert [(case.number, case.name) for case in shown.cases] == [(n, str(n)) for n in range(1, 6)]
    assert shown.cases[1].share_millionths == 250_000
    assert (shown.cases[2].exit_code, shown.cases[2].signal) == (139, 11)
    assert shown.cases[3].verdict == judging_pb2.VERDICT_UNSPECIFIED
    assert shown.cases[4].points.micros == 33_333_333
    assert (shown.compile_output, shown.log_prefix) == ("warning: unused", "submissions/1/attempts/1")


def a_document(**parts: object) -> bytes:
    return msgspec.json.encode({"document": "judge_result.v1", "verdict": "AC", **parts})


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (b"", "document_malformed"),
        (b"[]", "document_malformed"),
        (a_document(document="judge_result.v2"), "document_unknown"),
        (a_document(verdict=None), "document_malformed"),
        (a_document(verdict="OK"), "document_malformed"),
        (a_document(cases=[{"case": "1", "verdict": "CE"}]), "result_inconsistent"),
        (
            a_document(cases=[{"case": "1", "verdict": None, "share": {"millionths": 1}}]),
            "result_inconsistent",
        ),
        (a_document(groups=[{"group": "a", "score": {"micros": -1}}]), "score_out_of_range"),
        (a_document(cases=[{"case": "1", "verdict": "AC"}] * 10_001), "too_many_cases"),
        (a_document(groups=[{"group": "a", "score": {"micros": 10**15}}] * 2), "score_out_of_range"),
        (a_document(usage={"time_ms": 2**63 - 1}), "number_out_of_range"),
        (a_document(usage={"memory_kib": -1}), "number_out_of_range"),
        (a_document(cases=[{"case": "1", "verdict": "AC", "usage": {"time_ms": -1}}]), "number_out_of_range"),
        (
            a_document(cases=[{"case": "1", "verdict": "AC", "usage": {"memory_kib": 2**54}}]),
            "number_out_of_range",
        ),
        (a_document(cases=[{"case": "1", "verdict": "RE", "exit_code": 2**31}]), "number_out_of_range"),
        (a_document(cases=[{"case": "1", "verdict": "RE", "signal": -1}]), "number_out_of_range"),
    ],
)
def test_a_result_that_cannot_be_is_refused(document: bytes, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        read_result(document)
    assert refused.value.code == code


def test_the_largest_numbers_that_are_taken_can_be_told_to_readers() -> None:
    most = 2**31 - 1
    usage = {"time_ms": most, "memory_kib": most}
    case = {"case": "1", "verdict": "RE", "usage": usage, "exit_code": -most - 1, "signal": most}
    shown = write_result(read_result(a_document(usage=usage, cases=[case])))
    assert (shown.cases[0].memory_bytes, shown.cases[0].signal) == (most * 1024, most)


def test_no_text_of_a_result_brings_a_nul_into_the_database() -> None:
    document = a_document(
        message="\0",
        log_prefix="\0",
        groups=[{"group": "\0", "score": {"micros": 0}}],
        cases=[{"case": "\0", "verdict": "AC", "message": "\0"}],
    )
    assert "\0" not in repr(read_result(document)).replace("\\x00", "\0")


def test_what_a_compiler_says_of_itself_is_cut_and_has_no_nul() -> None:
    assert read_toolchain("gcc 12.2\0" + "x" * 500) == "gcc 12.2\N{REPLACEMENT CHARACTER}" + "x" * 191


def test_a_nul_in_the_compilers_output_is_replaced_and_a_long_one_cut() -> None:
    result = read_result(a_document(verdict="CE", message="a\0b" + "x" * 5000))
    assert result.message.startswith("a\N{REPLACEMENT CHARACTER}b")
    assert len(result.message) == 4000


def test_a_case_without_a_name_has_its_number() -> None:
    [case] = read_result(a_document(cases=[{"case": "", "verdict": "AC"}])).cases
    assert case.case == "1"


def test_an_actor_is_a_guest_a_person_or_a_service() -> None:
    assert mapper.actor(common_pb2.Actor()) is None
    assert mapper.actor(common_pb2.Actor(role=common_pb2.ROLE_GUEST, account_id=str(ALICE))) is None
    person = common_pb2.Actor(role=common_pb2.ROLE_CONTESTANT, account_id=str(ALICE))
    assert mapper.actor(person) == Actor(ALICE, Role.CONTESTANT)
    assert mapper.actor(common_pb2.Actor(role=common_pb2.ROLE_ADMIN)) == Actor(SERVICE_ACCOUNT, Role.ADMIN)
    with pytest.raises(InvalidValueError, match="account_id"):
        mapper.actor(common_pb2.Actor(role=common_pb2.ROLE_CONTESTANT))


def test_a_filter_becomes_a_selection() -> None:
    message = record_pb2.SubmissionFilter(
        account_id=str(ALICE),
        question_id=str(QUESTION),
        game_id=str(GAME),
        statuses=[record_pb2.STATUS_DEAD],
        verdicts=[judging_pb2.VERDICT_TIME_LIMIT],
    )
    assert mapper.selection(message) == Selection(
        account_id=ALICE,
        question_id=QUESTION,
        game_id=GAME,
        statuses=frozenset({Status.DEAD}),
        verdicts=frozenset({Verdict.TIME_LIMIT}),
    )
    assert mapper.selection(record_pb2.SubmissionFilter()).is_everything


def test_every_refusal_a_worker_can_meet_has_its_reason_on_the_wire() -> None:
    """The others belong to commands that no worker calls."""
    rest = {
        SubmissionRefusal.NOT_OVERDUE,
        SubmissionRefusal.NOT_OWNER,
        SubmissionRefusal.IN_A_CONTEST,
        SubmissionRefusal.NOT_HEAD,
        SubmissionRefusal.NOT_CANDIDATE,
    }
    assert set(_REASONS) | rest == set(SubmissionRefusal)
    assert len(set(_REASONS.values())) == len(_REASONS)


@pytest.mark.parametrize(
    ("message", "field", "kind"),
    [
        (record_pb2.RejudgeEffect, "old_verdict", Verdict),
        (record_pb2.Submission, "status", Status),
        (record_pb2.FailedJob, "failure", Failure),
        (record_pb2.QueueDepth, "lane", Lane),
        (record_pb2.QueueDepth, "band", Band),
        (record_pb2.Rejudge, "state", BatchStatus),
        (record_pb2.RejudgeEffect, "fate", Fate),
    ],
)
def test_every_member_has_its_value_on_the_wire(
    message: type[Message], field: str, kind: type[StrEnum]
) -> None:
    numbers = {getattr(MAPPER.build(message, {field: member}), field) for member in kind}
    known = message.DESCRIPTOR.fields_by_name[field].enum_type
    assert known is not None
    assert numbers == set(known.values_by_number) - {0}


def test_a_batch_is_bounded_and_has_each_job_once() -> None:
    job = str(uuid4())
    for texts, code in (([], "batch_size"), ([job, job], "job_twice"), (["x"], "job_id_malformed")):
        with pytest.raises(InvalidValueError) as refused:
            mapper.job_ids(texts)
        assert refused.value.code == code


def test_a_duration_keeps_its_microseconds() -> None:
    depth = MAPPER.build(record_pb2.QueueDepth, {"oldest_wait": timedelta(microseconds=1500)})
    assert depth.oldest_wait.ToMicroseconds() == 1500


@pytest.mark.parametrize("text", ["x", "of nobody", "0" * 31, "0" * 33, "A" * 32, "0" * 31 + "\0"])
def test_a_group_of_dead_letters_is_one_that_was_told(text: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        mapper.dead_letter_group(text)
    assert refused.value.code == "group_malformed"
    assert mapper.dead_letter_group("0f" * 16) == "0f" * 16
    assert not mapper.dead_letter_group("")
