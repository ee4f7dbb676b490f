"""Submissions that are ready together share a call; their answers and failures are their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from deepoj_bff.commands.submit import Draft, Stored
from deepoj_bff.outbound.grpc.submit_batches import SubmitBatches
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_kit.grpc import Kind, RemoteError, Server, connect
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceServicer, add_RecordServiceServicer_to_server

TOKEN = Secret("throw-away")
ADA = Actor(ALICE, Role.CONTESTANT)


class Record(RecordServiceServicer):
    """Accepts everything but cobol, when it is let."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.requests: list[record_pb2.SubmitRequest] = []
        self.open = asyncio.Event()
        self.is_broken = False

    async def SubmitMany(  # noqa: N802 — gRPC's name
        self,
        request: record_pb2.SubmitManyRequest,
        context: object,  # noqa: ARG002 — gRPC's signature
    ) -> record_pb2.SubmitManyResponse:
        self.sizes.append(len(request.submissions))
        self.requests += [each.submission for each in request.submissions]
        await self.open.wait()
        if self.is_broken:
            raise RuntimeError("broken")
        return record_pb2.SubmitManyResponse(outcomes=[_outcome(each) for each in request.submissions])


def _outcome(each: record_pb2.TracedSubmit) -> record_pb2.SubmitOutcome:
    if each.submission.language == "cobol":
        refused = record_pb2.SubmitRefused(
            kind="unavailable", reason="game_unavailable", message="try again", retry_after_ms=5000
        )
        return record_pb2.SubmitOutcome(refused=refused)
    accepted = record_pb2.SubmitResponse(submission_id=each.submission.submission_id)
    return record_pb2.SubmitOutcome(accepted=accepted)


@pytest.fixture
async def record() -> Record:
    return Record()  # type: ignore[abstract]  # only SubmitMany is asked


@pytest.fixture
async def submit(record: Record, private_home: Path) -> AsyncIterator[SubmitBatches]:
    async with AsyncExitStack() as held:
        server = Server(f"unix:{private_home}/record.sock", TOKEN, Readiness())
        add_RecordServiceServicer_to_server(record, server.registry)
        await held.enter_async_context(server)
        yield SubmitBatches(await held.enter_async_context(connect(server.address, TOKEN)))


async def sent(submit: SubmitBatches, number: int, language: str = "cpp17") -> Stored:
    return await submit.submit(UUID(int=number), ADA, Draft(QUESTION, None, language, "int main() {}"), "key")


async def test_those_that_come_while_calls_are_under_way_share_the_next_one(
    record: Record, submit: SubmitBatches
) -> None:
    calls = [asyncio.create_task(sent(submit, number)) for number in range(40)]
    await eventually(lambda: len(record.sizes) == 1)
    record.open.set()
    answers = await asyncio.gather(*calls)
    assert [answer.submission_id for answer in answers] == [str(UUID(int=number)) for number in range(40)]
    assert len(record.sizes) < len(calls)
    assert sum(record.sizes) == len(calls)


async def test_one_that_is_refused_is_told_why_and_when_to_try_again_and_the_others_are_taken(
    record: Record, submit: SubmitBatches
) -> None:
    record.open.set()
    taken, refused = await asyncio.gather(sent(submit, 1), sent(submit, 2, "cobol"), return_exceptions=True)
    assert isinstance(taken, Stored)
    assert isinstance(refused, RemoteError)
    assert (refused.kind, refused.reason) == (Kind.UNAVAILABLE, "game_unavailable")
    assert refused.retry_after == timedelta(seconds=5)


async def test_a_failure_is_told_to_everybody_who_shared_the_call(
    record: Record, submit: SubmitBatches
) -> None:
    record.is_broken = True
    record.open.set()
    outcomes = await asyncio.gather(*(sent(submit, number) for number in range(5)), return_exceptions=True)
    assert [each.kind for each in outcomes if isinstance(each, RemoteError)] == [Kind.INTERNAL] * 5


@pytest.mark.parametrize(("language", "is_broken"), [("cobol", False), ("cpp17", True)])
async def test_what_record_does_not_have_or_cannot_tell_is_not_found(
    record: Record, submit: SubmitBatches, language: str, *, is_broken: bool
) -> None:
    record.is_broken = is_broken
    record.open.set()
    assert await submit.find(UUID(int=1), ADA, Draft(QUESTION, None, language, "x"), "key") is None


async def test_what_record_has_is_found_without_storing_it_again(
    record: Record, submit: SubmitBatches
) -> None:
    record.open.set()
    draft = Draft(QUESTION, None, "cpp17", "x")
    assert await submit.find(UUID(int=1), ADA, draft, "key") == Stored(str(UUID(int=1)), repeated=False)
    assert [each.only_repeat for each in record.requests] == [True]
