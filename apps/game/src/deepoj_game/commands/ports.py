"""What the commands need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.tally import CellSides, Tally
from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId, SubmissionId

Clock = Callable[[], datetime]
NewId = Callable[[], UUID]


class CommandRefusal(StrEnum):
    """What is refused before a game is even asked."""

    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    NOT_ALLOWED = "not_allowed"
    GAME_ID_TAKEN = "game_id_taken"
    CLARIFICATION_ID_TAKEN = "clarification_id_taken"
    VERSION_CONFLICT = "version_conflict"
    WRONG_PASSWORD = "wrong_password"  # noqa: S105  the name of a refusal, not a secret
    PASSWORD_MISSING = "password_missing"  # noqa: S105  same
    RECOMPUTE_RUNNING = "recompute_running"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant as one game calls it."""

    participant: Participant
    display_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What somebody with power did, for the audit."""

    by: AccountId
    action: str
    reason: str = ""
    details: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What the board knows of some cells and of those they belong to."""

    unseen: frozenset[str]
    """Those of the messages that come for the first time."""
    participants: Mapping[AccountId, Participant]
    facts: Mapping[tuple[AccountId, QuestionId], list[Fact]]
    sides: Mapping[AccountId, Sequence[CellSides]]
    """The cells of the whole row, one for each problem of the game."""


class Passwords(Protocol):
    """Slow on purpose, so both are awaited off the event loop."""

    async def hashed(self, password: str) -> str: ...

    async def matches(self, password: str, stored: str) -> bool: ...


class Throttle(Protocol):
    def take(self, key: Hashable) -> timedelta | None:
        """Pay for one try; return how long to wait when none is left."""
        ...

    def give_back(self, key: Hashable) -> None: ...


class OpenGame(Protocol):
    """One game in a transaction that holds its counter: nobody else writes to it or its log meanwhile."""

    @property
    def game(self) -> Game: ...

    @property
    def version(self) -> int: ...

    @property
    def password_hash(self) -> str | None: ...

    async def entrant(self, account_id: AccountId) -> Entrant | None: ...

    async def save(self, after: Game, events: Sequence[DomainEvent], *, password_hash: str | None) -> None:
        """Write the game, scores that follow from it included."""
        ...

    async def put_entrant(self, entrant: Entrant, events: Sequence[DomainEvent]) -> None:
        """Write the participant and its row of the board."""
        ...

    async def clarification(self, clarification_id: ClarificationId) -> Clarification | None: ...

    async def put_clarification(self, after: Clarification, events: Sequence[DomainEvent]) -> None: ...

    async def undecided(self) -> int:
        """Count the submissions that count and have no verdict."""
        ...

    async def origin_of(self, submission_id: SubmissionId) -> SubmissionId | None:
        """Find the chain of a submission, by its current head or its origin."""
        ...

    async def record(self, ruling: Ruling) -> None: ...

    async def situation(
        self, message_ids: Sequence[str], cells: Collection[tuple[AccountId, QuestionId]]
    ) -> Situation:
        """Return all that applying these messages to these cells needs, and remember them on commit."""
        ...

    async def add_facts(self, facts: Sequence[Fact], scored: Sequence[tuple[Participant, Tally]]) -> None:
        """Add to the log, each fact with a number of its own, and write the rows that follow."""
        ...


class Games(Protocol):
    def open(self, game_id: GameId) -> AbstractAsyncContextManager[OpenGame | None]:
        """Leaving the block commits; an exception undoes everything."""
        ...

    async def password_hash(self, game_id: GameId) -> str | None: ...

    async def entered_by(self, account_id: AccountId) -> Sequence[GameId]:
        """Return the games that have the account among their participants, the deleted games too."""
        ...

    async def add(self, game: Game, events: Sequence[DomainEvent], *, password_hash: str | None) -> bool:
        """Tell whether the id was free."""
        ...


class Journal(Protocol):
    def changed(self, command: str, game_id: GameId, by: AccountId) -> None: ...

    def refused(self, command: str, game_id: GameId, reason: StrEnum) -> None: ...
