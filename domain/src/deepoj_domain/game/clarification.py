"""Questions of contestants to the judges, their answers, and what the judges tell everybody."""

from dataclasses import dataclass, replace
from datetime import datetime

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, phase_for
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.visibility import Viewer
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused

_MAX_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    by: AccountId
    at: datetime

    def __post_init__(self) -> None:
        require_utc(self.at)
        _require_text(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    id: ClarificationId
    game_id: GameId
    asked_by: AccountId | None
    """None for a broadcast, and for whoever may not know who asked."""
    question_id: QuestionId | None
    """None: about the game as a whole."""
    text: str
    asked_at: datetime
    answer: Answer | None = None
    public: bool = False

    def __post_init__(self) -> None:
        require_utc(self.asked_at)
        _require_text(self.text)


ClarificationOutcome = Clarification | Refused[GameRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What somebody wrote, before it is known whether they may."""

    id: ClarificationId
    question_id: QuestionId | None
    text: str


def ask(game: Game, asker: Participant | None, note: Note, now: datetime) -> ClarificationOutcome:
    if asker is None or asker.withdrawn:
        return Refused(GameRefusal.NOT_A_PARTICIPANT)
    phase = phase_for(game, asker, now)
    if phase is Phase.BEFORE:
        return Refused(GameRefusal.NOT_STARTED)
    if phase.is_over:
        return Refused(GameRefusal.ALREADY_ENDED)
    return _opened(game, note, asker.account_id, now)


def broadcast(game: Game, note: Note, now: datetime) -> ClarificationOutcome:
    return _opened(game, note, None, now)


def answer(game: Game, clarification: Clarification, reply: Answer, *, public: bool) -> ClarificationOutcome:
    """A later answer takes the place of an earlier one."""
    if game.deleted:
        return Refused(GameRefusal.DELETED)
    if clarification.asked_by is None:
        return Refused(GameRefusal.BROADCAST_HAS_NO_ANSWER)
    return replace(clarification, answer=reply, public=public)


def shown_to(
    clarification: Clarification, viewer: Viewer, account_id: AccountId | None
) -> Clarification | None:
    """What this viewer sees of it, or None. Others never learn who asked."""
    own = account_id is not None and clarification.asked_by == account_id
    if viewer.is_staff or own:
        return clarification
    return replace(clarification, asked_by=None) if clarification.public else None


def _opened(game: Game, note: Note, asker: AccountId | None, now: datetime) -> ClarificationOutcome:
    if game.deleted:
        return Refused(GameRefusal.DELETED)
    if note.question_id is not None and note.question_id not in game.plan.questions():
        return Refused(GameRefusal.NOT_A_PROBLEM_OF_THE_GAME)
    return Clarification(
        id=note.id,
        game_id=game.id,
        asked_by=asker,
        question_id=note.question_id,
        text=note.text,
        asked_at=now,
        public=asker is None,
    )


def _require_text(text: str) -> None:
    if not text.strip():
        raise InvalidValueError("text_empty", "there is nothing to read")
    if len(text) > _MAX_CHARACTERS:
        raise InvalidValueError("text_too_long", f"a text holds at most {_MAX_CHARACTERS} characters")
