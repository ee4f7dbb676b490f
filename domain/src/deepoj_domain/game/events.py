from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId


class GameChange(StrEnum):
    CREATED = "created"
    EDITED = "edited"
    EXTENDED = "extended"
    INTERVAL_REMOVED = "interval_removed"
    SUBMISSION_IGNORED = "submission_ignored"
    SUBMISSION_COUNTED_AGAIN = "submission_counted_again"
    UNFROZEN = "unfrozen"
    FINALIZED = "finalized"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChanged(DomainEvent):
    name: ClassVar[str] = "game.changed.v1"

    game_id: GameId
    change: GameChange


class ParticipationChange(StrEnum):
    SIGNED_UP = "signed_up"
    WITHDREW = "withdrew"
    UPDATED = "updated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipationChanged(DomainEvent):
    name: ClassVar[str] = "game.participation_changed.v1"

    game_id: GameId
    account_id: AccountId
    change: ParticipationChange


class ClarificationChange(StrEnum):
    ASKED = "asked"
    ANSWERED = "answered"
    BROADCAST = "broadcast"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClarificationChanged(DomainEvent):
    """Says that there is something to read, never what: the text stays with the game."""

    name: ClassVar[str] = "game.clarification_changed.v1"

    game_id: GameId
    clarification_id: ClarificationId
    change: ClarificationChange
    public: bool
