from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.clarification import Answer, Clarification, Note, answer, ask, broadcast, shown_to
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.refusal import GameRefusal as Why
from deepoj_domain.game.visibility import Viewer
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ClarificationId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.testing import ALICE, BOB, GAME, NOW, QUESTION, a_game, a_participant, uuid

HOUR = timedelta(hours=1)
BEFORE, DURING, END = NOW - HOUR, NOW + HOUR, NOW + 5 * HOUR
RUNNING = a_game()
GONE = replace(RUNNING, deleted=True)
ALICE_IN = a_participant()
VIRTUAL = replace(ALICE_IN, kind=ParticipantKind.VIRTUAL, virtual_start=END)
NOTE = Note(id=ClarificationId(uuid(40)), question_id=QUESTION, text="Is n at least 1?")
ASKED = Clarification(
    id=NOTE.id,
    game_id=GAME,
    asked_by=ALICE,
    question_id=QUESTION,
    text=NOTE.text,
    asked_at=DURING,
)
REPLY = Answer("Yes.", BOB, DURING)


@pytest.mark.parametrize(
    ("game", "asker", "note", "now", "refusal"),
    [
        (RUNNING, ALICE_IN, NOTE, DURING, None),
        (RUNNING, ALICE_IN, replace(NOTE, question_id=None), DURING, None),
        (RUNNING, ALICE_IN, NOTE, BEFORE, Why.NOT_STARTED),
        (RUNNING, ALICE_IN, NOTE, END, Why.ALREADY_ENDED),
        (RUNNING, VIRTUAL, NOTE, END + HOUR, None),
        (RUNNING, None, NOTE, DURING, Why.NOT_A_PARTICIPANT),
        (RUNNING, replace(ALICE_IN, withdrawn=True), NOTE, DURING, Why.NOT_A_PARTICIPANT),
        (
            RUNNING,
            ALICE_IN,
            replace(NOTE, question_id=QuestionId(uuid(99))),
            DURING,
            Why.NOT_A_PROBLEM_OF_THE_GAME,
        ),
        (GONE, ALICE_IN, NOTE, DURING, Why.DELETED),
    ],
)
def test_participants_ask_while_their_game_runs(
    game: Game, asker: Participant | None, note: Note, now: datetime, refusal: Why | None
) -> None:
    match ask(game, asker, note, now):
        case Clarification() as asked:
            assert refusal is None
            assert asked == replace(ASKED, question_id=note.question_id, asked_at=now)
        case Refused(reason):
            assert reason is refusal


def test_a_question_is_private_until_it_is_answered_for_all_and_a_broadcast_is_everybodys() -> None:
    assert ask(RUNNING, ALICE_IN, NOTE, DURING) == ASKED
    assert answer(RUNNING, ASKED, REPLY, public=True) == replace(ASKED, answer=REPLY, public=True)
    assert broadcast(RUNNING, NOTE, DURING) == replace(ASKED, asked_by=None, public=True)


def test_a_broadcast_is_not_answered_and_a_deleted_game_answers_nothing() -> None:
    spread = replace(ASKED, asked_by=None, public=True)
    assert answer(RUNNING, spread, REPLY, public=True) == Refused(Why.BROADCAST_HAS_NO_ANSWER)
    assert answer(GONE, ASKED, REPLY, public=True) == Refused(Why.DELETED)
    assert broadcast(GONE, NOTE, DURING) == Refused(Why.DELETED)


def test_a_later_answer_takes_the_place_of_an_earlier_one() -> None:
    again = replace(REPLY, text="No.")
    changed = answer(RUNNING, replace(ASKED, answer=REPLY, public=True), again, public=False)
    assert changed == replace(ASKED, answer=again)


PRIVATE, PUBLIC = ASKED, replace(ASKED, answer=REPLY, public=True)
ANONYMOUS = replace(PUBLIC, asked_by=None)


@pytest.mark.parametrize(
    ("viewer", "account_id", "private", "public"),
    [
        (Viewer.ADMIN, BOB, PRIVATE, PUBLIC),
        (Viewer.JUDGE, BOB, PRIVATE, PUBLIC),
        (Viewer.PARTICIPANT, ALICE, PRIVATE, PUBLIC),
        (Viewer.PARTICIPANT, BOB, None, ANONYMOUS),
        (Viewer.PUBLIC, None, None, ANONYMOUS),
    ],
    ids=["admin", "judge", "who asked", "another participant", "guest"],
)
def test_who_sees_a_clarification(
    viewer: Viewer,
    account_id: AccountId | None,
    private: Clarification | None,
    public: Clarification | None,
) -> None:
    assert shown_to(PRIVATE, viewer, account_id) == private
    assert shown_to(PUBLIC, viewer, account_id) == public


def test_a_guest_does_not_own_what_nobody_asked() -> None:
    secret = replace(ASKED, asked_by=None, public=False)
    assert shown_to(secret, Viewer.PUBLIC, None) is None


@pytest.mark.parametrize(("text", "code"), [(" ", "text_empty"), ("x" * 10_001, "text_too_long")])
def test_a_text_is_neither_empty_nor_endless(text: str, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        ask(RUNNING, ALICE_IN, replace(NOTE, text=text), DURING)
    assert refused.value.code == code
    with pytest.raises(InvalidValueError) as refused:
        replace(REPLY, text=text)
    assert refused.value.code == code
