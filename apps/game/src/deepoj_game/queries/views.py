"""What is shown of games and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.scoring.board import BoardRow
from deepoj_domain.game.visibility import BoardView, Viewer
from deepoj_domain.game.work import Work
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.paging import Position


class QueryRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    NOT_ALLOWED = "not_allowed"
    SIGN_IN_REQUIRED = "sign_in_required"
    NOT_A_PARTICIPANT = "not_a_participant"
    SEQUENCE_AHEAD = "sequence_ahead"


@dataclass(frozen=True, slots=True)
class EntrantView:
    participant: Participant
    display_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """A game as the database has it, for whoever may see it."""

    game: Game
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    game: Game
    """Without its problems when the viewer may not see them yet."""
    phase: Phase
    version: int
    viewer: Viewer
    participants: int = 0
    entrant: EntrantView | None = None
    work: Work | None = None
    """What is under way; only for the staff."""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a board with the name its participant goes by."""

    row: BoardRow
    entrant: EntrantView
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPage:
    rows: Sequence[RowView]
    next: Position | None
    sequence: int
    """The last change that is in it."""
    view: BoardView


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What changed on a board, by number. Without a row or a clarification: the board as a whole."""

    place: int
    """Among all changes of the game; never shown."""
    sequence: int
    """Among the changes that its viewer is told of."""
    account_id: AccountId | None = None
    clarification: Clarification | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One change as one viewer sees it."""

    sequence: int
    row: RowView | None = None
    clarification: Clarification | None = None
    reload: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSubmission:
    """A submission as the log of a game has it."""

    submission_id: SubmissionId
    account_id: AccountId
    display_name: str
    question_id: QuestionId
    label: str
    """Empty when the question is no problem of the game any more."""
    submitted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingView:
    id: UUID
    by: AccountId
    at: datetime
    action: str
    reason: str
    details: str
    """JSON."""
