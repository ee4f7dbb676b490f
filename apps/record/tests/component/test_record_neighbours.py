"""What record asks of game and judgement before it accepts and shows a submission."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.record.tests.neighbours import Neighbours, a_language
from apps.record.tests.people import OTHER, OWNER, a_request, claimed, finalize
from deepoj_domain.testing import ALICE, BOB, GAME
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import TOKEN, ServiceStarter
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub


async def test_whoever_may_not_enter_a_game_is_told_why_by_the_game(
    record: RecordServiceAsyncStub, neighbours: Neighbours
) -> None:
    neighbours.games.out.add(str(ALICE))
    with pytest.raises(RemoteError) as refused:
        await record.Submit(a_request(game=str(GAME)))
    assert (refused.value.kind, refused.value.reason) == (Kind.FORBIDDEN, "not_signed_up")
    assert refused.value.message == "sign up for the game first"


async def test_while_the_game_service_is_away_its_games_take_nothing_and_practice_goes_on(
    start_service: ServiceStarter, settings: dict[str, str]
) -> None:
    serving = start_service("deepoj_record", settings | {"game_address": "unix:/nobody"})
    async with connect(serving.address, Secret(TOKEN)) as channel:
        record = RecordServiceStub(channel)
        with pytest.raises(RemoteError) as refused:
            await record.Submit(a_request(game=str(GAME)))
        await record.Submit(a_request())
    assert (refused.value.kind, refused.value.reason) == (Kind.UNAVAILABLE, "game_unavailable")
    assert refused.value.retry_after is not None


@pytest.mark.parametrize("away", ["question", "game"])
async def test_what_was_accepted_is_told_again_while_a_neighbour_is_away(
    record: RecordServiceAsyncStub, start_service: ServiceStarter, settings: dict[str, str], away: str
) -> None:
    first, again = a_request("key", str(GAME)), a_request("key", str(GAME))
    await record.Submit(first)
    alone = start_service("deepoj_record", settings | {f"{away}_address": "unix:/nobody"})
    async with connect(alone.address, Secret(TOKEN)) as channel:
        said = await RecordServiceStub(channel).Submit(again)
        assert (said.submission_id, said.repeated) == (first.submission_id, True)
        with pytest.raises(RemoteError) as refused:
            await RecordServiceStub(channel).Submit(a_request("other", str(GAME)))
    assert (refused.value.kind, refused.value.reason) == (Kind.UNAVAILABLE, f"{away}_unavailable")
    assert refused.value.retry_after is not None


async def test_a_silent_game_hides_the_verdict_from_its_owner_and_shows_it_to_its_staff(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, neighbours: Neighbours
) -> None:
    neighbours.games.sights[str(ALICE)] = game_pb2.CheckSightResponse()
    neighbours.games.sights[str(BOB)] = game_pb2.CheckSightResponse(staff=True)
    request = a_request(game=str(GAME))
    await record.Submit(request)
    await claimed(worker, request.submission_id)
    await finalize(worker, request.submission_id)
    mine = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=request.submission_id))
    assert mine.submission.status == record_pb2.STATUS_FINISHED
    assert not mine.submission.HasField("result")
    staff = await record.Get(record_pb2.GetRequest(actor=OTHER, submission_id=request.submission_id))
    assert staff.submission.HasField("result")
    assert (mine.shows_cases, staff.shows_cases) == (False, True)


async def test_a_language_that_no_judge_host_has_is_refused_by_name_with_the_way_to_get_it(
    record: RecordServiceAsyncStub, neighbours: Neighbours
) -> None:
    neighbours.judgement.languages = [a_language("python3"), a_language("cpp17", available=False)]

    async def is_refused() -> bool:
        try:
            await record.Submit(a_request())
        except RemoteError as error:
            said = (error.kind, error.reason, error.message)
            assert said == (
                Kind.PRECONDITION, "language_not_installed", "no judge host has cpp17 (apt install cpp17)"
            )  # fmt: skip
            return True
        return False

    await eventually(is_refused)
