"""A board built beside the one that is shown, while the game goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.standings import Standings
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, uuid
from deepoj_game.commands.apply import Known
from deepoj_game.commands.ports import Ruling
from deepoj_game.commands.testing import GAME, OVER, a_game, enter, judged, submitted, taking_part
from deepoj_game.container import Container
from deepoj_game.queries.paging import PageRequest
from deepoj_game.queries.ports import Side
from deepoj_kit.postgres import Database
from deepoj_kit.testing.waiting import ManualClock

CAROL = AccountId(uuid(7))
RULING = Ruling(by=ROOT.account_id, action="recompute")
FIRST, SECOND, THIRD = submitted(1, ALICE, 10), submitted(2, BOB, 20), submitted(3, ALICE, 30, question=1)


@pytest.fixture(autouse=True)
async def _played(container: Container, clock: ManualClock) -> None:
    clock.now = OVER - timedelta(minutes=1)
    assert await container.games().add(a_game(), (), password_hash=None)
    for account in (ALICE, BOB):
        await enter(container.games(), taking_part(account))


async def apply(container: Container, *facts: Fact) -> None:
    await container.apply()(GAME, [Known(f"{fact.submission_id} {fact.verdict}", fact) for fact in facts])


async def assert_board_of(container: Container, *facts: Fact, also: AccountId | None = None) -> None:
    """The shown board equals what the domain makes of these facts."""
    async with container.games().open(GAME) as opened:
        assert opened is not None
        game = opened.game
    standings = Standings(rules_of(game))
    for account in (ALICE, BOB, also):
        if account is not None:
            standings.enter(taking_part(account))
    for fact in facts:
        standings.add(fact)
    page, _ = await container.boards().page(game, Side(frozen=False, with_hidden=True), PageRequest())
    assert [each.row for each in page.items] == list(standings.board(BoardView.ADMIN, is_frozen=False).rows)


async def boards(database: Database) -> int:
    async with database.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM game.boards")).fetchone()
    return 0 if row is None else row[0]


async def test_events_that_arrive_meanwhile_are_not_lost(container: Container) -> None:
    await apply(container, FIRST)
    async with container.rebuilds().begin(GAME, None) as building:
        assert building is not None
        # Read from record before they were judged, or not read at all.
        await building.add([FIRST, SECOND])
        await apply(container, judged(FIRST), THIRD, judged(THIRD, Verdict.WRONG_ANSWER))
        await enter(container.games(), taking_part(CAROL))
        rebuilt = await building.take_place(RULING)
    assert rebuilt.corrected == 1
    log = (FIRST, SECOND, THIRD, judged(FIRST), judged(THIRD, Verdict.WRONG_ANSWER))
    await assert_board_of(container, *log, also=CAROL)
    await apply(container, judged(SECOND))
    await assert_board_of(container, *log, judged(SECOND), also=CAROL)


async def test_a_ruling_that_is_made_meanwhile_holds(container: Container) -> None:
    await apply(container, FIRST, judged(FIRST))
    async with container.rebuilds().begin(GAME, None) as building:
        assert building is not None
        await building.add([FIRST, judged(FIRST), SECOND, judged(SECOND)])
        async with container.games().open(GAME) as opened:
            assert opened is not None
            outcome = opened.game.ignore(FIRST.origin_id, NOW)
            assert isinstance(outcome, Changed)
            await opened.save(outcome.after, outcome.events, password_hash=None)
        await building.take_place(RULING)
    await assert_board_of(container, FIRST, judged(FIRST), SECOND, judged(SECOND))


async def test_what_record_does_not_know_is_gone_afterwards(container: Container, database: Database) -> None:
    await apply(container, FIRST, judged(FIRST), SECOND)
    async with container.rebuilds().begin(GAME, None) as building:
        assert building is not None
        await building.add([FIRST, judged(FIRST)])
        rebuilt = await building.take_place(RULING)
    assert rebuilt.corrected == 1
    assert [change.account_id for change in rebuilt.changes] == [BOB]
    await assert_board_of(container, FIRST, judged(FIRST))
    assert await boards(database) == 1


async def test_nothing_changes_when_nothing_was_wrong(container: Container, database: Database) -> None:
    await apply(container, FIRST, judged(FIRST))
    last = await container.boards().sequence(GAME)
    async with container.rebuilds().begin(GAME, None) as building:
        assert building is not None
        await building.add([FIRST, judged(FIRST)])
        rebuilt = await building.take_place(RULING)
    assert (rebuilt.changes, rebuilt.corrected) == ((), 0)
    assert await container.boards().sequence(GAME) == last
    assert await boards(database) == 1


async def test_a_fact_keeps_the_time_it_became_known(container: Container) -> None:
    applied = replace(judged(FIRST), submission_id=SECOND.submission_id, known_us=FIRST.submitted_us + 10**9)
    await apply(container, FIRST, judged(FIRST, Verdict.WRONG_ANSWER), applied)
    async with container.rebuilds().begin(GAME, None) as building:
        assert building is not None
        from_record = replace(applied, known_us=FIRST.submitted_us + 10**8)
        await building.add([FIRST, judged(FIRST, Verdict.WRONG_ANSWER), from_record, THIRD])
        await building.take_place(RULING)
    async with container.boards().log(GAME) as log:
        facts = [fact async for _, found in log.by_participant([ALICE]) for fact in found]
    assert applied in facts
    assert from_record not in facts


async def test_only_one_recompute_of_a_game_runs_at_a_time(container: Container) -> None:
    async with (
        container.rebuilds().begin(GAME, None) as first,
        container.rebuilds().begin(GAME, None) as second,
    ):
        assert first is not None
        assert second is None
    async with container.rebuilds().begin(GAME, None) as third:
        assert third is not None


async def test_one_that_is_given_up_leaves_nothing_behind(container: Container, database: Database) -> None:
    await apply(container, FIRST, judged(FIRST))

    async def give_up() -> None:
        async with container.rebuilds().begin(GAME, None) as building:
            assert building is not None
            await building.add([SECOND])
            raise RuntimeError("record is away")

    with pytest.raises(RuntimeError, match="record is away"):
        await give_up()
    await assert_board_of(container, FIRST, judged(FIRST))
    assert await boards(database) == 1
