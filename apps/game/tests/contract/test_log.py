"""The log of a game: numbered without a gap, written once, and closed to what does not belong."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from apps.game.tests.games import GAME, OVER, a_game, enter, judged, put_game, submitted, taking_part
from deepoj_domain.game.notice import SeenBy, row_notice
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import NewFacts
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, uuid
from deepoj_game.commands.apply_submission_events import Applied, Known, Result
from deepoj_game.commands.ports import GameWrite
from deepoj_game.container import Container
from deepoj_game.queries.ports import EVERYTHING, Side
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import ManualClock, eventually

CAROL = AccountId(uuid(7))


@pytest.fixture(autouse=True)
async def _played(container: Container, clock: ManualClock) -> None:
    clock.now = OVER - timedelta(minutes=1)
    assert await container.games().add(a_game(), password_hash=None)
    for account in (ALICE, BOB):
        await enter(container.games(), taking_part(account))


async def apply(container: Container, *facts: Fact, prefix: str = "m") -> list[Result]:
    return await container.apply()(GAME, [Known(f"{prefix}{n}", fact) for n, fact in enumerate(facts)])


async def numbers(database: Database) -> list[int]:
    async with database.connection() as connection:
        rows = await (await connection.execute("SELECT sequence FROM game.changes ORDER BY 1")).fetchall()
    return [row[0] for row in rows]


async def state(database: Database) -> list[object]:
    """Everything that a refused event must leave alone."""
    async with database.connection() as connection:
        return [
            await (await connection.execute(f"SELECT * FROM game.{table} ORDER BY 1, 2".encode())).fetchall()  # noqa: S608 — constants
            for table in ("facts", "rows", "cells", "changes", "counters")
        ]


async def test_numbers_have_no_gap_however_many_write_at_once(
    container: Container, database: Database
) -> None:
    made = [submitted(number, (ALICE, BOB)[number % 2], number) for number in range(20)]
    await asyncio.gather(*(apply(container, fact, prefix=f"{n}-") for n, fact in enumerate(made)))
    assert await numbers(database) == list(range(1, 23))


async def test_a_late_commit_cannot_slip_behind_what_was_read(
    container: Container, database: Database, game_url: str
) -> None:
    first = submitted(1, ALICE, 1)
    with psycopg.connect(game_url, autocommit=True) as looking:

        def somebody_waits() -> bool:
            found = looking.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            return found.fetchone() == (1,)

        async with container.games().open(GAME) as opened:
            assert opened is not None
            new = NewFacts([(first, row_notice(ALICE, SeenBy.ALL))])
            await opened.write(GameWrite(at=OVER, new_facts=new))
            later = asyncio.create_task(apply(container, submitted(2, BOB, 2)))
            # The second writer has no number before the first has committed.
            await eventually(somebody_waits, within=60)
            assert await numbers(database) == [1, 2]
        assert await later == [Applied.APPLIED]
    changes = await container.boards().changes(GAME, EVERYTHING, 2, 10)
    assert [(change.sequence, change.account_id) for change in changes] == [(3, ALICE), (4, BOB)]


async def test_an_event_that_comes_again_changes_nothing(container: Container, database: Database) -> None:
    made = submitted(1, ALICE, 10)
    assert await apply(container, made, judged(made)) == [Applied.APPLIED] * 2
    before = await state(database)
    assert await apply(container, made, judged(made)) == [Applied.REPEATED] * 2
    assert await apply(container, made, judged(made), prefix="sent anew ") == [Applied.APPLIED] * 2
    assert await state(database) == before
    twice = Known("the same", submitted(2, BOB, 11))
    assert await container.apply()(GAME, [twice, twice]) == [Applied.APPLIED, Applied.REPEATED]


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (submitted(1, CAROL, 1), GameRefusal.NOT_A_PARTICIPANT),
        (
            replace(submitted(1, ALICE, 1), question_id=QuestionId(uuid(999))),
            GameRefusal.NOT_A_PROBLEM_OF_THE_GAME,
        ),
    ],
)
async def test_what_does_not_belong_into_the_game_is_refused_by_name(
    container: Container, database: Database, fact: Fact, reason: GameRefusal
) -> None:
    before = await state(database)
    assert await apply(container, fact) == [reason]
    assert await state(database) == before


async def test_events_of_a_game_that_is_not_there_are_refused(
    container: Container, database: Database
) -> None:
    known = [Known("m", submitted(1, ALICE, 1))]
    assert await container.apply()(GameId(uuid(998)), known) == [GameRefusal.NOT_FOUND]
    await put_game(container.games(), replace(a_game(), deleted=True))
    before = await state(database)
    assert await container.apply()(GAME, known) == [GameRefusal.DELETED]
    assert await state(database) == before


async def test_who_comes_back_after_withdrawing_has_all_their_submissions(container: Container) -> None:
    made = submitted(1, ALICE, 10)
    await apply(container, made)
    await enter(container.games(), replace(taking_part(ALICE), withdrawn=True))
    assert await apply(container, judged(made), prefix="late") == [Applied.APPLIED]
    assert await solved(container) == {BOB: 0}
    await enter(container.games(), taking_part(ALICE))
    assert await solved(container) == {ALICE: 1, BOB: 0}


async def test_a_first_place_that_moves_is_a_change_of_both_rows(container: Container) -> None:
    slow, fast = submitted(1, ALICE, 20), submitted(2, BOB, 10)
    await apply(container, slow, judged(slow))
    last = await container.boards().sequence(GAME)
    await apply(container, fast, judged(fast), prefix="fast")
    changes = await container.boards().changes(GAME, EVERYTHING, last, 10)
    assert [change.account_id for change in changes] == [BOB, BOB, ALICE]


async def test_what_was_told_cannot_be_taken_back(database: Database) -> None:
    async with database.connection() as connection:
        for change in ("UPDATE game.changes SET sequence = 9", "DELETE FROM game.changes"):
            with pytest.raises(psycopg.errors.CheckViolation, match="only grow"):
                await connection.execute(change.encode())


async def test_undecided_submissions_that_count_hold_the_final_result_back(container: Container) -> None:
    made, ignored, late = submitted(1, ALICE, 10), submitted(2, ALICE, 11), submitted(3, ALICE, 301)
    await apply(container, made, ignored, late)
    async with container.games().open(GAME) as opened:
        assert opened is not None
        assert len(await opened.undecided()) == 2
    await put_game(container.games(), replace(a_game(), ignored=frozenset({ignored.origin_id})))
    async with container.games().open(GAME) as opened:
        assert opened is not None
        assert len(await opened.undecided()) == 1
        log = await opened.log(Touched(submissions=frozenset({made.submission_id})))
        assert log is not None
        assert made.origin_id in {fact.origin_id for fact in log.facts[ALICE]}
    await apply(container, judged(made, Verdict.WRONG_ANSWER), prefix="decided")
    async with container.games().open(GAME) as opened:
        assert opened is not None
        assert await opened.undecided() == []


async def solved(container: Container) -> dict[UUID, int]:
    page, _ = await container.boards().page(a_game(), Side(frozen=False), PageRequest())
    return {each.row.row.account_id: each.row.row.total.solved for each in page.items}
