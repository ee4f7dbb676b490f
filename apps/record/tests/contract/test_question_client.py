"""The question service as record's client meets it, over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, QUESTION
from deepoj_kit.grpc import Kind, Server, connect, refuse
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import (
    QuestionServiceServicer,
    add_QuestionServiceServicer_to_server,
)
from deepoj_record.commands.ports import QuestionAwayError, QuestionFacts
from deepoj_record.outbound.grpc.question import GrpcCatalogue

TOKEN = Secret("throw-away")
ANYBODY, SOMEBODY = Actor(ALICE, Role.CONTESTANT), Actor(BOB, Role.CONTESTANT)


class Questions(QuestionServiceServicer):
    def __init__(self) -> None:
        self.revision = 5
        self.asked: list[common_pb2.Actor] = []
        self.answering = asyncio.Event()
        self.answering.set()

    async def Get(self, request: question_pb2.GetRequest, context: object) -> question_pb2.GetResponse:  # noqa: N802, ARG002 — gRPC's
        self.asked.append(request.actor)
        revision = self.revision
        await self.answering.wait()
        if request.question_id != str(QUESTION):
            refuse(Kind.NOT_FOUND, "not_found", "no such question")
        if request.actor.role == common_pb2.ROLE_SETTER:
            refuse(Kind.EXHAUSTED, "busy", "try again")
        limits = question_pb2.Limits(source_bytes=100)
        question = question_pb2.Question(revision=revision, languages=["cpp17"], limits=limits)
        return question_pb2.GetResponse(question=question)


@pytest.fixture
def questions() -> Questions:
    return Questions()  # type: ignore[abstract]  # only Get is asked


@pytest.fixture
async def catalogue(questions: Questions, private_home: Path) -> AsyncIterator[GrpcCatalogue]:
    server = Server(f"unix:{private_home}/question.sock", TOKEN, Readiness())
    add_QuestionServiceServicer_to_server(questions, server.registry)
    async with server, connect(server.address, TOKEN) as channel:
        yield GrpcCatalogue(channel)


async def test_the_newest_revision_its_languages_and_limit(
    catalogue: GrpcCatalogue, questions: Questions
) -> None:
    assert await catalogue.newest(QUESTION, ANYBODY, vouched=False) == QuestionFacts(
        revision=RevisionRef(QUESTION, 5),
        languages=frozenset({"cpp17"}),  # type: ignore[arg-type]  # a slug is text
        source_bytes=100,
    )
    questions.revision = 6
    found = await catalogue.newest(QUESTION, ANYBODY, vouched=False)
    assert found is not None
    assert found.revision.number == 6


async def test_a_question_that_is_not_there_is_none(catalogue: GrpcCatalogue) -> None:
    assert await catalogue.newest(QuestionId(uuid4()), ANYBODY, vouched=False) is None


async def test_any_other_failure_is_not_taken_for_an_answer(catalogue: GrpcCatalogue) -> None:
    with pytest.raises(QuestionAwayError, match="busy"):
        await catalogue.newest(QUESTION, Actor(ALICE, Role.SETTER), vouched=False)


async def test_a_vouched_question_is_asked_for_as_the_staff_would(
    catalogue: GrpcCatalogue, questions: Questions
) -> None:
    await catalogue.newest(QUESTION, ANYBODY, vouched=True)
    assert [actor.role for actor in questions.asked] == [common_pb2.ROLE_JUDGE]


async def test_whoever_asks_after_a_change_is_not_answered_by_a_call_from_before_it(
    catalogue: GrpcCatalogue, questions: Questions
) -> None:
    questions.answering.clear()
    before = asyncio.create_task(catalogue.newest(QUESTION, ANYBODY, vouched=False))
    await eventually(lambda: len(questions.asked) == 1)
    after = asyncio.create_task(catalogue.newest(QUESTION, ANYBODY, vouched=False))
    questions.revision += 1
    questions.answering.set()
    found = [await before, await after]
    assert [each and each.revision.number for each in found] == [5, 6]


async def test_those_who_come_while_a_call_is_under_way_share_the_next_one(
    catalogue: GrpcCatalogue, questions: Questions
) -> None:
    questions.answering.clear()
    first = asyncio.create_task(catalogue.newest(QUESTION, ANYBODY, vouched=False))
    await eventually(lambda: len(questions.asked) == 1)
    calls = [
        asyncio.create_task(catalogue.newest(QUESTION, actor, vouched=False))
        for actor in (ANYBODY, SOMEBODY, ANYBODY)
    ]
    await asyncio.sleep(0)
    calls[0].cancel()
    questions.answering.set()
    gone, *answers = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(gone, asyncio.CancelledError)
    assert [type(answer) for answer in answers] == [QuestionFacts, QuestionFacts]
    assert type(await first) is QuestionFacts
    assert len(questions.asked) == 2
    await catalogue.newest(QUESTION, ANYBODY, vouched=False)
    assert len(questions.asked) == 3


async def test_a_refusal_of_one_is_not_the_answer_of_another(
    catalogue: GrpcCatalogue, questions: Questions
) -> None:
    asked = [(QUESTION, ANYBODY), (QUESTION, Actor(ALICE, Role.SETTER)), (QuestionId(uuid4()), SOMEBODY)]
    answers = await asyncio.gather(
        *(catalogue.newest(question, actor, vouched=False) for question, actor in asked),
        return_exceptions=True,
    )
    assert [type(each) for each in answers] == [QuestionFacts, QuestionAwayError, type(None)]
    assert {actor.role for actor in questions.asked} == {
        common_pb2.ROLE_CONTESTANT, common_pb2.ROLE_SETTER
    }  # fmt: skip
