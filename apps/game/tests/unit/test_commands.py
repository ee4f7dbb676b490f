"""The use cases over games in memory: what they refuse, what they leave behind, and who is told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

import pytest

from apps.game.tests.fakes import MemoryGame, MemoryGames, MemoryJournal
from apps.game.tests.games import GAME, OVER, a_game, enter, judged, submitted, taking_part
from deepoj_domain.account.personal import DELETED_NAME
from deepoj_domain.game.clarification import Clarification, Note
from deepoj_domain.game.decision import Extend, RemoveInterval
from deepoj_domain.game.notice import RELOAD, Notice, NoticeKind, SeenBy, row_notice
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT, uuid
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.anonymise_participant import AnonymiseParticipant
from deepoj_game.commands.answer import Answer
from deepoj_game.commands.apply_submission_events import Applied, ApplySubmissionEvents, Known, Result
from deepoj_game.commands.ask import Ask
from deepoj_game.commands.broadcast import Broadcast
from deepoj_game.commands.cancel_sign_up import CancelSignUp
from deepoj_game.commands.change_times import ChangeTimes
from deepoj_game.commands.delete_game import DeleteGame
from deepoj_game.commands.finalize import Finalize
from deepoj_game.commands.ignore_submission import IgnoreSubmission
from deepoj_game.commands.ports import CommandRefusal
from deepoj_game.commands.recompute_board import RecomputeBoard
from deepoj_game.commands.reopen import Reopen
from deepoj_game.commands.unfreeze import Unfreeze
from deepoj_game.commands.update_participant import ParticipantEdit, UpdateParticipant

CAROL = AccountId(uuid(7))
PLAYER = Actor(ALICE, Role.CONTESTANT)
CUT = Interval(NOW + timedelta(minutes=5), NOW + timedelta(minutes=15))
FREEZE = NOW + timedelta(hours=4)
NOTE = Note(id=ClarificationId(uuid(40)), question_id=None, text="Why?")
FIRST, SECOND = submitted(1, ALICE, 10), submitted(2, BOB, 20)


@dataclass
class Stage:
    """A game with two participants; `now` is what the clock says."""

    now: datetime = NOW + timedelta(minutes=30)
    patience: int = 100
    games: MemoryGames = field(default_factory=MemoryGames)
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    messages: int = 0

    async def begin(self) -> None:
        assert await self.games.add(a_game(), password_hash=None)
        for account in (ALICE, BOB):
            await enter(self.games, taking_part(account))
        self.game.notices.clear()

    @property
    def game(self) -> MemoryGame:
        return self.games.games[GAME]

    def clock(self) -> datetime:
        return self.now

    def rulings(self) -> AdminRulings:
        return AdminRulings(self.games, self.journal, self.clock, self.patience)

    async def apply(self, *facts: Fact) -> list[Result]:
        known = []
        for fact in facts:
            self.messages += 1
            known.append(Known(f"m{self.messages}", fact))
        return await ApplySubmissionEvents(self.games, self.clock)(GAME, known)

    def told(self) -> list[Notice]:
        """What was told since this was asked last."""
        found = list(self.game.notices)
        self.game.notices.clear()
        return found

    def finish_work(self) -> None:
        self.game.work = None

    def solved(self) -> dict[AccountId, int]:
        return {account: tally.full.total.solved for account, (_, tally) in self.game.rows.items()}


@pytest.fixture
async def stage() -> Stage:
    made = Stage()
    await made.begin()
    return made


def reason(answer: object) -> StrEnum | None:
    return answer.reason if isinstance(answer, Refused) else None


async def test_a_fact_scores_the_row_of_its_sender_and_is_told(stage: Stage) -> None:
    assert await stage.apply(FIRST, judged(FIRST)) == [Applied.APPLIED] * 2
    assert stage.solved() == {ALICE: 1, BOB: 0}
    assert stage.told() == [row_notice(ALICE, SeenBy.ALL)] * 2


async def test_a_message_or_a_fact_that_comes_again_changes_nothing(stage: Stage) -> None:
    apply = ApplySubmissionEvents(stage.games, stage.clock)
    known = Known("m", FIRST)
    assert await apply(GAME, [known, known]) == [Applied.APPLIED, Applied.REPEATED]
    stage.told()
    assert await apply(GAME, [known, Known("other", FIRST)]) == [Applied.REPEATED, Applied.APPLIED]
    assert (stage.told(), stage.game.facts) == ([], [FIRST])


async def test_of_a_batch_what_does_not_belong_is_refused_and_the_rest_applied(stage: Stage) -> None:
    stranger, elsewhere = submitted(3, CAROL, 1), replace(SECOND, question_id=QuestionId(uuid(999)))
    assert await stage.apply(stranger, elsewhere, FIRST) == [
        GameRefusal.NOT_A_PARTICIPANT,
        GameRefusal.NOT_A_PROBLEM_OF_THE_GAME,
        Applied.APPLIED,
    ]
    assert stage.game.facts == [FIRST]
    assert await ApplySubmissionEvents(stage.games, stage.clock)(GameId(uuid(1)), []) == []


async def test_a_row_that_is_missing_is_scored_from_the_whole_log(stage: Stage) -> None:
    await stage.apply(FIRST, judged(FIRST))
    stage.game.rows.pop(ALICE)
    await stage.apply(submitted(3, ALICE, 12, question=1))
    assert stage.solved() == {ALICE: 1, BOB: 0}


async def test_a_first_place_that_moves_is_told_as_a_change_of_both_rows(stage: Stage) -> None:
    await stage.apply(SECOND, judged(SECOND))
    stage.told()
    await stage.apply(FIRST, judged(FIRST))
    assert stage.told() == [row_notice(each, SeenBy.ALL) for each in (ALICE, ALICE, BOB)]


async def test_on_a_frozen_board_a_verdict_and_the_first_place_it_takes_are_told_nobody_else(
    stage: Stage,
) -> None:
    slow, fast = submitted(1, ALICE, 242), submitted(2, BOB, 241)
    stage.now = FREEZE + timedelta(minutes=3)
    await stage.apply(slow)
    await stage.apply(fast)
    assert stage.told() == [row_notice(each, SeenBy.ALL) for each in (ALICE, BOB)], "that they were made"
    await stage.apply(judged(slow))
    assert stage.told() == [row_notice(ALICE, SeenBy.OWNER)]
    await stage.apply(judged(fast))
    assert stage.told() == [row_notice(BOB, SeenBy.OWNER)]


async def test_who_withdrew_keeps_their_facts_without_a_row(stage: Stage) -> None:
    await stage.apply(FIRST)
    await enter(stage.games, replace(taking_part(ALICE), withdrawn=True))
    stage.told()
    assert await stage.apply(judged(FIRST)) == [Applied.APPLIED]
    assert stage.told() == [row_notice(ALICE, SeenBy.STAFF)]
    assert stage.solved() == {BOB: 0}
    await enter(stage.games, taking_part(ALICE))
    assert stage.solved() == {ALICE: 1, BOB: 0}


async def test_a_small_ruling_takes_effect_at_once_with_the_scores_that_follow(stage: Stage) -> None:
    await stage.apply(FIRST, judged(FIRST))
    stage.told()
    assert await ChangeTimes(stage.rulings())(ROOT, GAME, RemoveInterval(CUT), "a power cut") is None
    assert stage.game.rows[ALICE][1].full.cells[0].solved_ms == 5 * 60_000
    assert stage.told() == [RELOAD]
    (ruling,) = stage.game.rulings
    assert (ruling.action, ruling.reason, set(ruling.details)) == (
        "remove_interval",
        "a power cut",
        {"from", "before"},
    )


async def test_a_ruling_that_touches_too_much_becomes_work_one_at_a_time(stage: Stage) -> None:
    stage.patience = 1
    change = ChangeTimes(stage.rulings())
    assert await change(ROOT, GAME, RemoveInterval(CUT), "") is None
    assert stage.game.game == a_game(), "nothing has happened yet"
    assert stage.game.work is not None
    assert stage.game.work[1] == RemoveInterval(CUT)
    later = RemoveInterval(Interval(CUT.until, CUT.until + timedelta(minutes=1)))
    assert reason(await change(ROOT, GAME, later, "")) is CommandRefusal.WORK_UNDER_WAY
    assert await change(ROOT, GAME, Extend(timedelta(hours=1)), "") is None, "which touches nobody"


async def test_only_admins_rule_and_strangers_do_not_learn_of_a_private_game(stage: Stage) -> None:
    rulings = stage.rulings()
    for answer in (
        await ChangeTimes(rulings)(PLAYER, GAME, Extend(timedelta(hours=1)), ""),
        await Unfreeze(rulings)(PLAYER, GAME),
        await Finalize(rulings)(PLAYER, GAME),
        await DeleteGame(rulings)(PLAYER, GAME, 1),
    ):
        assert reason(answer) is CommandRefusal.NOT_ALLOWED
    sign_up = replace(a_game().plan.sign_up, private=True)
    stage.game.game = replace(a_game(), plan=replace(a_game().plan, sign_up=sign_up))
    assert reason(await Unfreeze(rulings)(PLAYER, GAME)) is CommandRefusal.NOT_FOUND
    assert reason(await Unfreeze(rulings)(ROOT, GameId(uuid(1)))) is CommandRefusal.NOT_FOUND


async def test_a_submission_is_ignored_by_any_id_of_its_chain_and_counts_again(stage: Stage) -> None:
    rejudged = replace(judged(FIRST), submission_id=submitted(9, ALICE, 1).submission_id)
    await stage.apply(FIRST, rejudged)
    ignore = IgnoreSubmission(stage.rulings())
    assert await ignore(ROOT, GAME, rejudged.submission_id, "copied", ignored=True) is None
    assert (stage.game.game.ignored, stage.solved()[ALICE]) == (frozenset({FIRST.origin_id}), 0)
    again = await ignore(ROOT, GAME, FIRST.submission_id, "", ignored=True)
    assert reason(again) is GameRefusal.ALREADY_IGNORED
    assert await ignore(ROOT, GAME, FIRST.submission_id, "", ignored=False) is None
    assert (stage.game.game.ignored, stage.solved()[ALICE]) == (frozenset(), 1)
    unknown = await ignore(ROOT, GAME, SECOND.submission_id, "", ignored=True)
    assert reason(unknown) is CommandRefusal.NOT_FOUND


async def test_a_result_is_final_when_all_is_decided_and_no_work_is_under_way(stage: Stage) -> None:
    await stage.apply(FIRST)
    stage.now = OVER + timedelta(minutes=1)
    finalize = Finalize(stage.rulings())
    assert reason(await finalize(ROOT, GAME)) is GameRefusal.SUBMISSIONS_UNDECIDED
    await stage.apply(judged(FIRST))
    recompute = RecomputeBoard(stage.games, stage.journal, stage.clock)
    begun = await recompute(ROOT, GAME, None)
    assert await recompute(ROOT, GAME, None) == begun, "the same is followed"
    assert reason(await recompute(ROOT, GAME, ALICE)) is CommandRefusal.WORK_UNDER_WAY
    assert reason(await finalize(ROOT, GAME)) is CommandRefusal.WORK_UNDER_WAY
    stage.finish_work()
    assert await finalize(ROOT, GAME) is None
    assert await stage.apply(submitted(5, ALICE, 50)) == [GameRefusal.ALREADY_FINALIZED]
    assert await Reopen(stage.rulings())(ROOT, GAME, "a wrong test") is None
    assert stage.game.work is not None
    assert stage.game.game.plan.schedule.finalized_at is None


async def test_unfreezing_changes_no_score_but_what_people_see(stage: Stage) -> None:
    await stage.apply(FIRST, judged(FIRST))
    before = dict(stage.game.rows)
    stage.now = OVER + timedelta(minutes=1)
    stage.told()
    assert await Unfreeze(stage.rulings())(ROOT, GAME) is None
    assert (stage.told(), stage.game.rows) == ([RELOAD], before)


async def test_a_game_is_deleted_by_the_version_that_was_seen(stage: Stage) -> None:
    delete = DeleteGame(stage.rulings())
    stage.now = NOW - timedelta(hours=1)
    assert reason(await delete(ROOT, GAME, 7)) is CommandRefusal.VERSION_CONFLICT
    assert await delete(ROOT, GAME, stage.game.version) is None
    assert (stage.game.game.deleted, stage.told()) == (True, [])
    assert stage.journal.lines == ["delete refused: version_conflict", "delete"]


async def test_another_penalty_changes_a_row_and_another_kind_the_board(stage: Stage) -> None:
    await stage.apply(FIRST, judged(FIRST))
    update = UpdateParticipant(stage.games, stage.journal, stage.clock)
    stage.told()
    changed = await update(ROOT, GAME, ALICE, ParticipantEdit(penalty_adjustment_minutes=5))
    assert not isinstance(changed, Refused)
    assert stage.game.rows[ALICE][1].full.total.penalty_ms == 15 * 60_000
    assert stage.told() == [row_notice(ALICE, SeenBy.ALL)]
    await update(ROOT, GAME, ALICE, ParticipantEdit(kind=ParticipantKind.HIDDEN))
    assert stage.told() == [RELOAD]
    await update(ROOT, GAME, ALICE, ParticipantEdit(display_name="A"))
    assert stage.told() == [row_notice(ALICE, SeenBy.OWNER)]
    assert [each.action for each in stage.game.rulings] == ["update_participant"] * 3


async def test_who_is_removed_has_no_row_and_the_removal_is_on_record(stage: Stage) -> None:
    stage.now = NOW - timedelta(hours=1)
    cancel = CancelSignUp(stage.games, stage.journal, stage.clock)
    assert await cancel(ROOT, GAME, ALICE) is None
    assert await cancel(Actor(BOB, Role.CONTESTANT), GAME, BOB) is None
    assert stage.solved() == {}
    assert [each.participant.removed for each in stage.game.entrants.values()] == [True, False]
    assert [each.action for each in stage.game.rulings] == ["cancel_sign_up"]


async def test_a_deleted_account_loses_its_name_once_and_keeps_its_row(stage: Stage) -> None:
    await stage.apply(FIRST, judged(FIRST))
    stage.told()
    anonymise = AnonymiseParticipant(stage.games, stage.clock)
    await anonymise(ALICE)
    await anonymise(ALICE)
    assert stage.game.entrants[ALICE].display_name == DELETED_NAME
    assert (stage.solved()[ALICE], stage.told()) == (1, [row_notice(ALICE, SeenBy.ALL)])


async def test_a_question_is_told_its_asker_and_a_public_answer_everybody(stage: Stage) -> None:
    ask = Ask(stage.games, stage.journal, stage.clock)
    answer = Answer(stage.games, stage.journal, stage.clock)
    asked = await ask(PLAYER, GAME, NOTE)
    assert isinstance(asked, Clarification)
    assert await ask(PLAYER, GAME, NOTE) == asked, "the same call twice leaves one note"
    assert reason(await ask(PLAYER, GAME, replace(NOTE, text="?"))) is CommandRefusal.CLARIFICATION_ID_TAKEN
    for public in (False, True, False):
        assert not isinstance(await answer(ROOT, GAME, NOTE.id, "So.", public=public), Refused)
    seen = [(each.kind, each.seen_by, each.owner) for each in stage.told()]
    expected = (SeenBy.OWNER, SeenBy.OWNER, SeenBy.ALL, SeenBy.ALL)
    assert seen == [(NoticeKind.CLARIFICATION, each, ALICE) for each in expected]
    unknown = await answer(ROOT, GAME, ClarificationId(uuid(41)), "So.", public=True)
    assert reason(unknown) is CommandRefusal.NOT_FOUND


async def test_only_the_staff_tells_everybody_something(stage: Stage) -> None:
    broadcast = Broadcast(stage.games, stage.journal, stage.clock)
    assert reason(await broadcast(PLAYER, GAME, NOTE)) is CommandRefusal.NOT_ALLOWED
    said = await broadcast(ROOT, GAME, NOTE)
    assert isinstance(said, Clarification)
    assert [each.seen_by for each in stage.told()] == [SeenBy.ALL]
    assert await broadcast(ROOT, GAME, NOTE) == said
