"""What is left of somebody on the boards when their account is deleted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import psycopg
from redis.asyncio import Redis
from redis.typing import EncodableT, FieldT

from apps.game.tests.contests import CONTESTANT, GUEST, JUDGE, ORGANISER, a_contest
from deepoj_domain.account.events import AccountChange, AccountChanged
from deepoj_domain.account.personal import DELETED_NAME
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.streams import Streams
from deepoj_game.inbound.stream.on_account import ACCOUNT_CODEC
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.streams import settled
from deepoj_proto.game.v1 import game_pb2

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

RUNNING = timedelta(minutes=-10)


async def happens(redis: Redis, env: str, change: AccountChange) -> None:
    """Send the event of the contestant's account and wait until it is dealt with."""
    stream = Streams(env).account_events
    event = AccountChanged(
        occurred_at=datetime.now(UTC),
        account_id=AccountId(UUID(CONTESTANT.account_id)),
        change=change,
        session_epoch=1,
    )
    fields: dict[FieldT, EncodableT] = dict(ACCOUNT_CODEC.encode(event).items())
    await redis.xadd(stream, fields | {"message_id": str(uuid4())})

    async def done() -> bool:
        return await settled(redis, stream, "game")

    await eventually(done)


async def names(game: GameServiceAsyncStub, game_id: str) -> list[str]:
    board = await game.GetScoreboard(game_pb2.GetScoreboardRequest(actor=GUEST, game_id=game_id))
    return sorted(row.participant.display_name for row in board.rows)


async def test_a_deleted_account_keeps_its_rows_and_no_board_names_the_person(
    game: GameServiceAsyncStub, redis: Redis, shared_env: str
) -> None:
    contests = [await a_contest(game, RUNNING) for _ in range(2)]
    await happens(redis, shared_env, AccountChange.INFO_UPDATED)
    assert await names(game, contests[0]) == ["Alice", "Bea"]
    request = game_pb2.GetScoreboardRequest(actor=GUEST, game_id=contests[0])
    before = (await game.GetScoreboard(request)).sequence
    watch = aiter(
        game.WatchScoreboard(
            game_pb2.WatchScoreboardRequest(actor=GUEST, game_id=contests[0], after_sequence=before),
            timeout=100,
        )
    )
    for _ in range(2):
        await happens(redis, shared_env, AccountChange.DELETED)
    assert [await names(game, each) for each in contests] == [["Bea", DELETED_NAME]] * 2
    told = await anext(watch)
    assert (told.sequence, told.row.participant.display_name) == (before + 1, DELETED_NAME)
    assert (await game.GetScoreboard(request)).sequence == before + 1, "the second time changes nothing"
    listed = await game.ListParticipants(
        game_pb2.ListParticipantsRequest(actor=ORGANISER, game_id=contests[1])
    )
    assert "Alice" not in str(listed)


async def test_the_name_is_gone_from_a_contest_that_was_deleted_too(
    game: GameServiceAsyncStub, redis: Redis, shared_env: str, shared_url: str
) -> None:
    game_id = await a_contest(game, timedelta(hours=1))
    found = (await game.Get(game_pb2.GetRequest(actor=JUDGE, game_id=game_id))).game
    await game.Delete(game_pb2.DeleteRequest(actor=ORGANISER, game_id=game_id, version=found.version))
    await happens(redis, shared_env, AccountChange.DELETED)
    with psycopg.connect(shared_url) as looking:
        rows = looking.execute("SELECT DISTINCT display_name FROM game.participants").fetchall()
    assert ("Alice",) not in rows
