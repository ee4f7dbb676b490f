"""One suite for the games in memory and those in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from typing import Protocol
from uuid import UUID

import pytest

from apps.game.tests.fakes import MemoryGames
from apps.game.tests.games import GAME, a_game, enter, judged, put_game, submitted, taking_part
from deepoj_domain.game.clarification import Answer, Clarification
from deepoj_domain.game.decision import Extend, Recompute
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import RELOAD, Notice, NoticeKind, SeenBy, clarification_notice, row_notice
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.new_facts import Situation, add_facts, cell_of
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, uuid
from deepoj_game.commands.ports import Entrant, Games, GameWrite, OpenGame, Rescored, Ruling
from deepoj_game.container import Container
from deepoj_game.outbound.postgres.game_transaction import PostgresGames
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import ManualClock

CAROL = AccountId(uuid(7))
PRIVATE = replace(a_game(), plan=replace(a_game().plan, sign_up=SignUpRules(private=True, has_password=True)))
QUESTION = PRIVATE.plan.problems[0].question_id
Told = tuple[NoticeKind, bool, UUID | None, UUID | None, UUID | None]


class AnyGames(Games, Protocol):
    async def told(self) -> list[Told]: ...


class InMemory(MemoryGames):
    async def told(self) -> list[Told]:
        return [_told(each) for game in self.games.values() for each in game.notices]


class InPostgres:
    """The real games, and what they have numbered."""

    def __init__(self, games: PostgresGames, database: Database) -> None:
        self._games = games
        self._database = database

    def open(self, game_id: GameId) -> AbstractAsyncContextManager[OpenGame | None]:
        return self._games.open(game_id)

    async def add(self, game: Game, *, password_hash: str | None) -> bool:
        return await self._games.add(game, password_hash=password_hash)

    async def password_hash(self, game_id: GameId) -> str | None:
        return await self._games.password_hash(game_id)

    async def entered_by(self, account_id: AccountId) -> Sequence[GameId]:
        return await self._games.entered_by(account_id)

    async def told(self) -> list[Told]:
        statement = (
            "SELECT kind, public, account_id, clarification_id, own_id FROM game.changes ORDER BY sequence"
        )
        async with self._database.connection() as connection:
            rows = await (await connection.execute(statement)).fetchall()
        return [(NoticeKind(kind), *rest) for kind, *rest in rows]


def _told(notice: Notice) -> Told:
    own = notice.owner if notice.seen_by is SeenBy.OWNER else None
    return notice.kind, notice.seen_by is SeenBy.ALL, notice.account_id, notice.clarification_id, own


@pytest.fixture(params=["memory", "postgres"])
def empty(request: pytest.FixtureRequest) -> AnyGames:
    if request.param == "memory":
        return InMemory()
    container: Container = request.getfixturevalue("container")
    clock: ManualClock = request.getfixturevalue("clock")
    clock.now = NOW
    return InPostgres(container.games(), container.database())


@pytest.fixture
async def games(empty: AnyGames) -> AnyGames:
    assert await empty.add(PRIVATE, password_hash="hash")
    return empty


async def apply(games: AnyGames, *facts: Fact) -> None:
    async with games.open(GAME) as opened:
        assert opened is not None
        _, there = await opened.situation([], {cell_of(fact) for fact in facts})
        new = add_facts(opened.game, rules_of(opened.game), there, facts, NOW)
        await opened.write(GameWrite(at=NOW, new_facts=new))


async def situation(games: AnyGames, *accounts: AccountId) -> Situation:
    async with games.open(GAME) as opened:
        assert opened is not None
        return (await opened.situation([], {(account, QUESTION) for account in accounts}))[1]


async def test_a_game_is_opened_as_it_was_added_and_an_id_is_used_once(games: AnyGames) -> None:
    assert not await games.add(replace(PRIVATE, owner=ALICE), password_hash=None)
    async with games.open(GAME) as opened:
        assert opened is not None
        assert (opened.game, opened.version, opened.password_hash) == (PRIVATE, 1, "hash")
    async with games.open(GameId(uuid(998))) as opened:
        assert opened is None


async def test_what_is_written_is_there_when_the_game_is_opened_again(games: AnyGames) -> None:
    plan = replace(PRIVATE.plan, title="Finals", admins=frozenset({ALICE}), judges=frozenset({BOB}))
    after = replace(PRIVATE, plan=plan, ignored=frozenset({submitted(1, ALICE, 1).origin_id}))
    entrant = Entrant(taking_part(ALICE), "Alice")
    note = Clarification(
        id=ClarificationId(uuid(40)),
        game_id=GAME,
        asked_by=ALICE,
        question_id=QUESTION,
        text="?",
        asked_at=NOW,
    )
    answered = replace(note, answer=Answer("Yes.", BOB, NOW), public=True)
    async with games.open(GAME) as opened:
        assert opened is not None
        await opened.write(GameWrite(at=NOW, game=after, password_hash="other", entrant=entrant))
        await opened.write(GameWrite(at=NOW, clarification=note))
        await opened.write(GameWrite(at=NOW, clarification=answered))
    async with games.open(GAME) as opened:
        assert opened is not None
        assert (opened.game, opened.version, opened.password_hash) == (after, 2, "other")
        assert await opened.entrant(ALICE) == entrant
        assert await opened.entrant(BOB) is None
        assert await opened.clarification(note.id) == answered
        assert await opened.clarification(ClarificationId(uuid(41))) is None
    assert await games.password_hash(GAME) == "other"
    assert await games.entered_by(ALICE) == [GAME]
    assert await games.entered_by(BOB) == []


async def test_of_a_deleted_game_nobody_checks_the_password(games: AnyGames) -> None:
    await put_game(games, replace(PRIVATE, deleted=True))
    assert await games.password_hash(GAME) is None


async def test_an_exception_undoes_everything(games: AnyGames) -> None:
    async def fail() -> None:
        async with games.open(GAME) as opened:
            assert opened is not None
            write = GameWrite(at=NOW, entrant=Entrant(taking_part(ALICE), "Alice"), notices=(RELOAD,))
            await opened.write(write)
            assert (await opened.situation(["m"], []))[0] == {"m"}
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    async with games.open(GAME) as opened:
        assert opened is not None
        assert await opened.entrant(ALICE) is None
        assert (await opened.situation(["m"], []))[0] == {"m"}
    assert await games.told() == []


async def test_a_message_comes_once_for_the_first_time(games: AnyGames) -> None:
    for expected in ({"one", "two"}, set()):
        async with games.open(GAME) as opened:
            assert opened is not None
            assert (await opened.situation(["one", "two"], []))[0] == expected


async def test_a_situation_is_the_cells_asked_for_and_the_rows_they_belong_to(games: AnyGames) -> None:
    first, other = submitted(1, ALICE, 10), submitted(2, ALICE, 20, question=1)
    await enter(games, taking_part(ALICE))
    await apply(games, first, judged(first), other)
    there = await situation(games, ALICE, CAROL)
    assert set(there.participants) == set(there.sides) == {ALICE}
    assert sorted(there.facts[ALICE, QUESTION], key=lambda fact: fact.weight) == [first, judged(first)]
    assert there.facts[CAROL, QUESTION] == []
    solved, waiting, *rest = there.sides[ALICE]
    assert (solved.full.solved, waiting.full.pending) == (True, 1)
    assert [each.full.tries for each in rest] == [0, 0]


async def test_rivals_are_the_best_of_the_ranked_who_sent_nothing(games: AnyGames) -> None:
    hidden = taking_part(CAROL, ParticipantKind.HIDDEN)
    for each in (taking_part(ALICE), taking_part(BOB), hidden):
        await enter(games, each)
    frozen = submitted(3, BOB, 241)
    for fact in (submitted(1, ALICE, 10), submitted(2, CAROL, 5), frozen):
        await apply(games, fact, judged(fact))
    there = await situation(games, CAROL)
    assert there.rivals[QUESTION].solved_ms == 10 * 60_000
    assert there.rivals[QUESTION].holders == (ALICE,)
    there = await situation(games, ALICE)
    assert (there.rivals[QUESTION].solved_ms, there.rivals[QUESTION].pending_ms) == (241 * 60_000, None)
    assert (there.frozen_rivals[QUESTION].solved_ms, there.frozen_rivals[QUESTION].holders) == (None, ())
    assert there.frozen_rivals[QUESTION].pending_ms == 241 * 60_000


VIRTUAL = taking_part(CAROL, ParticipantKind.VIRTUAL, NOW + timedelta(hours=6))
EARLY, LATE = submitted(1, ALICE, 10), submitted(2, BOB, 100)
REJUDGED = replace(judged(EARLY), submission_id=submitted(9, ALICE, 10).submission_id)


@pytest.mark.parametrize(
    ("touched", "expected"),
    [
        (Touched(), []),
        (Touched(everybody=True), [ALICE, BOB, CAROL]),
        (Touched(accounts=frozenset({BOB})), [BOB]),
        (Touched(since_us=micros(NOW + timedelta(minutes=100))), [BOB, CAROL]),
        (Touched(since_us=micros(NOW + timedelta(minutes=101))), [CAROL]),
        (Touched(submissions=frozenset({EARLY.origin_id})), [ALICE]),
        (Touched(submissions=frozenset({REJUDGED.submission_id})), [ALICE]),
        (Touched(submissions=frozenset({submitted(5, ALICE, 1).origin_id})), []),
    ],
)
async def test_the_log_is_that_of_those_touched(
    games: AnyGames, touched: Touched, expected: list[AccountId]
) -> None:
    people: dict[AccountId, Participant] = {
        each.account_id: each for each in (taking_part(ALICE), taking_part(BOB), VIRTUAL)
    }
    for each in people.values():
        await enter(games, each)
    await apply(games, EARLY, REJUDGED)
    await apply(games, LATE)
    async with games.open(GAME) as opened:
        assert opened is not None
        log = await opened.log(touched)
        assert log is not None
        assert list(log.facts) == sorted(expected)
        assert sorted(log.participants, key=lambda one: one.account_id) == [
            people[each] for each in sorted(expected)
        ]
        assert {len(log.facts[each]) for each in expected if each == ALICE} <= {2}


async def test_more_than_somebody_waits_for_is_not_read(games: AnyGames) -> None:
    for account in (ALICE, BOB):
        await enter(games, taking_part(account))
    await apply(games, EARLY, judged(EARLY))
    await apply(games, LATE)
    async with games.open(GAME) as opened:
        assert opened is not None
        everybody = Touched(everybody=True)
        assert await opened.log(everybody, most=2) is None, "three facts"
        assert await opened.log(everybody, most=3) is not None
        assert await opened.log(everybody, most=1) is None, "two people"
        assert await opened.log(Touched(), most=0) is not None


async def test_of_an_account_that_does_not_take_part_the_log_is_empty(games: AnyGames) -> None:
    async with games.open(GAME) as opened:
        assert opened is not None
        log = await opened.log(Touched(accounts=frozenset({ALICE})))
        assert log is not None
        assert (list(log.participants), dict(log.facts)) == ([], {ALICE: []})


async def test_rows_are_replaced_and_who_has_none_any_more_has_none(games: AnyGames) -> None:
    for account in (ALICE, BOB):
        await enter(games, taking_part(account))
    await apply(games, EARLY, judged(EARLY))
    async with games.open(GAME) as opened:
        assert opened is not None
        await opened.write(GameWrite(at=NOW, rescored=Rescored([ALICE], ())))
    there = await situation(games, ALICE, BOB)
    assert set(there.sides) == {BOB}
    assert (await situation(games, BOB)).rivals[QUESTION].solved_ms is None


async def test_undecided_are_those_that_count_and_have_no_verdict(games: AnyGames) -> None:
    for each in (taking_part(ALICE), replace(taking_part(BOB), withdrawn=True), VIRTUAL):
        await enter(games, each)
    waiting, decided, ignored = (submitted(number, ALICE, 10 - number) for number in (1, 2, 3))
    of_virtual, too_late = submitted(6, CAROL, 30), submitted(7, ALICE, 301)
    also = submitted(8, ALICE, 5)
    facts = (waiting, also, decided, judged(decided, Verdict.WRONG_ANSWER), ignored, too_late)
    await apply(games, *facts)
    await apply(games, LATE)
    await apply(games, of_virtual)
    await put_game(games, replace(PRIVATE, ignored=frozenset({ignored.origin_id})))
    async with games.open(GAME) as opened:
        assert opened is not None
        assert list(await opened.undecided()) == [also.origin_id, waiting.origin_id]


async def test_notices_are_numbered_in_their_order_those_of_facts_first(games: AnyGames) -> None:
    for account in (ALICE, BOB):
        await enter(games, taking_part(account))
    before = len(await games.told())
    note = Clarification(
        id=ClarificationId(uuid(40)), game_id=GAME, asked_by=ALICE, question_id=None, text="?", asked_at=NOW
    )
    slow, fast = judged(submitted(1, ALICE, 20)), judged(submitted(2, BOB, 10))
    await apply(games, slow)
    await apply(games, fast)
    async with games.open(GAME) as opened:
        assert opened is not None
        told = (RELOAD, clarification_notice(None, note), row_notice(BOB, SeenBy.STAFF))
        await opened.write(GameWrite(at=NOW, clarification=note, notices=told))
    row, ask = NoticeKind.ROW, NoticeKind.CLARIFICATION
    assert (await games.told())[before:] == [
        (row, True, ALICE, None, None),
        (row, True, BOB, None, None),
        (row, True, ALICE, None, None),
        (NoticeKind.RELOAD, True, None, None, None),
        (ask, False, None, note.id, ALICE),
        (row, False, BOB, None, None),
    ]


async def test_there_is_one_work_at_a_time(games: AnyGames) -> None:
    ruling = Ruling(by=BOB, action="extend")
    async with games.open(GAME) as opened:
        assert opened is not None
        assert await opened.under_way() is None
        begun = await opened.begin(Extend(timedelta(hours=1)), ruling, NOW)
        assert begun is not None
        assert await opened.begin(Recompute(), ruling, NOW) is None
    async with games.open(GAME) as opened:
        assert opened is not None
        assert await opened.under_way() == (begun, Extend(timedelta(hours=1)))
