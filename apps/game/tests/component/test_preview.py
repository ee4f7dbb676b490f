"""What a rejudge would do to the board, and a record service that is away or answers strangely."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from apps.game.tests.contests import (
    CONTESTANT,
    JUDGE,
    ORGANISER,
    OTHER,
    QUESTIONS,
    a_contest,
)
from apps.game.tests.events import Sent, publish
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_kit.grpc import Kind, RemoteError, Server, refuse
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import TOKEN
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import (
    RecordServiceServicer,
    add_RecordServiceServicer_to_server,
)

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub


AN_HOUR_AGO = timedelta(hours=-1)


class Rejudging(RecordServiceServicer):
    """The record service as far as a preview asks it, one effect a page."""

    def __init__(self) -> None:
        self.effects: list[record_pb2.RejudgeEffect] = []
        self.game_id = ""

    async def PreviewRejudge(  # noqa: N802 — gRPC's
        self,
        request: record_pb2.PreviewRejudgeRequest,
        context: object,  # noqa: ARG002 — gRPC's
    ) -> record_pb2.PreviewRejudgeResponse:
        if not self.effects:
            refuse(Kind.NOT_FOUND, "not_found", "there is no such rejudge")
        place = int(request.page.cursor or 0)
        more = str(place + 1) if place + 1 < len(self.effects) else ""
        return record_pb2.PreviewRejudgeResponse(
            submissions=len(self.effects),
            judged=sum(each.new_verdict != judging_pb2.VERDICT_UNSPECIFIED for each in self.effects),
            effects=self.effects[place : place + 1],
            page=common_pb2.PageInfo(next_cursor=more),
            game_id=self.game_id,
        )


@pytest.fixture(scope="module")
def record_address(home: Path) -> str:
    return f"unix:{home}/record.sock"


@pytest.fixture
async def rejudging(record_address: str) -> AsyncIterator[Rejudging]:
    server = Server(record_address, Secret(TOKEN), Readiness())
    servicer = Rejudging()  # type: ignore[abstract]  # only one call is asked
    add_RecordServiceServicer_to_server(servicer, server.registry)
    async with server:
        yield servicer


async def told(
    game: GameServiceAsyncStub, redis: Redis, env: str, game_id: str, sent: list[Sent]
) -> list[game_pb2.BoardRow]:
    await publish(redis, env, [event for each in sent for event in each.told()])
    request = game_pb2.GetScoreboardRequest(actor=JUDGE, game_id=game_id, view=game_pb2.BOARD_VIEW_ADMIN)
    before = (await game.GetScoreboard(request)).sequence

    async def arrived() -> bool:
        return (await game.GetScoreboard(request)).sequence >= 3 + 2 * len(sent)

    assert before <= 3 + 2 * len(sent)
    await eventually(arrived, within=60)
    return list((await game.GetScoreboard(request)).rows)


def a_submission(game_id: str, actor: common_pb2.Actor, minutes: int, verdict: Verdict) -> Sent:
    return Sent(
        game_id=game_id,
        account_id=actor.account_id,
        question_id=QUESTIONS[0],
        at=datetime.now(UTC) - timedelta(minutes=60 - minutes),
        verdict=verdict,
        id=uuid4(),
    )


def effect(sent: Sent, new: UUID, verdict: judging_pb2.Verdict.ValueType) -> record_pb2.RejudgeEffect:
    return record_pb2.RejudgeEffect(
        old_submission_id=str(sent.id),
        new_submission_id=str(new),
        new_verdict=verdict,
        new_score=judging_pb2.Score(micros=Score.points(0).micros),
        fate=record_pb2.REJUDGE_FATE_OPEN,
    )


async def test_a_preview_shows_ranks_solved_counts_and_first_places_and_changes_nothing(
    game: GameServiceAsyncStub, rejudging: Rejudging, redis: Redis, shared_env: str
) -> None:
    game_id = rejudging.game_id = await a_contest(game, AN_HOUR_AGO)
    first = a_submission(game_id, CONTESTANT, 10, Verdict.ACCEPTED)
    second = a_submission(game_id, OTHER, 20, Verdict.ACCEPTED)
    before = await told(game, redis, shared_env, game_id, [first, second])
    rejudging.effects = [
        effect(first, uuid4(), judging_pb2.VERDICT_WRONG_ANSWER),
        effect(second, uuid4(), judging_pb2.VERDICT_UNSPECIFIED),
    ]
    request = game_pb2.PreviewRejudgeRequest(actor=JUDGE, game_id=game_id, rejudge_id=str(uuid4()))
    found = await game.PreviewRejudge(request)
    assert (found.submissions, found.judged) == (2, 1)
    seen = {
        change.after.participant.display_name: (
            change.before.rank,
            change.after.rank,
            change.after.solved,
            change.after.cells[0].first_to_solve,
        )
        for change in found.changes
    }
    assert seen == {"Bea": (2, 1, 1, True), "Alice": (1, 2, 0, False)}
    assert "now first to solve A" in next(
        each.reason for each in found.changes if each.account_id == OTHER.account_id
    )
    board = game_pb2.GetScoreboardRequest(actor=JUDGE, game_id=game_id, view=game_pb2.BOARD_VIEW_ADMIN)
    assert list((await game.GetScoreboard(board)).rows) == before
    request.actor.CopyFrom(CONTESTANT)
    with pytest.raises(RemoteError) as refused:
        await game.PreviewRejudge(request)
    assert refused.value.reason == "not_allowed"


@pytest.mark.parametrize("fate", [record_pb2.REJUDGE_FATE_DROPPED, record_pb2.REJUDGE_FATE_APPLIED])
async def test_a_preview_promises_nothing_of_what_is_dropped_or_applied(
    game: GameServiceAsyncStub,
    rejudging: Rejudging,
    redis: Redis,
    shared_env: str,
    fate: record_pb2.RejudgeFate.ValueType,
) -> None:
    game_id = rejudging.game_id = await a_contest(game, AN_HOUR_AGO)
    sent = a_submission(game_id, CONTESTANT, 10, Verdict.ACCEPTED)
    await told(game, redis, shared_env, game_id, [sent])
    overtaken = effect(sent, uuid4(), judging_pb2.VERDICT_WRONG_ANSWER)
    overtaken.fate = fate
    rejudging.effects = [overtaken]
    request = game_pb2.PreviewRejudgeRequest(actor=JUDGE, game_id=game_id, rejudge_id=str(uuid4()))
    assert not (await game.PreviewRejudge(request)).changes


async def test_subtasks_count_where_they_do(
    game: GameServiceAsyncStub, rejudging: Rejudging, redis: Redis, shared_env: str
) -> None:
    game_id = rejudging.game_id = await a_contest(game, AN_HOUR_AGO, game_pb2.FORMAT_IOI)
    sent = a_submission(game_id, CONTESTANT, 10, Verdict.WRONG_ANSWER)
    await told(game, redis, shared_env, game_id, [sent])
    rejudged = effect(sent, uuid4(), judging_pb2.VERDICT_WRONG_ANSWER)
    rejudged.new_groups.add(name="small", score=judging_pb2.Score(micros=Score.points(30).micros))
    rejudging.effects = [rejudged]
    request = game_pb2.PreviewRejudgeRequest(actor=JUDGE, game_id=game_id, rejudge_id=str(uuid4()))
    [change] = [
        each
        for each in (await game.PreviewRejudge(request)).changes
        if each.account_id == CONTESTANT.account_id
    ]
    assert change.after.score == judging_pb2.Score(micros=Score.points(30).micros)


@pytest.mark.parametrize("elsewhere", ["", str(uuid4())], ids=["no game", "another game"])
async def test_who_runs_one_game_is_told_nothing_of_a_rejudge_that_is_not_only_of_it(
    game: GameServiceAsyncStub, rejudging: Rejudging, elsewhere: str
) -> None:
    game_id, rejudging.game_id = await a_contest(game, AN_HOUR_AGO), elsewhere
    sent = a_submission(game_id, CONTESTANT, 10, Verdict.ACCEPTED)
    rejudging.effects = [effect(sent, uuid4(), judging_pb2.VERDICT_WRONG_ANSWER)]
    request = game_pb2.PreviewRejudgeRequest(actor=JUDGE, game_id=game_id, rejudge_id=str(uuid4()))
    with pytest.raises(RemoteError) as refused:
        await game.PreviewRejudge(request)
    assert (refused.value.kind, refused.value.reason) == (Kind.NOT_FOUND, "not_found")
    request.actor.CopyFrom(ORGANISER)
    assert (await game.PreviewRejudge(request)).submissions == 1, "a judge of the site sees every rejudge"


async def test_an_unknown_rejudge_is_refused_by_name(
    game: GameServiceAsyncStub, rejudging: Rejudging
) -> None:
    game_id = await a_contest(game, AN_HOUR_AGO)
    assert rejudging.effects == []
    request = game_pb2.PreviewRejudgeRequest(actor=JUDGE, game_id=game_id, rejudge_id=str(uuid4()))
    with pytest.raises(RemoteError) as refused:
        await game.PreviewRejudge(request)
    assert (refused.value.kind, refused.value.reason) == (Kind.NOT_FOUND, "not_found")


async def test_a_recompute_waits_for_record_and_says_so(game: GameServiceAsyncStub) -> None:
    game_id = await a_contest(game, AN_HOUR_AGO)
    board = game_pb2.GetScoreboardRequest(actor=JUDGE, game_id=game_id, view=game_pb2.BOARD_VIEW_ADMIN)
    before = await game.GetScoreboard(board)
    request = game_pb2.RecomputeScoresRequest(actor=JUDGE, game_id=game_id)
    with pytest.raises(RemoteError) as refused:
        await anext(aiter(game.RecomputeScores(request, timeout=60)))
    assert refused.value.reason == "not_allowed"
    request.actor.CopyFrom(ORGANISER)
    begun = (await anext(aiter(game.RecomputeScores(request, timeout=60)))).progress.work

    async def told() -> bool:
        asked = game_pb2.GetWorkRequest(actor=JUDGE, game_id=game_id, work_id=begun.id)
        work = (await game.GetWork(asked)).work
        return work.state == game_pb2.WORK_STATE_WAITING and work.error.startswith("interrupted: record")

    await eventually(told, within=60)
    assert await game.GetScoreboard(board) == before
    shown = (await game.Get(game_pb2.GetRequest(actor=JUDGE, game_id=game_id))).game
    assert shown.work.id == begun.id
    assert not (await game.Get(game_pb2.GetRequest(actor=CONTESTANT, game_id=game_id))).game.HasField("work")
    same = (await anext(aiter(game.RecomputeScores(request, timeout=60)))).progress.work
    assert same.id == begun.id
    request.account_id = CONTESTANT.account_id
    with pytest.raises(RemoteError) as refused:
        await anext(aiter(game.RecomputeScores(request, timeout=60)))
    assert (refused.value.kind, refused.value.reason) == (Kind.CONFLICT, "work_under_way")
