"""Structs and protobuf messages meet by name; what does not fit is found at the start."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

import grpc
import msgspec
import pytest
from google.protobuf.message import Message

from deepoj_bff.container import Container
from deepoj_bff.inbound.http.routes import packages
from deepoj_bff.inbound.http.wire.problem import Case
from deepoj_bff.outbound.grpc.services import MAPPER, SERVICES, GrpcServices, filled, idempotent
from deepoj_bff.queries.services import Call, declared_calls
from deepoj_bff.queries.views.board import BoardRow
from deepoj_bff.queries.views.contest import ContestAnswer
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.record.v1 import record_pb2

ACCOUNT = UUID(int=7)
SETTER = Actor(AccountId(ACCOUNT), Role.SETTER)


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
    assert MAPPER.reader(record_pb2.RejudgeEffect, Effect)(message) == Effect(
        ACCOUNT, Verdict.ACCEPTED, None, 33.333333, None
    )


def test_a_row_of_a_board_says_exactly_what_ranks_it() -> None:
    """AtCoder ranks by seconds: two rows may have the same minutes and not the same rank."""
    message = game_pb2.BoardRow(
        rank=1, penalty_minutes=10, participant=game_pb2.Participant(kind=game_pb2.PARTICIPANT_KIND_OFFICIAL)
    )
    message.penalty.FromMilliseconds(607_000)
    row = msgspec.to_builtins(MAPPER.reader(game_pb2.BoardRow, BoardRow)(message))
    assert (row["penalty_minutes"], row["penalty_ms"]) == (10, 607_000)


def test_every_call_of_every_route_exists_and_what_it_sends_and_answers_fits() -> None:
    # The container imports all that calls.
    assert Container.__module__ == "deepoj_bff.container"
    calls = set(declared_calls())
    assert {call.service for call in calls} == set(SERVICES)
    GrpcServices({}).prepare(calls)


def test_a_case_that_was_read_can_be_sent_back() -> None:
    file = question_pb2.ObjectRef(sha256="ab" * 32)
    message = question_pb2.Case(name="1", input=file, answer=file, memory_bytes=1 << 24)
    message.arguments.extend(["", "a 'b'", "é"])
    message.files.add(name="maps/a.txt", object=file)
    body = msgspec.to_builtins(MAPPER.reader(question_pb2.Case, Case)(message))
    assert (body["arguments"], body["files"][0]["name"]) == (["", "a 'b'", "é"], "maps/a.txt")
    assert MAPPER.writer(Case, question_pb2.Case)(msgspec.convert(body, Case)) == message


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
    with pytest.raises(TypeError):
        MAPPER.reader(record_pb2.RejudgeEffect, answer)


def test_a_method_that_does_not_exist_is_refused_at_the_start() -> None:
    with pytest.raises(KeyError):
        GrpcServices({}).prepare([Call("record", "Forget", Effect)])


class Wordy(msgspec.Struct):
    by: str


@pytest.mark.parametrize("body", [Missing, Wordy])
def test_a_body_that_does_not_fit_the_request_is_refused_at_the_start(body: type[msgspec.Struct]) -> None:
    with pytest.raises(TypeError):
        GrpcServices({}).prepare([Call("game", "Extend", ContestAnswer, body=body)])


def test_a_part_that_does_not_fit_the_request_is_refused_at_the_start() -> None:
    with pytest.raises(TypeError):
        GrpcServices({}).prepare([Call("game", "Create", ContestAnswer, parts={"draft": Missing})])
    with pytest.raises(KeyError):
        GrpcServices({}).prepare([Call("game", "Create", ContestAnswer, parts={"no_such_field": Missing})])


async def test_a_struct_that_its_call_does_not_declare_is_not_sent() -> None:
    services, extend = (
        GrpcServices({"game": grpc.aio.insecure_channel("127.0.0.1:1")}),
        Call("game", "Extend", ContestAnswer),
    )
    with pytest.raises(TypeError, match="does not declare the body Wordy"):
        await services.call(extend, Wordy("a minute"))
    with pytest.raises(TypeError, match="does not declare Wordy for by"):
        await services.call(extend, by=Wordy("a minute"))


class Interval(msgspec.Struct):
    before: datetime
    from_: datetime | None = None


def test_a_request_is_filled_by_name() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    judge = Actor(AccountId(ACCOUNT), Role.JUDGE)
    request = filled(game_pb2.ExtendRequest, {"actor": judge, "game_id": ACCOUNT, "by": 1500})
    assert request.actor.role == common_pb2.ROLE_JUDGE
    assert request.game_id == str(ACCOUNT)
    assert request.by.ToMilliseconds() == 1500
    board = filled(game_pb2.GetScoreboardRequest, {"actor": None, "at": now, "page": None})
    assert board.actor.role == common_pb2.ROLE_GUEST
    assert board.at.ToDatetime(UTC) == now
    assert not board.HasField("page")


def test_a_request_with_a_field_that_does_not_exist_is_a_defect() -> None:
    with pytest.raises(TypeError):
        filled(game_pb2.ExtendRequest, {"until": 1})


@pytest.mark.parametrize(
    ("message", "header"),
    [
        (question_pb2.PutObjectRequest, packages.ObjectHeader(SETTER)),
        (question_pb2.ImportPackageRequest, packages.PackageHeader(actor=SETTER, slug="sum")),
    ],
)
def test_the_header_of_an_upload_says_who_sends_it(message: type[Message], header: msgspec.Struct) -> None:
    sent = filled(message, {"header": header})
    assert isinstance(sent, question_pb2.PutObjectRequest | question_pb2.ImportPackageRequest)
    assert sent.header.actor.account_id == str(ACCOUNT)


def test_only_reads_and_submit_are_sent_twice() -> None:
    methods = {path.rpartition("/")[2] for path in idempotent("record")}
    assert {"Get", "List", "Submit", "QueueStats"} <= methods
    assert methods.isdisjoint({"Cancel", "StartRejudge", "ApplyRejudge", "ReplayDeadLetter"})
