from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import AccountId, GameId


class GameChange(StrEnum):
    CREATED = "created"
    EDITED = "edited"
    EXTENDED = "extended"
    UNFROZEN = "unfrozen"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChanged(DomainEvent):
    name: ClassVar[str] = "game.changed.v1"

    game_id: GameId
    change: GameChange


class ParticipationChange(StrEnum):
    SIGNED_UP = "signed_up"
    WITHDREW = "withdrew"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipationChanged(DomainEvent):
    name: ClassVar[str] = "game.participation_changed.v1"

    game_id: GameId
    account_id: AccountId
    change: ParticipationChange
