"""One suite for boards built in memory and in PostgreSQL, by the command that builds them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

import pytest

from apps.game.tests.fakes import MemoryBuilds, MemoryGames, MemoryRecords
from apps.game.tests.games import GAME, OVER, a_game, enter, judged, put_game, submitted, taking_part
from deepoj_domain.game.decision import Extend, Recompute, RemoveInterval, Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import add_facts, cell_of
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Row, score_participant
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, uuid
from deepoj_game.commands.builds import Builds, Lines, Records
from deepoj_game.commands.carry_out_work import CarryOut
from deepoj_game.commands.ports import Games, GameWrite, Ruling
from deepoj_game.container import Container
from deepoj_game.queries.ports import EVERYTHING
from deepoj_kit.testing.conditions import ManualClock

LATE = OVER - timedelta(minutes=1)
FIRST, SECOND = submitted(1, ALICE, 10), submitted(2, BOB, 20)
CUT = RemoveInterval(Interval(NOW + timedelta(minutes=5), NOW + timedelta(minutes=15)))


class Stage(Protocol):
    games: Games
    builds: Builds

    async def rows(self) -> dict[AccountId, Row]: ...


class InMemory:
    def __init__(self) -> None:
        self._memory = MemoryGames()
        self.games: Games = self._memory
        self.builds: Builds = MemoryBuilds(self._memory)

    async def rows(self) -> dict[AccountId, Row]:
        return {key: tally.full for key, (_, tally) in self._memory.games[GAME].rows.items()}


class InPostgres:
    def __init__(self, container: Container) -> None:
        self.games: Games = container.games()
        self.builds: Builds = container.builds()
        self._boards = container.boards()

    async def rows(self) -> dict[AccountId, Row]:
        game = await the_game(self.games)
        return {each.row.row.account_id: each.row.row async for each in self._boards.all(game, EVERYTHING)}


@pytest.fixture(params=["memory", "postgres"])
def empty(request: pytest.FixtureRequest) -> Stage:
    if request.param == "memory":
        return InMemory()
    clock: ManualClock = request.getfixturevalue("clock")
    clock.now = LATE
    return InPostgres(request.getfixturevalue("container"))


@pytest.fixture
async def stage(empty: Stage) -> Stage:
    assert await empty.games.add(a_game(), password_hash=None)
    for account in (ALICE, BOB):
        await enter(empty.games, taking_part(account))
    return empty


async def the_game(games: Games) -> Game:
    async with games.open(GAME) as opened:
        assert opened is not None
        return opened.game


async def ask(stage: Stage, task: Task) -> None:
    async with stage.games.open(GAME) as opened:
        assert opened is not None
        assert await opened.begin(task, Ruling(by=ROOT.account_id, action=task.kind), NOW) is not None


async def carry_out(stage: Stage, *known: Fact, records: Records | None = None) -> bool:
    return await CarryOut(stage.builds, records or MemoryRecords(*known), lambda: LATE)()


async def apply(games: Games, *facts: Fact) -> None:
    async with games.open(GAME) as opened:
        assert opened is not None
        _, there = await opened.situation([], {cell_of(fact) for fact in facts})
        new = add_facts(opened.game, rules_of(opened.game), there, facts, LATE)
        await opened.write(GameWrite(at=LATE, new_facts=new))


async def assert_rows(stage: Stage, *log: Fact) -> None:
    """The rows that are shown are those that follow from this log."""
    rules = rules_of(await the_game(stage.games))
    assert await stage.rows() == {
        who: score_participant(rules, taking_part(who), [fact for fact in log if fact.account_id == who]).full
        for who in (ALICE, BOB)
    }


async def test_without_work_there_is_nothing_to_do(stage: Stage) -> None:
    assert not await carry_out(stage)


async def test_what_one_carries_out_no_other_takes(stage: Stage) -> None:
    await ask(stage, Recompute())
    async with stage.builds.claim() as mine, stage.builds.claim() as theirs:
        assert mine is not None
        assert mine.work.task == Recompute()
        assert theirs is None


async def test_the_new_board_follows_from_what_record_knows_and_nothing_else(stage: Stage) -> None:
    await apply(stage.games, FIRST, judged(FIRST), SECOND)
    await ask(stage, Recompute())
    wrong = judged(FIRST, Verdict.WRONG_ANSWER)
    assert await carry_out(stage, wrong)
    await assert_rows(stage, wrong)
    assert not await carry_out(stage)


async def test_what_happens_while_record_is_read_is_on_the_new_board(stage: Stage) -> None:
    class Meanwhile(MemoryRecords):
        async def pages(
            self, game_id: GameId, account_id: AccountId | None, after: str
        ) -> AsyncIterator[Lines]:
            async for lines in super().pages(game_id, account_id, after):
                yield lines
            await apply(stage.games, judged(SECOND))

    await apply(stage.games, SECOND)
    await ask(stage, Recompute())
    assert await carry_out(stage, records=Meanwhile(judged(FIRST), SECOND))
    await assert_rows(stage, judged(FIRST), judged(SECOND))


async def test_what_was_read_is_not_read_again(stage: Stage) -> None:
    begun: list[str] = []

    class Interrupted(MemoryRecords):
        async def pages(
            self, game_id: GameId, account_id: AccountId | None, after: str
        ) -> AsyncIterator[Lines]:
            begun.append(after)
            async for lines in super().pages(game_id, account_id, after):
                yield lines
                if len(begun) == 1:
                    raise RuntimeError("killed")

    known = [judged(submitted(number, ALICE, number)) for number in range(1, 6)]
    await ask(stage, Recompute())
    records = Interrupted(*known)
    with pytest.raises(RuntimeError, match="killed"):
        await carry_out(stage, records=records)
    await assert_rows(stage)
    assert await carry_out(stage, records=records)
    assert begun == ["", "2"]
    await assert_rows(stage, *known)


async def test_one_participant_takes_the_place_of_what_was_shown_of_them(stage: Stage) -> None:
    await apply(stage.games, FIRST, SECOND)
    await ask(stage, Recompute(ALICE))
    assert await carry_out(stage, judged(FIRST), judged(SECOND))
    await assert_rows(stage, judged(FIRST), SECOND)
    await apply(stage.games, judged(SECOND))
    await assert_rows(stage, judged(FIRST), judged(SECOND))


async def test_a_ruling_takes_effect_with_its_scores_and_the_same_log(stage: Stage) -> None:
    await apply(stage.games, FIRST, judged(FIRST))
    await ask(stage, CUT)
    assert await carry_out(stage)
    assert (await the_game(stage.games)).plan.schedule.removed == (CUT.interval,)
    await apply(stage.games, SECOND, judged(SECOND))
    await assert_rows(stage, judged(FIRST), judged(SECOND))


async def test_a_ruling_that_the_game_no_longer_allows_changes_nothing(stage: Stage) -> None:
    await apply(stage.games, FIRST, judged(FIRST))
    await ask(stage, CUT)
    outcome = CUT.decide(await the_game(stage.games), NOW)
    assert not isinstance(outcome, Refused)
    await put_game(stage.games, outcome)
    before = await the_game(stage.games)
    assert await carry_out(stage)
    assert await the_game(stage.games) == before
    await assert_rows(stage, judged(FIRST))
    await ask(stage, Extend(timedelta(minutes=5)))


async def test_a_final_result_is_kept_and_not_read(stage: Stage) -> None:
    wrong = judged(FIRST, Verdict.WRONG_ANSWER)
    await apply(stage.games, FIRST, wrong)
    final = (await the_game(stage.games)).finalize([], OVER)
    assert not isinstance(final, Refused)
    await put_game(stage.games, final)
    await ask(stage, Recompute())
    later = replace(judged(FIRST), submission_id=SubmissionId(uuid(77)))
    assert await carry_out(stage, wrong, later, judged(SECOND))
    await assert_rows(stage, wrong)
