"""A submission that nobody could judge holds a final result back until the staff decides about it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from apps.game.tests.contests import CONTESTANT, ORGANISER, QUESTIONS, a_contest
from apps.game.tests.events import Sent, publish
from deepoj_domain.kernel.verdict import Verdict
from deepoj_kit.grpc import RemoteError
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.game.v1 import game_pb2

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

OVER = timedelta(hours=-6)


@pytest.mark.parametrize("decision", ["ignored", "replayed"])
async def test_a_dead_submission_holds_the_result_back_until_the_staff_decides(
    game: GameServiceAsyncStub, redis: Redis, shared_env: str, decision: str
) -> None:
    game_id = await a_contest(game, OVER)
    dead = Sent(
        game_id=game_id, account_id=CONTESTANT.account_id, question_id=QUESTIONS[0],
        at=datetime.now(UTC) - timedelta(hours=3), verdict=Verdict.ACCEPTED, id=uuid4(),
    )  # fmt: skip
    # What died tells a game nothing after its beginning.
    await publish(redis, shared_env, [dead.submitted()])
    board = game_pb2.GetScoreboardRequest(actor=ORGANISER, game_id=game_id, view=game_pb2.BOARD_VIEW_ADMIN)

    async def pending() -> int:
        return sum(cell.pending for row in (await game.GetScoreboard(board)).rows for cell in row.cells)

    async def waits() -> bool:
        return await pending() == 1

    await eventually(waits)
    finalize = game_pb2.FinalizeRequest(actor=ORGANISER, game_id=game_id)
    with pytest.raises(RemoteError) as refused:
        await game.Finalize(finalize)
    assert refused.value.reason == "submissions_undecided"
    undecided = game_pb2.ListUndecidedRequest(actor=ORGANISER, game_id=game_id)
    (held,) = (await game.ListUndecided(undecided)).submissions
    assert (held.submission_id, held.display_name, held.label) == (str(dead.id), "Alice", "A")
    assert held.submitted_at.ToDatetime(UTC) == dead.at
    if decision == "ignored":
        await game.IgnoreSubmission(
            game_pb2.IgnoreSubmissionRequest(
                actor=ORGANISER, game_id=game_id, submission_id=str(dead.id), ignored=True, reason="our fault"
            )
        )
    else:
        replayed = dead.rejudged(Verdict.ACCEPTED, uuid4(), datetime.now(UTC))
        await publish(redis, shared_env, [replayed])

    async def is_decided() -> bool:
        return await pending() == 0

    await eventually(is_decided)
    assert not (await game.ListUndecided(undecided)).submissions
    left_out = await game.ListIgnored(game_pb2.ListIgnoredRequest(actor=ORGANISER, game_id=game_id))
    assert [each.submission_id for each in left_out.submissions] == [str(dead.id)] * (decision == "ignored")
    assert (await game.Finalize(finalize)).game.phase == game_pb2.PHASE_FINALIZED
