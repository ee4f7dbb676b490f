"""Requests as other services make them, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING
from uuid import uuid4

from deepoj_domain.testing import ALICE, BOB, ROOT
from deepoj_kit.ids import Uuid7
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceAsyncStub

SETTER = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_SETTER)
CONTESTANT = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
ADMIN = common_pb2.Actor(account_id=str(ROOT.account_id), role=common_pb2.ROLE_ADMIN)
new_id = Uuid7()
GUEST = common_pb2.Actor(role=common_pb2.ROLE_GUEST)


def slug() -> str:
    return f"q-{uuid4().hex[:20]}"


async def put(
    question: QuestionServiceAsyncStub, content: bytes, actor: common_pb2.Actor = SETTER
) -> pb.ObjectRef:
    async def parts() -> AsyncIterator[pb.PutObjectRequest]:
        yield pb.PutObjectRequest(header=pb.PutObjectHeader(actor=actor))
        for start in range(0, len(content), 1000):
            yield pb.PutObjectRequest(chunk=content[start : start + 1000])

    return (await question.PutObject(parts())).object


async def a_draft(question: QuestionServiceAsyncStub, title: str = "Sum") -> pb.Draft:
    """A draft whose files are stored."""
    given, answer = await put(question, b"1 2\n"), await put(question, b"3\n")
    made = pb.Draft(
        slug=slug(),
        level=pb.LEVEL_EASY,
        tags=["math"],
        statements=[pb.Statement(locale="en", title=title, markdown="Add $a$ and $b$.")],
        samples=[pb.Sample(input="1 2\n", output="3\n")],
        limits=pb.Limits(memory_bytes=256 << 20),
        judging=pb.JudgeSpec(
            cases=[pb.Case(name="1", input=given, answer=answer)],
            checker=pb.Checker(builtin=pb.BuiltinChecker(mode=pb.BUILTIN_MODE_TOKENS)),
        ),
    )
    made.limits.time.FromMilliseconds(1000)
    return made


async def created(question: QuestionServiceAsyncStub, draft: pb.Draft | None = None) -> pb.Question:
    request = pb.CreateRequest(
        actor=SETTER, question_id=str(new_id()), draft=draft or await a_draft(question)
    )
    return (await question.Create(request)).question


async def published(question: QuestionServiceAsyncStub, question_id: str) -> pb.Question:
    request = pb.SetEnabledRequest(actor=SETTER, question_id=question_id, enabled=True)
    return (await question.SetEnabled(request)).question
