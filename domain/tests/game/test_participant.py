from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.events import ParticipationChange, ParticipationChanged
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind, sign_up, why_no_submission, withdraw
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.game.sign_up import Access, SignUpRules
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.testing import ALICE, GAME, NOW, QUESTION, a_game, uuid

HOUR = timedelta(hours=1)
BEFORE, DURING, FROZEN, END = NOW - HOUR, NOW + HOUR, NOW + 4 * HOUR, NOW + 5 * HOUR
ALICE_IN = Participant(game_id=GAME, account_id=ALICE, kind=ParticipantKind.OFFICIAL, signed_up_at=BEFORE)
ALICE_OUT = replace(ALICE_IN, withdrawn=True)
STRICT = a_game()
LATE = a_game(sign_up=SignUpRules(late_sign_up=True, late_withdrawal=True))
PRIVATE = a_game(sign_up=SignUpRules(access=Access.PASSWORD))
GONE = replace(STRICT, deleted=True)


@pytest.mark.parametrize(
    ("game", "known", "shown", "now", "refusal"),
    [
        (STRICT, None, Access.OPEN, BEFORE, None),
        (STRICT, None, Access.OPEN, NOW, Why.SIGN_UP_CLOSED),
        (STRICT, ALICE_IN, Access.OPEN, BEFORE, Why.ALREADY_SIGNED_UP),
        (STRICT, ALICE_OUT, Access.OPEN, BEFORE, None),
        (LATE, None, Access.OPEN, FROZEN, None),
        (LATE, None, Access.OPEN, END, Why.ALREADY_ENDED),
        (PRIVATE, None, Access.OPEN, BEFORE, Why.ACCESS_DENIED),
        (PRIVATE, None, Access.INVITATION, BEFORE, Why.ACCESS_DENIED),
        (PRIVATE, None, Access.PASSWORD, BEFORE, None),
        (GONE, None, Access.OPEN, BEFORE, Why.DELETED),
    ],
)
def test_sign_up_follows_the_rules_of_the_game(
    game: Game, known: Participant | None, shown: Access, now: datetime, refusal: Why | None
) -> None:
    match sign_up(game, ALICE, known, shown=shown, now=now):
        case Changed(participant, events):
            assert refusal is None
            assert participant == replace(ALICE_IN, signed_up_at=now)
            change = ParticipationChange.SIGNED_UP
            assert events == (
                ParticipationChanged(occurred_at=now, game_id=GAME, account_id=ALICE, change=change),
            )
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
    ],
)
def test_withdrawal_follows_the_rules_of_the_game(
    game: Game, known: Participant | None, now: datetime, refusal: Why | None
) -> None:
    match withdraw(game, known, now):
        case Changed(participant):
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
        (GONE, ALICE_IN, QUESTION, NOW, Why.DELETED),
    ],
)
def test_a_game_takes_submissions_of_participants_to_its_problems_while_it_runs(
    game: Game, known: Participant | None, question_id: QuestionId, now: datetime, refusal: Why | None
) -> None:
    assert why_no_submission(game, known, question_id, now) is refusal
