"""What nobody may do as often as they like: guess passwords, and have boards of the past scored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import uuid4

import pytest

from apps.game.tests.games import GAME, a_game, enter, taking_part
from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.testing import ALICE, NOW, ROOT, uuid
from deepoj_game.commands.ports import CommandRefusal, Entrant
from deepoj_game.container import Container
from deepoj_game.outbound.throttle import MemoryThrottle
from deepoj_game.queries.views import BoardPage
from deepoj_kit.testing.conditions import ManualClock

OTHER_GAME = GameId(uuid(501))
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)


async def add_private(container: Container, *games: GameId) -> None:
    stored = await container.passwords().hashed("open sesame")
    game = a_game()
    rules = SignUpRules(private=True, has_password=True)
    for game_id in games:
        made = replace(game, id=game_id, plan=replace(game.plan, sign_up=rules))
        assert await container.games().add(made, password_hash=stored)


async def sign_up(
    container: Container, password: str, account_id: AccountId = ALICE, game_id: GameId = GAME
) -> Entrant | Refused[StrEnum]:
    actor = Actor(account_id, Role.CONTESTANT)
    return await container.people_use_cases().sign_up(actor, game_id, "A", password, virtual=False)


def is_unknown(answer: Entrant | Refused[StrEnum]) -> bool:
    return isinstance(answer, Refused) and answer.reason is CommandRefusal.NOT_FOUND


async def test_a_password_is_guessed_only_so_often_for_an_account_and_a_contest(
    container: Container, clock: ManualClock
) -> None:
    clock.now = NOW - timedelta(hours=1)
    await add_private(container, GAME, OTHER_GAME)
    guesses = await asyncio.gather(*(sign_up(container, f"guess {number}") for number in range(12)))
    too_often = TooOften(GameRefusal.TOO_MANY_GUESSES, retry_after=MINUTE)
    assert [is_unknown(guess) for guess in guesses].count(True) == 10
    assert guesses.count(too_often) == 2
    assert await sign_up(container, "open sesame") == too_often
    assert is_unknown(await sign_up(container, "guess", AccountId(uuid(9))))
    assert is_unknown(await sign_up(container, "guess", ALICE, OTHER_GAME))
    clock.advance(minutes=1)
    assert isinstance(await sign_up(container, "open sesame"), Entrant)


async def test_guessing_tells_nobody_whether_there_is_such_a_contest(
    container: Container, clock: ManualClock
) -> None:
    clock.now = NOW - timedelta(hours=1)
    await add_private(container, GAME)
    for password in ("", *["guess"] * 12):
        answers = [await sign_up(container, password, ALICE, game_id) for game_id in (GAME, OTHER_GAME)]
        assert answers[0] == answers[1]


async def test_a_right_password_is_no_guess(container: Container, clock: ManualClock) -> None:
    clock.now = NOW - timedelta(hours=1)
    await add_private(container, GAME)
    entered = [await sign_up(container, "open sesame") for _ in range(12)]
    assert entered[1:] == [Refused(GameRefusal.ALREADY_SIGNED_UP)] * 11


@pytest.fixture
async def _played(container: Container, clock: ManualClock) -> None:
    clock.now = NOW + timedelta(hours=2)
    assert await container.games().add(a_game(), password_hash=None)
    await enter(container.games(), taking_part(ALICE))


async def past(container: Container, actor: Actor | None, at: datetime) -> BoardPage | Refused[StrEnum]:
    view = BoardView.PUBLIC if actor is None or actor.role is Role.CONTESTANT else BoardView.ADMIN
    return await container.sights().page(actor, GAME, view, at, PageRequest())


@pytest.mark.usefixtures("_played")
async def test_boards_of_the_past_are_scored_only_so_often_and_staff_is_not_counted(
    container: Container, clock: ManualClock
) -> None:
    moments = [NOW + number * MINUTE for number in range(25)]
    for moment in moments[:20]:
        assert isinstance(await past(container, None, moment), BoardPage)
    too_often = TooOften(GameRefusal.TOO_MANY_PAST_BOARDS, retry_after=SECOND)
    assert await past(container, None, moments[20]) == too_often
    sight = await container.sights().sight(None, GAME, BoardView.PUBLIC, moments[20])
    assert not isinstance(sight, Refused)
    assert await container.sights().everything(sight) == too_often
    explained = container.board_use_cases().explain
    assert await explained(Actor(ALICE, Role.CONTESTANT), GAME, ALICE, moments[20]) != too_often
    assert isinstance(await past(container, None, moments[19]), BoardPage), "it is still there"
    for moment in moments:
        assert isinstance(await past(container, ROOT, moment), BoardPage)
    clock.advance(seconds=1)
    assert isinstance(await past(container, None, moments[0]), BoardPage)
    assert await past(container, None, moments[1]) == too_often


@pytest.mark.usefixtures("_played")
async def test_those_who_ask_for_the_same_moment_at_once_get_one_scoring(container: Container) -> None:
    pages = await asyncio.gather(*(past(container, ROOT, NOW + MINUTE) for _ in range(5)))
    assert all(isinstance(each, BoardPage) for each in pages)
    rows = [each.rows[0].entrant for each in pages if isinstance(each, BoardPage)]
    assert all(each is rows[0] for each in rows), "read once"


def test_buckets_used_last_are_kept() -> None:
    throttle = MemoryThrottle(RateLimit(MINUTE, 1), ManualClock(), most=2)
    first, second, third = uuid4(), uuid4(), uuid4()
    assert [throttle.take(key) for key in (first, second, second, third)] == [None, None, MINUTE, None]
    assert throttle.take(first) is None
