"""Who hears of a change: a row, or the board as a whole; everybody, its owner, or the staff."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import (
    Notice,
    NoticeKind,
    SeenBy,
    clarification_notice,
    participant_notice,
    row_notice,
    who_sees,
)
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.kernel.ids import ClarificationId
from deepoj_domain.testing import ALICE, GAME, NOW, a_game, a_participant, uuid

HOUR = timedelta(hours=1)
DURING, OVER = NOW + HOUR, NOW + 6 * HOUR
ICPC, OI = a_game(), a_game(Format.OI)
OFFICIAL = a_participant()
UNOFFICIAL = replace(OFFICIAL, kind=ParticipantKind.UNOFFICIAL)
HIDDEN = replace(OFFICIAL, kind=ParticipantKind.HIDDEN)
VIRTUAL = replace(OFFICIAL, kind=ParticipantKind.VIRTUAL, virtual_start=OVER)
RELOADED = Notice(NoticeKind.RELOAD, SeenBy.ALL)
RELOADED_BY_STAFF = Notice(NoticeKind.RELOAD, SeenBy.STAFF)


@pytest.mark.parametrize(
    ("game", "who", "now", "seen_by"),
    [
        (ICPC, OFFICIAL, DURING, SeenBy.ALL),
        (ICPC, UNOFFICIAL, DURING, SeenBy.ALL),
        (ICPC, HIDDEN, DURING, SeenBy.OWNER),
        (ICPC, VIRTUAL, OVER + HOUR, SeenBy.ALL),
        (OI, OFFICIAL, DURING, SeenBy.STAFF),
        (OI, HIDDEN, DURING, SeenBy.STAFF),
        (OI, OFFICIAL, OVER, SeenBy.ALL),
        (OI, VIRTUAL, OVER + HOUR, SeenBy.STAFF),
        (OI, VIRTUAL, OVER + 6 * HOUR, SeenBy.ALL),
    ],
)
def test_a_row_is_seen_by_all_unless_it_is_hidden_or_its_results_wait_for_the_end(
    game: Game, who: Participant, now: datetime, seen_by: SeenBy
) -> None:
    assert who_sees(game, who, now) is seen_by


@pytest.mark.parametrize(
    ("before", "after", "notice"),
    [
        (None, OFFICIAL, row_notice(ALICE, SeenBy.ALL)),
        (None, HIDDEN, row_notice(ALICE, SeenBy.OWNER)),
        (OFFICIAL, replace(OFFICIAL, penalty_adjustment_minutes=5), row_notice(ALICE, SeenBy.ALL)),
        (HIDDEN, replace(HIDDEN, penalty_adjustment_minutes=5), row_notice(ALICE, SeenBy.OWNER)),
        (replace(OFFICIAL, withdrawn=True), OFFICIAL, row_notice(ALICE, SeenBy.ALL)),
        (OFFICIAL, replace(OFFICIAL, withdrawn=True), RELOADED),
        (OFFICIAL, UNOFFICIAL, RELOADED),
        (OFFICIAL, HIDDEN, RELOADED),
        (HIDDEN, OFFICIAL, RELOADED),
        (HIDDEN, replace(HIDDEN, withdrawn=True), RELOADED_BY_STAFF),
    ],
)
def test_a_row_that_comes_is_told_as_a_row_and_one_that_leaves_or_frees_a_rank_as_the_whole_board(
    before: Participant | None, after: Participant, notice: Notice
) -> None:
    assert participant_notice(ICPC, before, after, DURING) == notice


def test_where_results_wait_for_the_end_only_the_staff_hears_of_participants() -> None:
    assert participant_notice(OI, None, OFFICIAL, DURING) == row_notice(ALICE, SeenBy.STAFF)
    gone = replace(OFFICIAL, withdrawn=True)
    assert participant_notice(OI, OFFICIAL, gone, DURING) == RELOADED_BY_STAFF


@pytest.mark.parametrize(
    ("was_public", "is_public", "seen_by"),
    [
        (None, False, SeenBy.OWNER),
        (None, True, SeenBy.ALL),
        (False, False, SeenBy.OWNER),
        (False, True, SeenBy.ALL),
        (True, False, SeenBy.ALL),
    ],
)
def test_whoever_has_read_a_public_clarification_hears_that_it_no_longer_is(
    *, was_public: bool | None, is_public: bool, seen_by: SeenBy
) -> None:
    note = Clarification(
        id=ClarificationId(uuid(40)), game_id=GAME, asked_by=ALICE, question_id=None, text="?", asked_at=NOW
    )
    before = None if was_public is None else replace(note, public=was_public)
    told = clarification_notice(before, replace(note, public=is_public))
    assert told == Notice(NoticeKind.CLARIFICATION, seen_by, clarification_id=note.id, owner=ALICE)
