"""A board built beside the one that is shown, while the game goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import msgspec
import pytest

from apps.game.tests.fakes import MemoryRecords
from apps.game.tests.games import GAME, LENGTH, OVER, a_game, enter, judged, put_game, submitted, taking_part
from deepoj_domain.game.decision import Edit, Extend, Recompute, RemoveInterval, RestoreInterval, Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.testing import Standings
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.game.work import Rebuilt, Work, WorkOutcome
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId, WorkId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, uuid
from deepoj_game.commands.apply_submission_events import Known
from deepoj_game.commands.builds import Lines, Records
from deepoj_game.commands.carry_out_work import CarryOut
from deepoj_game.commands.ports import CommandRefusal, Ruling
from deepoj_game.container import Container
from deepoj_game.inbound.grpc.game_calls import GameUseCases
from deepoj_game.queries.ports import Side
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import ManualClock
from deepoj_kit.unavailable import Unavailable

CAROL = AccountId(uuid(7))
FIRST, SECOND, THIRD = submitted(1, ALICE, 10), submitted(2, BOB, 20), submitted(3, ALICE, 30, question=1)
CUT = Interval(NOW + timedelta(minutes=5), NOW + timedelta(minutes=15))


@pytest.fixture(autouse=True)
async def _played(container: Container, clock: ManualClock) -> None:
    clock.now = OVER - timedelta(minutes=1)
    assert await container.games().add(a_game(), password_hash=None)
    for account in (ALICE, BOB):
        await enter(container.games(), taking_part(account))


@pytest.fixture
def rule(container: Container) -> GameUseCases:
    return container.game_use_cases()


@pytest.fixture
def impatient(container: Container) -> None:
    """Whatever a ruling touches is too much for an answer."""
    container.settings.override(msgspec.structs.replace(container.settings(), ruling_size=0))


async def apply(container: Container, *facts: Fact) -> list[object]:
    known = [Known(f"{fact.submission_id} {fact.verdict}", fact) for fact in facts]
    return list(await container.apply()(GAME, known))


async def asked(container: Container, account_id: AccountId | None = None) -> WorkId:
    begun = await container.work_use_cases().recompute(ROOT, GAME, account_id)
    assert not isinstance(begun, Refused)
    return begun


async def work(container: Container, work_id: WorkId) -> Work:
    found = await container.works().work(GAME, work_id)
    assert found is not None
    return found


async def carry_out(container: Container, records: Records) -> bool:
    return await CarryOut(container.builds(), records, container.clock())()


async def recomputed(
    container: Container, records: MemoryRecords, account_id: AccountId | None = None
) -> Rebuilt:
    work_id = await asked(container, account_id)
    assert await carry_out(container, records)
    result = (await work(container, work_id)).result
    assert result is not None
    return result


async def the_game(container: Container) -> Game:
    async with container.games().open(GAME) as opened:
        assert opened is not None
        return opened.game


async def assert_board_of(container: Container, *facts: Fact, also: Participant | None = None) -> None:
    """The shown board equals what the domain makes of these facts."""
    game = await the_game(container)
    standings = Standings(rules_of(game))
    for each in (taking_part(ALICE), taking_part(BOB), also):
        if each is not None:
            standings.enter(each)
    for fact in facts:
        standings.add(fact)
    page, _ = await container.boards().page(game, Side(frozen=False, with_hidden=True), PageRequest())
    assert [each.row for each in page.items] == list(standings.board(BoardView.ADMIN, is_frozen=False).rows)


async def boards(database: Database) -> int:
    async with database.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM game.boards")).fetchone()
    return 0 if row is None else row[0]


class Meanwhile(MemoryRecords):
    """Something happens to the game when all has been read."""

    def __init__(self, happens: object, *facts: Fact) -> None:
        super().__init__(*facts)
        self._happens = happens

    async def pages(self, game_id: GameId, account_id: AccountId | None, after: str) -> AsyncIterator[Lines]:
        async for lines in super().pages(game_id, account_id, after):
            yield lines
        if callable(self._happens):
            await self._happens()


async def test_events_that_arrive_meanwhile_are_not_lost(container: Container) -> None:
    await apply(container, FIRST)

    async def happens() -> None:
        await apply(container, judged(FIRST), THIRD, judged(THIRD, Verdict.WRONG_ANSWER))
        await enter(container.games(), taking_part(CAROL))

    # Read from record before they were judged, or not read at all.
    rebuilt = await recomputed(container, Meanwhile(happens, FIRST, SECOND))
    assert rebuilt.corrected == 1
    log = (FIRST, SECOND, THIRD, judged(FIRST), judged(THIRD, Verdict.WRONG_ANSWER))
    await assert_board_of(container, *log, also=taking_part(CAROL))
    await apply(container, judged(SECOND))
    await assert_board_of(container, *log, judged(SECOND), also=taking_part(CAROL))


async def test_a_ruling_that_is_made_meanwhile_holds(container: Container) -> None:
    await apply(container, FIRST, judged(FIRST))

    async def happens() -> None:
        outcome = (await the_game(container)).ignore(FIRST.origin_id, NOW)
        assert not isinstance(outcome, Refused)
        await put_game(container.games(), outcome)

    await recomputed(container, Meanwhile(happens, judged(FIRST), judged(SECOND)))
    assert FIRST.origin_id in (await the_game(container)).ignored
    await assert_board_of(container, FIRST, judged(FIRST), SECOND, judged(SECOND))


async def test_what_record_does_not_know_is_gone_afterwards(container: Container, database: Database) -> None:
    await apply(container, FIRST, judged(FIRST), SECOND)
    rebuilt = await recomputed(container, MemoryRecords(judged(FIRST)))
    assert rebuilt.corrected == 1
    assert [change.account_id for change in rebuilt.changes] == [BOB]
    assert set(rebuilt.names) == {BOB}
    await assert_board_of(container, FIRST, judged(FIRST))
    assert await boards(database) == 1


async def test_nothing_changes_when_nothing_was_wrong(container: Container, database: Database) -> None:
    await apply(container, FIRST, judged(FIRST))
    last = await container.boards().sequence(GAME)
    rebuilt = await recomputed(container, MemoryRecords(judged(FIRST)))
    assert (rebuilt.rows_changed, rebuilt.corrected) == (0, 0)
    assert await container.boards().sequence(GAME) == last + 1, "told all the same"
    assert await boards(database) == 1


async def test_a_fact_keeps_the_time_it_became_known(container: Container) -> None:
    applied = replace(judged(FIRST), submission_id=SECOND.submission_id, known_us=FIRST.submitted_us + 10**9)
    await apply(container, FIRST, judged(FIRST, Verdict.WRONG_ANSWER), applied)
    from_record = replace(applied, known_us=FIRST.submitted_us + 10**8)
    await recomputed(container, MemoryRecords(judged(FIRST, Verdict.WRONG_ANSWER), from_record, THIRD))
    async with container.boards().log(GAME) as log:
        facts = [fact async for _, found in log.by_participant([ALICE]) for fact in found]
    assert applied in facts
    assert from_record not in facts


async def test_one_participant_is_recomputed_and_the_others_stay_as_they_are(
    container: Container, database: Database
) -> None:
    await apply(container, FIRST, SECOND)
    rebuilt = await recomputed(container, MemoryRecords(judged(FIRST), judged(SECOND)), ALICE)
    assert (rebuilt.submissions, rebuilt.corrected) == (1, 1)
    await assert_board_of(container, FIRST, judged(FIRST), SECOND)
    assert await boards(database) == 1


async def test_one_work_at_a_time_is_under_way_for_a_game(container: Container) -> None:
    first = await asked(container)
    assert await asked(container) == first, "the same is followed"
    recompute = container.work_use_cases().recompute
    assert await recompute(ROOT, GAME, ALICE) == Refused(CommandRefusal.WORK_UNDER_WAY)
    async with container.builds().claim() as mine, container.builds().claim() as theirs:
        assert mine is not None
        assert theirs is None, "what one process carries out no other takes"
    assert (await work(container, first)).outcome is None
    assert await carry_out(container, MemoryRecords())
    assert (await work(container, first)).outcome is WorkOutcome.DONE
    assert not await carry_out(container, MemoryRecords())
    await asked(container)


class Interrupted(MemoryRecords):
    """Gives one page, then is away."""

    async def pages(self, game_id: GameId, account_id: AccountId | None, after: str) -> AsyncIterator[Lines]:
        async for lines in super().pages(game_id, account_id, after):
            yield lines
            raise Unavailable("record is away")


class Resumed(MemoryRecords):
    """Remembers from where it was read."""

    def __init__(self, *facts: Fact) -> None:
        super().__init__(*facts)
        self.begun: list[str] = []

    def pages(self, game_id: GameId, account_id: AccountId | None, after: str) -> AsyncIterator[Lines]:
        self.begun.append(after)
        return super().pages(game_id, account_id, after)


async def test_what_was_read_before_an_outage_is_not_read_again(
    container: Container, database: Database
) -> None:
    known = [judged(submitted(number, ALICE, number)) for number in range(1, 6)]
    work_id = await asked(container)
    with pytest.raises(Unavailable):
        await carry_out(container, Interrupted(*known))
    half_way = await work(container, work_id)
    assert (half_way.done, half_way.total, half_way.outcome) == (2, 5, None)
    await assert_board_of(container)
    rest = Resumed(*known)
    assert await carry_out(container, rest)
    assert rest.begun == ["2"]
    result = (await work(container, work_id)).result
    assert result is not None
    assert (result.submissions, result.corrected) == (5, 5)
    await assert_board_of(container, *known)
    assert await boards(database) == 1


async def test_a_mistake_of_ours_is_told_after_some_tries_and_nothing_has_changed(
    container: Container, database: Database
) -> None:
    await apply(container, FIRST, judged(FIRST))
    work_id = await asked(container)
    for _ in range(5):
        with pytest.raises(RuntimeError):
            await carry_out(container, Broken())
    failed = await work(container, work_id)
    assert failed.outcome is WorkOutcome.FAILED
    assert "a bug" in failed.error
    await assert_board_of(container, FIRST, judged(FIRST))
    assert not await carry_out(container, MemoryRecords())
    assert await boards(database) == 1
    await asked(container)


class Broken(MemoryRecords):
    async def count(self, game_id: GameId, questions: object) -> int:  # noqa: ARG002 — never gets so far
        raise RuntimeError("a bug")


@pytest.mark.usefixtures("impatient")
async def test_a_ruling_on_many_takes_effect_as_a_whole_when_its_work_is_done(
    container: Container, rule: GameUseCases
) -> None:
    await apply(container, FIRST, judged(FIRST), SECOND, judged(SECOND))
    last = await container.boards().sequence(GAME)
    assert await rule.change_times(ROOT, GAME, RemoveInterval(CUT), "a power cut") is None
    game = await the_game(container)
    assert game.plan.schedule.removed == ()
    under_way = await container.works().under_way(GAME)
    assert under_way is not None
    assert (under_way.kind, under_way.reason) == ("remove_interval", "a power cut")
    await assert_board_of(container, judged(FIRST), judged(SECOND))
    # Goes on as if nothing was asked for yet.
    await apply(container, THIRD, judged(THIRD))
    assert await carry_out(container, MemoryRecords())
    assert (await the_game(container)).plan.schedule.removed == (CUT,)
    await assert_board_of(container, judged(FIRST), judged(SECOND), judged(THIRD))
    assert await container.boards().sequence(GAME) == last + 3, "two facts, and the board as a whole"
    assert (await work(container, under_way.id)).outcome is WorkOutcome.DONE
    await apply(container, submitted(9, BOB, 40, question=1))
    assert await rule.change_times(ROOT, GAME, RestoreInterval(CUT), "no cut after all") is None
    assert await carry_out(container, MemoryRecords())
    assert (await the_game(container)).plan.schedule.removed == ()
    await assert_board_of(
        container, judged(FIRST), judged(SECOND), judged(THIRD), submitted(9, BOB, 40, question=1)
    )


@pytest.mark.usefixtures("impatient")
async def test_a_ruling_that_the_game_no_longer_allows_is_refused_and_nothing_happens(
    container: Container, rule: GameUseCases
) -> None:
    await apply(container, FIRST, judged(FIRST))
    assert await rule.change_times(ROOT, GAME, RemoveInterval(CUT), "") is None
    begun = await container.works().under_way(GAME)
    assert begun is not None
    outcome = (await the_game(container)).remove_interval(CUT, NOW)
    assert not isinstance(outcome, Refused)
    await put_game(container.games(), outcome)
    assert await carry_out(container, MemoryRecords())
    found = await work(container, begun.id)
    assert (found.outcome, found.error) == (WorkOutcome.REFUSED, GameRefusal.INTERVALS_OVERLAP)
    await assert_board_of(container, judged(FIRST))


async def test_a_small_ruling_takes_effect_at_once(container: Container, rule: GameUseCases) -> None:
    await apply(container, FIRST, judged(FIRST))
    assert await rule.change_times(ROOT, GAME, RemoveInterval(CUT), "") is None
    assert (await the_game(container)).plan.schedule.removed == (CUT,)
    assert await container.works().under_way(GAME) is None
    assert await rule.change_times(ROOT, GAME, RestoreInterval(replace(CUT, until=OVER)), "") == Refused(
        GameRefusal.NOT_REMOVED
    )


async def finalized(rule: GameUseCases, clock: ManualClock) -> None:
    clock.now = OVER + timedelta(hours=1)
    assert await rule.finalize(ROOT, GAME) is None


async def test_nothing_is_final_while_the_board_is_worked_on(
    container: Container, rule: GameUseCases, clock: ManualClock
) -> None:
    await asked(container)
    clock.now = OVER + timedelta(hours=1)
    assert await rule.finalize(ROOT, GAME) == Refused(CommandRefusal.WORK_UNDER_WAY)


async def test_a_final_result_stays_whatever_record_learns_or_had_known(
    container: Container, rule: GameUseCases, clock: ManualClock
) -> None:
    """Judged before it was final and applied after it, the event lost; or never heard of at all."""
    wrong = judged(FIRST, Verdict.WRONG_ANSWER)
    await apply(container, FIRST, wrong)
    await finalized(rule, clock)
    rejudged = replace(judged(FIRST), submission_id=SubmissionId(uuid(77)))
    never_told = judged(SECOND)
    assert rejudged.known_us < micros(OVER)
    records = MemoryRecords(wrong, rejudged, never_told)
    rebuilt = await recomputed(container, records)
    assert (rebuilt.rows_changed, rebuilt.corrected) == (0, 0)
    await assert_board_of(container, wrong)
    assert await apply(container, rejudged, SECOND) == [GameRefusal.ALREADY_FINALIZED] * 2
    await assert_board_of(container, wrong)


async def test_a_result_that_is_reopened_takes_in_what_record_knows(
    container: Container, rule: GameUseCases, clock: ManualClock
) -> None:
    wrong = judged(FIRST, Verdict.WRONG_ANSWER)
    await apply(container, FIRST, wrong)
    await finalized(rule, clock)
    rejudged = replace(judged(FIRST), submission_id=SubmissionId(uuid(77)))
    assert await rule.reopen(ROOT, GAME, "a wrong test") is None
    assert await rule.reopen(ROOT, GAME, "") == Refused(GameRefusal.NOT_FINALIZED)
    assert await rule.finalize(ROOT, GAME) == Refused(CommandRefusal.WORK_UNDER_WAY)
    assert await carry_out(container, MemoryRecords(wrong, rejudged))
    await assert_board_of(container, wrong, rejudged)
    assert await rule.finalize(ROOT, GAME) is None
    await assert_board_of(container, wrong, rejudged)


async def test_virtual_runs_go_on_after_the_result_is_final(
    container: Container, rule: GameUseCases, clock: ManualClock
) -> None:
    await apply(container, FIRST, judged(FIRST))
    await finalized(rule, clock)
    later = taking_part(CAROL, ParticipantKind.VIRTUAL, OVER + timedelta(hours=2))
    await enter(container.games(), later)
    made = submitted(5, CAROL, LENGTH / timedelta(minutes=1) + 130)
    await apply(container, made)
    rebuilt = await recomputed(container, MemoryRecords(judged(FIRST), judged(made)))
    assert rebuilt.corrected == 1
    await assert_board_of(container, judged(FIRST), judged(made), also=later)


async def test_the_staff_read_what_was_ruled(container: Container, rule: GameUseCases) -> None:
    await rule.change_times(ROOT, GAME, RemoveInterval(CUT), "a power cut")
    await rule.change_times(ROOT, GAME, Extend(timedelta(minutes=10)), "given back")
    await recomputed(container, MemoryRecords())
    first = await container.works().rulings(GAME, PageRequest(2))
    assert [(each.action, each.reason) for each in first.items] == [
        ("recompute", ""),
        ("extend", "given back"),
    ]
    rest = await container.works().rulings(GAME, PageRequest(2, first.next))
    assert [(each.by, each.action) for each in rest.items] == [(ROOT.account_id, "remove_interval")]
    assert rest.next is None


@pytest.mark.parametrize(
    "task",
    [
        Recompute(ALICE),
        Extend(timedelta(minutes=5)),
        RemoveInterval(CUT),
        RestoreInterval(CUT),
        Edit(replace(a_game().plan, title="Finals", admins=frozenset({ALICE, BOB})), "a hash"),
    ],
)
async def test_a_task_is_read_back_as_it_was_asked_for(container: Container, task: Task) -> None:
    async with container.games().open(GAME) as opened:
        assert opened is not None
        await opened.begin(task, Ruling(by=ROOT.account_id, action=task.kind), NOW)
    async with container.builds().claim() as build:
        assert build is not None
        assert build.work.task == task
