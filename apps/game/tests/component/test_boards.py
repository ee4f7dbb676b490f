"""Boards as contestants, judges and guests see them while a contest runs."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from apps.game.tests.contests import (
    ADMIN,
    CONTESTANT,
    GUEST,
    JUDGE,
    ORGANISER,
    OTHER,
    QUESTIONS,
    a_contest,
)
from apps.game.tests.events import Sent, publish
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.streams import Streams
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.grpc.mapping.values import duration, timestamp
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import Service
from deepoj_kit.testing.streams import settled
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

PUBLIC, FROZEN = game_pb2.BOARD_VIEW_PUBLIC, game_pb2.BOARD_VIEW_FROZEN
OWN, FULL = game_pb2.BOARD_VIEW_OWN, game_pb2.BOARD_VIEW_ADMIN
BEFORE, RUNNING = timedelta(hours=1), timedelta(minutes=-10)
IN_THE_FREEZE, OVER = timedelta(hours=-4, minutes=-30), timedelta(hours=-6)
PEOPLE = (ADMIN, ORGANISER, JUDGE, CONTESTANT, OTHER, GUEST)
Told = Callable[..., Awaitable[Sent]]


NAMES = ("Alice", "=Bea()")


@pytest.fixture
def told(game: GameServiceAsyncStub, redis: Redis, shared_env: str) -> Told:
    """Give a function that sends a submission's events and waits until the board has them."""

    async def send(
        game_id: str, actor: common_pb2.Actor, ago: timedelta, verdict: Verdict, problem: int = 0
    ) -> Sent:
        sent = Sent(
            game_id=game_id,
            account_id=actor.account_id,
            question_id=QUESTIONS[problem],
            at=datetime.now(UTC) - ago,
            verdict=verdict,
            id=uuid4(),
        )
        before = (await page(game, game_id, ADMIN, FULL)).sequence
        await publish(redis, shared_env, sent.told())

        async def arrived() -> bool:
            return (await page(game, game_id, ADMIN, FULL)).sequence >= before + 2

        await eventually(arrived, within=60)
        return sent

    return send


async def page(
    game: GameServiceAsyncStub, game_id: str, actor: common_pb2.Actor, view: game_pb2.BoardView.ValueType
) -> game_pb2.GetScoreboardResponse:
    return await game.GetScoreboard(game_pb2.GetScoreboardRequest(actor=actor, game_id=game_id, view=view))


async def answer(call: Awaitable[game_pb2.GetScoreboardResponse]) -> str:
    """What somebody gets to see: who solved how much, or why not."""
    try:
        rows = (await call).rows
    except RemoteError as error:
        return error.reason
    return " ".join(f"{row.participant.display_name[-1]}{row.solved}" for row in rows)


@pytest.mark.parametrize(
    ("starts_in", "game_format", "seen"),
    [
        # admin, organiser, judge, contestant, other contestant, guest
        (BEFORE, game_pb2.FORMAT_ICPC, ["e0 )0"] * 3 + ["board_hidden"] * 3),
        (RUNNING, game_pb2.FORMAT_ICPC, ["e1 )0"] * 6),
        (IN_THE_FREEZE, game_pb2.FORMAT_ICPC, ["e0 )0"] * 6),
        (OVER, game_pb2.FORMAT_ICPC, ["e0 )0"] * 6),
        (RUNNING, game_pb2.FORMAT_OI, ["e1 )0"] * 3 + ["board_hidden"] * 3),
        (OVER, game_pb2.FORMAT_OI, ["e0 )0"] * 6),
    ],
)
async def test_who_sees_the_public_board_when(
    game: GameServiceAsyncStub,
    told: Told,
    starts_in: timedelta,
    game_format: game_pb2.Format.ValueType,
    seen: list[str],
) -> None:
    """One accepted submission, made in the freeze where there is one by then."""
    game_id = await a_contest(game, starts_in, game_format, NAMES)
    ago = {BEFORE: timedelta(0), RUNNING: timedelta(minutes=5)}.get(starts_in, timedelta(minutes=10))
    if starts_in == OVER:
        ago = timedelta(hours=1, minutes=10)
    if starts_in != BEFORE:
        await told(game_id, CONTESTANT, ago, Verdict.ACCEPTED)
    assert [await answer(page(game, game_id, actor, PUBLIC)) for actor in PEOPLE] == seen


async def test_each_view_is_for_those_it_is_meant_for(game: GameServiceAsyncStub, told: Told) -> None:
    game_id = await a_contest(game, IN_THE_FREEZE, names=NAMES)
    await told(game_id, CONTESTANT, timedelta(minutes=5), Verdict.ACCEPTED)
    seen = {
        view: [await answer(page(game, game_id, actor, view)) for actor in (JUDGE, CONTESTANT, OTHER, GUEST)]
        for view in (PUBLIC, FROZEN, OWN, FULL)
    }
    everybody = ["e0 )0"] * 4
    assert seen == {
        PUBLIC: everybody,
        FROZEN: everybody,
        OWN: ["e0 )0", "e1 )0", "e0 )0", "not_a_participant"],
        FULL: ["e1 )0", "access_denied", "access_denied", "access_denied"],
    }
    row = (await page(game, game_id, GUEST, PUBLIC)).rows[0]
    assert (row.cells[0].pending, row.cells[0].solved, row.cells[0].first_to_solve) == (1, False, False)
    full = (await page(game, game_id, JUDGE, FULL)).rows[0]
    assert (full.rank, full.cells[0].solved, full.cells[0].first_to_solve) == (1, True, True)


async def test_a_board_is_unfrozen_then_final_and_then_stays(
    game: GameServiceAsyncStub, told: Told, redis: Redis, shared_env: str
) -> None:
    game_id = await a_contest(game, OVER, names=NAMES)
    sent = await told(game_id, CONTESTANT, timedelta(hours=1, minutes=10), Verdict.ACCEPTED)
    assert await answer(page(game, game_id, GUEST, PUBLIC)) == "e0 )0"
    await game.Unfreeze(game_pb2.UnfreezeRequest(actor=ORGANISER, game_id=game_id))
    assert await answer(page(game, game_id, GUEST, PUBLIC)) == "e1 )0"
    final = (await game.Finalize(game_pb2.FinalizeRequest(actor=ORGANISER, game_id=game_id))).game
    assert final.phase == game_pb2.PHASE_FINALIZED
    await publish(redis, shared_env, [sent.rejudged(Verdict.WRONG_ANSWER, uuid4(), datetime.now(UTC))])
    stream = Streams(shared_env).submission_events
    await eventually(partial(settled, redis, stream, "game"), within=60)
    assert await answer(page(game, game_id, GUEST, PUBLIC)) == "e1 )0", "a rejudge comes too late"
    extend = game_pb2.ExtendRequest(actor=ORGANISER, game_id=game_id, by=duration(timedelta(hours=1)))
    with pytest.raises(RemoteError) as refused:
        await game.Extend(extend)
    assert refused.value.reason == "already_finalized"


async def test_a_watch_goes_on_where_the_snapshot_ended_and_skips_no_number(
    game: GameServiceAsyncStub, told: Told
) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    snapshot = (await page(game, game_id, OTHER, PUBLIC)).sequence
    request = game_pb2.WatchScoreboardRequest(actor=OTHER, game_id=game_id, after_sequence=snapshot)
    watch = aiter(game.WatchScoreboard(request, timeout=100))
    first = asyncio.ensure_future(anext(watch))
    await told(game_id, CONTESTANT, timedelta(minutes=3), Verdict.WRONG_ANSWER)
    assert (await first).sequence == snapshot + 1
    second = await anext(watch)
    assert (second.sequence, second.row.cells[0].rejected) == (snapshot + 2, 1)
    asked = game_pb2.AskRequest(actor=CONTESTANT, game_id=game_id, clarification_id=str(uuid4()), text="Why?")
    await game.Ask(asked)
    by = duration(timedelta(minutes=1))
    await game.Extend(game_pb2.ExtendRequest(actor=ORGANISER, game_id=game_id, by=by))
    third = await anext(watch)
    assert (third.sequence, third.reload) == (snapshot + 3, True), "what another asked has no number here"

    for actor, view in ((JUDGE, FULL), (CONTESTANT, OWN)):
        again = game_pb2.WatchScoreboardRequest(actor=actor, game_id=game_id, view=view)
        again.after_sequence = snapshot + 1
        resumed = aiter(game.WatchScoreboard(again, timeout=100))
        seen = [await anext(resumed) for _ in range(3)]
        assert [each.sequence - snapshot for each in seen] == [2, 3, 4]
        assert seen[1].clarification.text == "Why?"
    ahead = game_pb2.WatchScoreboardRequest(actor=JUDGE, game_id=game_id, after_sequence=10**6)
    with pytest.raises(RemoteError) as refused:
        await anext(aiter(game.WatchScoreboard(ahead, timeout=100)))
    assert (refused.value.kind, refused.value.reason) == (Kind.INVALID, "sequence_ahead")


async def test_a_rank_is_explained_by_the_submissions_that_made_it(
    game: GameServiceAsyncStub, told: Told
) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    await told(game_id, OTHER, timedelta(minutes=9), Verdict.ACCEPTED)
    for minutes, verdict in ((8, Verdict.WRONG_ANSWER), (7, Verdict.COMPILE_ERROR)):
        await told(game_id, CONTESTANT, timedelta(minutes=minutes), verdict)
    accepted = await told(game_id, CONTESTANT, timedelta(minutes=6), Verdict.ACCEPTED)
    request = game_pb2.ExplainRankRequest(actor=CONTESTANT, game_id=game_id, account_id=CONTESTANT.account_id)
    found = await game.ExplainRank(request)
    assert [each.effect for each in found.submissions] == ["penalty", "compile_error", "accepted"]
    minute = found.row.cells[0].solved_after.ToSeconds() // 60
    assert (found.row.rank, found.row.penalty_minutes) == (2, minute + 20)
    assert found.summary.startswith("Rank 2: rank 1 ")
    request.at.FromDatetime(accepted.at - timedelta(seconds=1))
    earlier = await game.ExplainRank(request)
    assert [each.effect for each in earlier.submissions] == ["rejected", "compile_error"]
    past = game_pb2.GetScoreboardRequest(actor=GUEST, game_id=game_id, at=request.at)
    assert await answer(game.GetScoreboard(past)) == ")1 e0"
    score = game_pb2.GetScoreRequest(actor=OTHER, game_id=game_id, account_id=CONTESTANT.account_id)
    assert (await game.GetScore(score)).row.solved == 1
    request.actor.CopyFrom(OTHER)
    with pytest.raises(RemoteError) as refused:
        await game.ExplainRank(request)
    assert refused.value.reason == "not_allowed", "another's submissions are hidden until the end"


async def test_a_board_is_exported_as_csv_and_json(game: GameServiceAsyncStub, told: Told) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    await told(game_id, CONTESTANT, timedelta(minutes=5), Verdict.ACCEPTED)
    request = game_pb2.ExportScoreboardRequest(
        actor=GUEST, game_id=game_id, view=PUBLIC, format=game_pb2.EXPORT_FORMAT_CSV
    )
    text = b"".join([part.chunk async for part in game.ExportScoreboard(request, timeout=60)]).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["rank"], row["name"], row["solved"], row["A_first_to_solve"]) for row in rows] == [
        ("1", "Alice", "1", "1"),
        ("2", "'=Bea()", "0", "0"),
    ]
    assert int(rows[0]["penalty_ms"]) // 60_000 == int(rows[0]["penalty_minutes"])
    request.format = game_pb2.EXPORT_FORMAT_JSON
    text = b"".join([part.chunk async for part in game.ExportScoreboard(request, timeout=60)]).decode()
    board = json.loads(text)
    assert (board["view"], board["problems"]) == ("public", ["A", "B", "C"])
    assert [(row["name"], row["cells"]["A"]["rejected"]) for row in board["rows"]] == [
        ("Alice", 0),
        ("=Bea()", 0),
    ]


async def whole(
    game: GameServiceAsyncStub, game_id: str, actor: common_pb2.Actor, view: game_pb2.BoardView.ValueType
) -> dict[str, Any]:
    request = game_pb2.ExportScoreboardRequest(
        actor=actor, game_id=game_id, view=view, format=game_pb2.EXPORT_FORMAT_COMPACT
    )
    document: dict[str, Any] = json.loads(
        b"".join([each.chunk async for each in game.ExportScoreboard(request)])
    )
    return document


async def test_the_whole_board_is_read_as_arrays_in_the_order_of_its_sort_keys(
    game: GameServiceAsyncStub, told: Told
) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    await told(game_id, OTHER, timedelta(minutes=5), Verdict.ACCEPTED, 1)
    await told(game_id, CONTESTANT, timedelta(minutes=4), Verdict.WRONG_ANSWER)
    board, found = await page(game, game_id, GUEST, PUBLIC), await whole(game, game_id, GUEST, PUBLIC)
    assert (found["sequence"], found["view"], found["problems"]) == (
        board.sequence,
        "public",
        ["A", "B", "C"],
    )
    assert found["cell_columns"] == ["rejected", "pending", "solved_ms", "score", "first_to_solve"]
    rows = [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]
    assert [(row["rank"], row["name"], row["solved"]) for row in rows] == [(1, "=Bea()", 1), (2, "Alice", 0)]
    first, second = (row["cells"] for row in rows)
    assert [len(cell) for cell in first] == [0, 5, 0]
    assert (first[1][:2], first[1][4]) == ([0, 0], 1)
    assert second == [[1], [], []]
    assert [row["sort_key"] for row in rows] == sorted(row.sort_key for row in board.rows)
    assert [row["user_id"] for row in rows] == [row.participant.account_id for row in board.rows]


async def test_nothing_of_a_whole_board_tells_what_the_freeze_hides(
    game: GameServiceAsyncStub, told: Told
) -> None:
    game_id = await a_contest(game, IN_THE_FREEZE, names=NAMES)
    await told(game_id, CONTESTANT, timedelta(minutes=5), Verdict.WRONG_ANSWER)
    other_id = await a_contest(game, IN_THE_FREEZE, names=NAMES)
    await told(other_id, CONTESTANT, timedelta(minutes=5), Verdict.ACCEPTED)
    for actor, view in ((GUEST, PUBLIC), (OTHER, OWN), (ADMIN, FROZEN)):
        assert await whole(game, game_id, actor, view) == await whole(game, other_id, actor, view)
    own = [await whole(game, each, CONTESTANT, OWN) for each in (game_id, other_id)]
    assert [sorted(row[4] for row in each["rows"]) for each in own] == [[0, 0], [0, 1]]


async def test_a_ruling_is_tried_before_it_is_made(game: GameServiceAsyncStub, told: Told) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    sent = await told(game_id, CONTESTANT, timedelta(minutes=5), Verdict.ACCEPTED)
    before = await page(game, game_id, ADMIN, FULL)
    ignore = game_pb2.Ignoring(submission_id=str(sent.id), ignored=True)
    request = game_pb2.PreviewRulingRequest(actor=ORGANISER, game_id=game_id, ignore=ignore)
    found = await game.PreviewRuling(request)
    assert (found.rows_changed, found.changes[1].reason) == (2, "others moved")
    change = found.changes[0]
    assert (change.account_id, change.before.solved, change.after.solved) == (CONTESTANT.account_id, 1, 0)
    assert await page(game, game_id, ADMIN, FULL) == before
    longer = game_pb2.PreviewRulingRequest(
        actor=ORGANISER, game_id=game_id, extend=duration(timedelta(minutes=5))
    )
    assert (await game.PreviewRuling(longer)).rows_changed == 0
    since = datetime.now(UTC) - timedelta(minutes=9)
    cut = game_pb2.Interval(before=timestamp(since + timedelta(minutes=1)))
    getattr(cut, "from").CopyFrom(timestamp(since))
    shorter = game_pb2.PreviewRulingRequest(actor=ORGANISER, game_id=game_id, remove_interval=cut)
    previewed = await game.PreviewRuling(shorter)
    await game.RemoveInterval(
        game_pb2.RemoveIntervalRequest(actor=ORGANISER, game_id=game_id, interval=cut, reason="a power cut")
    )
    after = {row.participant.account_id: row for row in (await page(game, game_id, ADMIN, FULL)).rows}
    assert [each.after for each in previewed.changes] == [after[CONTESTANT.account_id]]


async def test_the_staff_hears_of_a_question_as_it_is_asked_and_others_do_not(
    game: GameServiceAsyncStub,
) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    last = {view: (await page(game, game_id, ADMIN, view)).sequence for view in (PUBLIC, FULL)}
    watches = {
        view: aiter(
            game.WatchScoreboard(
                game_pb2.WatchScoreboardRequest(
                    actor=JUDGE, game_id=game_id, view=view, after_sequence=last[view]
                ),
                timeout=100,
            )
        )
        for view in (PUBLIC, FULL)
    }
    ask = game_pb2.AskRequest(actor=CONTESTANT, game_id=game_id, clarification_id=str(uuid4()), text="Why?")
    await game.Ask(ask)
    heard = (await anext(watches[FULL])).clarification
    assert (heard.text, heard.asked_by) == ("Why?", CONTESTANT.account_id)
    tell = game_pb2.BroadcastRequest(
        actor=JUDGE, game_id=game_id, clarification_id=str(uuid4()), text="Because."
    )
    await game.Broadcast(tell)
    assert (await anext(watches[PUBLIC])).clarification.text == "Because.", "the first that others hear"


async def test_rulings_on_people_and_submissions_move_the_board(
    game: GameServiceAsyncStub, told: Told
) -> None:
    game_id = await a_contest(game, RUNNING, names=NAMES)
    sent = await told(game_id, CONTESTANT, timedelta(minutes=5), Verdict.ACCEPTED)
    ignore = game_pb2.IgnoreSubmissionRequest(
        actor=ORGANISER, game_id=game_id, submission_id=str(sent.id), ignored=True, reason="copied"
    )
    await game.IgnoreSubmission(ignore)
    assert await answer(page(game, game_id, GUEST, PUBLIC)) == "e0 )0"
    ignore.ignored = False
    await game.IgnoreSubmission(ignore)
    assert await answer(page(game, game_id, GUEST, PUBLIC)) == "e1 )0"
    ignore.submission_id = str(uuid4())
    with pytest.raises(RemoteError) as refused:
        await game.IgnoreSubmission(ignore)
    assert refused.value.reason == "not_found"
    change = game_pb2.UpdateParticipantRequest(
        actor=ORGANISER,
        game_id=game_id,
        account_id=CONTESTANT.account_id,
        kind=game_pb2.PARTICIPANT_KIND_UNOFFICIAL,
        penalty_adjustment_minutes=7,
    )
    await game.UpdateParticipant(change)
    rows = (await page(game, game_id, GUEST, PUBLIC)).rows
    minute = rows[0].cells[0].solved_after.ToSeconds() // 60
    assert [(row.rank, row.penalty_minutes) for row in rows] == [(0, minute + 7), (1, 0)]
    change.kind = game_pb2.PARTICIPANT_KIND_HIDDEN
    await game.UpdateParticipant(change)
    assert await answer(page(game, game_id, GUEST, PUBLIC)) == ")0"
    assert await answer(page(game, game_id, JUDGE, FULL)) == "e1 )0"


async def test_a_watch_does_not_hold_the_graceful_stop(game: GameServiceAsyncStub, serving: Service) -> None:
    """Last in this file: it stops the service that the others share."""
    game_id = await a_contest(game, RUNNING, names=NAMES)
    watch = game.WatchScoreboard(game_pb2.WatchScoreboardRequest(actor=GUEST, game_id=game_id))
    first = await anext(aiter(watch))
    assert first.sequence == 1
    await asyncio.to_thread(serving.process.stop)
    assert serving.process.exit_code() == 0
