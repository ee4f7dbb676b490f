"""Structs and protobuf messages meet by name; what does not fit is found at the start."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

import msgspec
import pytest
from google.protobuf.descriptor import Descriptor

from deepoj_bff.inbound.http.app import CALLS
from deepoj_bff.inbound.http.calls import Call
from deepoj_bff.outbound.grpc.decoding import reader
from deepoj_bff.outbound.grpc.encoding import fill
from deepoj_bff.outbound.grpc.services import GrpcServices, idempotent
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.record.v1 import record_pb2

ACCOUNT = UUID(int=7)


class Verdict(StrEnum):
    ACCEPTED = "AC"
    WRONG_ANSWER = "WA"
    PRESENTATION_ERROR = "PE"
    TIME_LIMIT_EXCEEDED = "TLE"
    MEMORY_LIMIT_EXCEEDED = "MLE"
    OUTPUT_LIMIT_EXCEEDED = "OLE"
    RUNTIME_ERROR = "RE"
    COMPILE_ERROR = "CE"
    SYSTEM_ERROR = "SE"


class Effect(msgspec.Struct):
    old_submission_id: UUID
    old_verdict: Verdict
    new_verdict: Verdict | None
    old_score: float
    new_score: float | None
    added_by_the_route: str = ""


def test_an_answer_becomes_what_the_struct_asks_for() -> None:
    message = record_pb2.RejudgeEffect(
        old_submission_id=str(ACCOUNT), old_verdict=judging_pb2.VERDICT_ACCEPTED, new_submission_id="dropped"
    )
    message.old_score.micros = 33_333_333
    assert reader(record_pb2.RejudgeEffect.DESCRIPTOR, Effect)(message) == Effect(
        ACCOUNT, Verdict.ACCEPTED, None, 33.333333, None
    )


def test_every_call_of_every_route_exists_and_its_answer_fits() -> None:
    GrpcServices({}).prepare(CALLS)


class Missing(msgspec.Struct):
    no_such_field: str


class Few(StrEnum):
    ACCEPTED = "AC"


class Narrow(msgspec.Struct):
    old_verdict: Few


class Odd(msgspec.Struct):
    old_score: str


@pytest.mark.parametrize("answer", [Missing, Narrow, Odd])
def test_a_struct_that_does_not_fit_is_refused_at_the_start(answer: type[msgspec.Struct]) -> None:
    descriptor: Descriptor = record_pb2.RejudgeEffect.DESCRIPTOR
    with pytest.raises(TypeError):
        reader(descriptor, answer)


def test_a_method_that_does_not_exist_is_refused_at_the_start() -> None:
    with pytest.raises(KeyError):
        GrpcServices({}).prepare([Call("record", "Forget", Effect)])


class Interval(msgspec.Struct):
    before: datetime
    from_: datetime | None = None


def test_a_request_is_filled_by_name() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    request = game_pb2.ExtendRequest()
    fill(request, {"actor": Actor(AccountId(ACCOUNT), Role.JUDGE), "game_id": ACCOUNT, "by": 1500})
    assert request.actor.role == common_pb2.ROLE_JUDGE
    assert request.game_id == str(ACCOUNT)
    assert request.by.ToMilliseconds() == 1500
    board = game_pb2.GetScoreboardRequest()
    fill(board, {"actor": None, "at": now, "page": None})
    assert board.actor.role == common_pb2.ROLE_GUEST
    assert board.at.ToDatetime(UTC) == now
    assert not board.HasField("page")


def test_a_request_with_a_field_that_does_not_exist_is_a_defect() -> None:
    with pytest.raises(TypeError):
        fill(game_pb2.ExtendRequest(), {"until": 1})


def test_only_reads_and_submit_are_sent_twice() -> None:
    methods = {path.rpartition("/")[2] for path in idempotent("record")}
    assert {"Get", "List", "Submit", "QueueStats"} <= methods
    assert methods.isdisjoint({"Cancel", "StartRejudge", "ApplyRejudge", "ReplayDeadLetter"})
