from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import (
    Participant,
    ParticipantKind,
    enrol,
    phase_for,
    sign_up,
    update,
    why_no_score,
    why_no_submission,
    withdraw,
)
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.game.schedule import Interval, Phase
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.testing import ALICE, BOB, NOW, QUESTION, a_game, a_participant, uuid

HOUR = timedelta(hours=1)
BEFORE, DURING, FROZEN, END = NOW - HOUR, NOW + HOUR, NOW + 4 * HOUR, NOW + 5 * HOUR
OFFICIAL, VIRTUAL, HIDDEN = ParticipantKind.OFFICIAL, ParticipantKind.VIRTUAL, ParticipantKind.HIDDEN
ALICE_IN = replace(a_participant(), signed_up_at=BEFORE)
ALICE_OUT = replace(ALICE_IN, withdrawn=True)
STRICT = a_game()
LATE = a_game(sign_up=SignUpRules(late_sign_up=True, late_withdrawal=True))
PASSWORD = a_game(sign_up=SignUpRules(private=True, has_password=True))
INVITED = a_game(sign_up=SignUpRules(private=True, invited=frozenset({ALICE})))
NOT_INVITED = a_game(sign_up=SignUpRules(private=True, invited=frozenset({BOB})))
REPLAYABLE = a_game(sign_up=SignUpRules(virtual_allowed=True))
GONE = replace(STRICT, deleted=True)
ALICE_VIRTUAL = replace(ALICE_IN, kind=VIRTUAL, signed_up_at=END + HOUR, virtual_start=END + HOUR)


@pytest.mark.parametrize(
    ("game", "known", "kind", "password_matches", "now", "refusal"),
    [
        (STRICT, None, OFFICIAL, False, BEFORE, None),
        (STRICT, None, HIDDEN, False, BEFORE, None),
        (STRICT, None, OFFICIAL, False, NOW, Why.SIGN_UP_CLOSED),
        (STRICT, ALICE_IN, OFFICIAL, False, BEFORE, Why.ALREADY_SIGNED_UP),
        (STRICT, ALICE_OUT, OFFICIAL, False, BEFORE, None),
        (LATE, None, OFFICIAL, False, FROZEN, None),
        (LATE, None, OFFICIAL, False, END, Why.ALREADY_ENDED),
        (PASSWORD, None, OFFICIAL, False, BEFORE, Why.ACCESS_DENIED),
        (PASSWORD, None, OFFICIAL, True, BEFORE, None),
        (INVITED, None, OFFICIAL, False, BEFORE, None),
        (NOT_INVITED, None, OFFICIAL, False, BEFORE, Why.ACCESS_DENIED),
        (NOT_INVITED, None, OFFICIAL, True, BEFORE, Why.ACCESS_DENIED),
        (PASSWORD, None, OFFICIAL, False, END, Why.ALREADY_ENDED),
        (STRICT, None, VIRTUAL, False, END, Why.VIRTUAL_NOT_ALLOWED),
        (REPLAYABLE, None, VIRTUAL, False, FROZEN, Why.NOT_ENDED),
        (REPLAYABLE, None, VIRTUAL, False, END, None),
        (REPLAYABLE, ALICE_IN, VIRTUAL, False, END, Why.ALREADY_SIGNED_UP),
        (GONE, None, OFFICIAL, False, BEFORE, Why.DELETED),
        (GONE, ALICE_IN, OFFICIAL, False, BEFORE, Why.DELETED),
    ],
)
def test_sign_up_follows_the_rules_of_the_game(
    game: Game,
    known: Participant | None,
    kind: ParticipantKind,
    *,
    password_matches: bool,
    now: datetime,
    refusal: Why | None,
) -> None:
    match sign_up(game, ALICE, known, password_matches=password_matches, kind=kind, now=now):
        case Participant() as participant:
            assert refusal is None
            own_start = now if kind is VIRTUAL else None
            assert participant == replace(ALICE_IN, kind=kind, signed_up_at=now, virtual_start=own_start)
        case Refused(reason):
            assert reason is refusal


@pytest.mark.parametrize(
    ("game", "known", "now", "refusal"),
    [
        (STRICT, ALICE_IN, BEFORE, None),
        (STRICT, ALICE_IN, DURING, Why.WITHDRAWAL_CLOSED),
        (STRICT, ALICE_IN, FROZEN, Why.WITHDRAWAL_CLOSED),
        (LATE, ALICE_IN, FROZEN, None),
        (LATE, ALICE_IN, END, Why.ALREADY_ENDED),
        (STRICT, None, BEFORE, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_OUT, BEFORE, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_VIRTUAL, END + 2 * HOUR, None),
        (STRICT, ALICE_VIRTUAL, END + 6 * HOUR, Why.ALREADY_ENDED),
        (GONE, ALICE_IN, BEFORE, Why.DELETED),
    ],
)
def test_withdrawal_follows_the_rules_of_the_game(
    game: Game, known: Participant | None, now: datetime, refusal: Why | None
) -> None:
    match withdraw(game, known, now):
        case Participant() as participant:
            assert refusal is None
            assert participant.withdrawn
        case Refused(reason):
            assert reason is refusal


@pytest.mark.parametrize(
    ("game", "known", "question_id", "now", "refusal"),
    [
        (STRICT, ALICE_IN, QUESTION, NOW, None),
        (STRICT, ALICE_IN, QUESTION, FROZEN, None),
        (STRICT, ALICE_IN, QUESTION, BEFORE, Why.NOT_STARTED),
        (STRICT, ALICE_IN, QUESTION, END, Why.ALREADY_ENDED),
        (STRICT, None, QUESTION, NOW, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_OUT, QUESTION, NOW, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_IN, QuestionId(uuid(99)), NOW, Why.NOT_A_PROBLEM_OF_THE_GAME),
        (STRICT, ALICE_IN, QuestionId(uuid(99)), NOW - HOUR, Why.NOT_STARTED),
        (STRICT, ALICE_IN, QuestionId(uuid(99)), END, Why.ALREADY_ENDED),
        (STRICT, ALICE_OUT, QuestionId(uuid(99)), NOW, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_VIRTUAL, QUESTION, END, Why.NOT_STARTED),
        (STRICT, ALICE_VIRTUAL, QUESTION, END + HOUR, None),
        (STRICT, ALICE_VIRTUAL, QUESTION, END + 6 * HOUR, Why.ALREADY_ENDED),
        (GONE, ALICE_IN, QUESTION, NOW, Why.DELETED),
    ],
)
def test_a_game_takes_submissions_of_participants_to_its_problems_while_it_runs(
    game: Game, known: Participant | None, question_id: QuestionId, now: datetime, refusal: Why | None
) -> None:
    assert why_no_submission(game, known, question_id, now) is refusal


@pytest.mark.parametrize(
    ("game", "known", "question_id", "refusal"),
    [
        (STRICT, ALICE_IN, QUESTION, None),
        (STRICT, ALICE_OUT, QUESTION, None),
        (STRICT, None, QUESTION, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_IN, QuestionId(uuid(99)), Why.NOT_A_PROBLEM_OF_THE_GAME),
        (GONE, ALICE_IN, QUESTION, Why.DELETED),
    ],
)
def test_the_log_takes_what_participants_sent_to_problems_of_the_game(
    game: Game, known: Participant | None, question_id: QuestionId, refusal: Why | None
) -> None:
    assert why_no_score(game, known, question_id) is refusal


UNOFFICIAL = ParticipantKind.UNOFFICIAL


@pytest.mark.parametrize(
    ("game", "known", "kind", "minutes", "now", "refusal"),
    [
        (STRICT, ALICE_IN, UNOFFICIAL, 0, DURING, None),
        (STRICT, ALICE_IN, OFFICIAL, -20, END, None),
        (STRICT, ALICE_IN, VIRTUAL, 0, END, Why.VIRTUAL_STAYS_VIRTUAL),
        (STRICT, ALICE_VIRTUAL, OFFICIAL, 0, END, Why.VIRTUAL_STAYS_VIRTUAL),
        (STRICT, ALICE_VIRTUAL, VIRTUAL, 20, END, None),
        (a_game(Format.IOI), ALICE_IN, OFFICIAL, 20, DURING, Why.NO_PENALTY_TIME),
        (a_game(Format.IOI), ALICE_IN, HIDDEN, 0, DURING, None),
        (STRICT, None, OFFICIAL, 0, DURING, Why.NOT_A_PARTICIPANT),
        (STRICT, ALICE_OUT, OFFICIAL, 0, DURING, Why.NOT_A_PARTICIPANT),
        (GONE, ALICE_IN, OFFICIAL, 0, DURING, Why.DELETED),
    ],
)
def test_an_admin_changes_kind_and_penalty_of_a_participant(
    game: Game,
    known: Participant | None,
    kind: ParticipantKind,
    minutes: int,
    now: datetime,
    refusal: Why | None,
) -> None:
    match update(game, known, kind=kind, penalty_adjustment_minutes=minutes, now=now):
        case Participant() as participant:
            assert refusal is None
            assert (participant.kind, participant.penalty_adjustment_minutes) == (kind, minutes)
        case Refused(reason):
            assert reason is refusal


def test_a_finalized_game_adjusts_nobody() -> None:
    finalized = STRICT.finalize([], END)
    assert isinstance(finalized, Game)
    outcome = update(finalized, ALICE_IN, kind=OFFICIAL, penalty_adjustment_minutes=5, now=END)
    assert outcome == Refused(Why.ALREADY_FINALIZED)


def test_a_virtual_run_lasts_as_long_as_the_clock_of_the_game_ran() -> None:
    cut = STRICT.remove_interval(Interval(DURING, DURING + HOUR), DURING + HOUR)
    assert isinstance(cut, Game)
    start = END + HOUR
    assert phase_for(cut, ALICE_VIRTUAL, start + 4 * HOUR - timedelta(microseconds=1)) is Phase.RUNNING
    assert phase_for(cut, ALICE_VIRTUAL, start + 4 * HOUR) is Phase.ENDED


def test_only_a_virtual_participant_has_a_start_of_their_own() -> None:
    with pytest.raises(BrokenInvariantError):
        replace(ALICE_IN, virtual_start=NOW)
    with pytest.raises(BrokenInvariantError):
        replace(ALICE_IN, kind=VIRTUAL)


def test_an_open_game_has_no_password() -> None:
    with pytest.raises(InvalidValueError) as refused:
        SignUpRules(has_password=True)
    assert refused.value.code == "password_on_open_game"


def test_whom_the_staff_removed_comes_back_by_the_staff_alone() -> None:
    before = NOW - timedelta(hours=1)
    gone = withdraw(a_game(), a_participant(ALICE), before, by_staff=True)
    assert isinstance(gone, Participant)
    assert sign_up(a_game(), ALICE, gone, now=before) == Refused(Why.REMOVED_BY_STAFF)
    back = update(a_game(), gone, kind=ParticipantKind.UNOFFICIAL, penalty_adjustment_minutes=0, now=before)
    assert isinstance(back, Participant)
    assert (back.withdrawn, back.removed) == (False, False)
    left = withdraw(a_game(), a_participant(ALICE), before)
    assert isinstance(left, Participant)
    assert isinstance(sign_up(a_game(), ALICE, left, now=before), Participant)


@pytest.mark.parametrize(
    ("game", "known", "now", "refusal"),
    [
        (STRICT, None, BEFORE, None),
        (STRICT, None, FROZEN, None),
        (STRICT, None, END, Why.ALREADY_ENDED),
        (NOT_INVITED, None, BEFORE, None),
        (STRICT, ALICE_IN, BEFORE, Why.ALREADY_SIGNED_UP),
        (STRICT, ALICE_OUT, BEFORE, None),
        (STRICT, replace(ALICE_OUT, removed=True), DURING, None),
        (GONE, None, BEFORE, Why.DELETED),
    ],
)
def test_the_staff_enrols_whom_it_likes_until_the_end(
    game: Game, known: Participant | None, now: datetime, refusal: Why | None
) -> None:
    match enrol(game, ALICE, known, now):
        case Participant() as enrolled:
            assert refusal is None
            assert enrolled == replace(ALICE_IN, signed_up_at=now)
        case Refused(reason):
            assert reason is refusal
