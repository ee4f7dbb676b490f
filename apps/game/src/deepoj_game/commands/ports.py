"""What the commands need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.decision import Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import Notice
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import CellKey, NewFacts, Situation
from deepoj_domain.game.scoring.tally import Scored
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId, SubmissionId, WorkId
from deepoj_domain.kernel.role import Actor

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
    UNKNOWN_PROBLEM = "unknown_problem"
    """Not there, or not for this actor to read and so not to hand on."""
    WORK_UNDER_WAY = "work_under_way"


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
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Log:
    """What the board knows of some accounts."""

    participants: Sequence[Participant] = ()
    facts: Mapping[AccountId, Sequence[Fact]] = field(default_factory=dict)
    """Of each account, whether it takes part or not."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """The rows of these accounts are replaced: who has withdrawn has none any more."""

    accounts: Sequence[AccountId] = ()
    rows: Sequence[Scored] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWrite:
    """What a command leaves behind, written as a whole."""

    at: datetime
    game: Game | None = None
    password_hash: str | None = None
    """Of the game, when it is written."""
    entrant: Entrant | None = None
    clarification: Clarification | None = None
    new_facts: NewFacts | None = None
    rescored: Rescored | None = None
    notices: Sequence[Notice] = ()
    """Numbered after those of the facts."""
    ruling: Ruling | None = None


class OpenGame(Protocol):
    """One game in a transaction that holds its counter: nobody else writes to it or its log meanwhile."""

    @property
    def game(self) -> Game: ...

    @property
    def version(self) -> int: ...

    @property
    def password_hash(self) -> str | None: ...

    async def entrant(self, account_id: AccountId) -> Entrant | None: ...

    async def clarification(self, clarification_id: ClarificationId) -> Clarification | None: ...

    async def log(self, touched: Touched, most: int | None = None) -> Log | None:
        """Return what is known of those touched; None when they, or their facts, are more than `most`."""
        ...

    async def undecided(self) -> Sequence[SubmissionId]:
        """Return the submissions that count and have no verdict, the oldest first; of very many the first."""
        ...

    async def situation(
        self, message_ids: Sequence[str], cells: Collection[CellKey]
    ) -> tuple[frozenset[str], Situation]:
        """Return which messages come for the first time, remembering them on commit, and what they meet."""
        ...

    async def under_way(self) -> tuple[WorkId, Task] | None: ...

    async def begin(self, task: Task, ruling: Ruling, now: datetime) -> WorkId | None:
        """Have it carried out in the background; None when other work on this game is under way."""
        ...

    async def write(self, write: GameWrite) -> None: ...


class Games(Protocol):
    def open(self, game_id: GameId) -> AbstractAsyncContextManager[OpenGame | None]:
        """Leaving the block commits; an exception undoes everything."""
        ...

    async def password_hash(self, game_id: GameId) -> str | None: ...

    async def entered_by(self, account_id: AccountId) -> Sequence[GameId]:
        """Return the games that have the account among their participants, the deleted games too."""
        ...

    async def add(self, game: Game, *, password_hash: str | None) -> bool:
        """Tell whether the id was free."""
        ...


class Passwords(Protocol):
    """Slow on purpose, so both are awaited off the event loop."""

    async def hashed(self, password: str) -> str: ...

    async def matches(self, password: str, stored: str | None) -> bool:
        """Nothing fits None, and finding that out takes as long."""
        ...


class Throttle(Protocol):
    def take(self, key: Hashable) -> timedelta | None:
        """Pay for one try; return how long to wait when none is left."""
        ...

    def give_back(self, key: Hashable) -> None: ...


class Questions(Protocol):
    async def readable(self, actor: Actor, questions: Collection[QuestionId]) -> frozenset[QuestionId]:
        """Return those of a hundred at most that the actor may read, whatever games have them."""
        ...


class Journal(Protocol):
    def changed(self, command: str, game_id: GameId, by: AccountId) -> None: ...

    def refused(self, command: str, game_id: GameId, reason: StrEnum) -> None: ...
