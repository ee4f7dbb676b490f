"""What carrying out work needs from outside: a board that is being built, and what record knows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from deepoj_domain.game.decision import Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.game.work import Rebuilt, Stage
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_game.commands.ports import Log, Rescored


@dataclass(frozen=True, slots=True)
class Lines:
    """Submissions to a game as record writes them."""

    text: bytes
    next: str
    """Where the next page begins; empty on the last one."""


class Records(Protocol):
    def pages(self, game_id: GameId, account_id: AccountId | None, after: str) -> AsyncIterator[Lines]:
        """Return what record knows of the submissions to a game, oldest first, some thousand at a time."""
        ...

    async def count(self, game_id: GameId, questions: Sequence[QuestionId]) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """Work as far as it has come."""

    game_id: GameId
    task: Task
    stage: Stage
    position: str
    """In what the stage goes through; empty: nothing is done yet."""
    since: int
    """The last change of the shown board that is in the new one."""
    version: int | None
    """Of the game by whose rules was scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the game is and shows at a moment."""

    game: Game
    password_hash: str | None
    version: int
    sequence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The rows of the board that is shown and of the new one, in full."""

    shown: Sequence[Row] = ()
    new: Sequence[Row] = ()
    names: Mapping[AccountId, str] = field(default_factory=dict)
    corrected: int = 0
    """Submissions that the two logs have otherwise."""
    submissions: int = 0
    """Read from record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    at: datetime
    refused: str = ""
    """Why nothing was done."""
    game: Game | None = None
    password_hash: str | None = None
    """Of the game, when it is written."""
    replaces: bool = False
    """The new board, or the one participant it was made for, takes the place of what is shown."""
    result: Rebuilt | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    """For the audit."""


class Build(Protocol):
    """A board that is built beside the one that is shown, by this process alone."""

    @property
    def work(self) -> Claimed: ...

    def step(self) -> AbstractAsyncContextManager[None]:
        """What is done in it is written as a whole."""
        ...

    def hold(self) -> AbstractAsyncContextManager[Shown]:
        """A step in which nobody else changes the game or what it shows."""
        ...

    async def shown(self) -> Shown: ...

    async def enter(self, stage: Stage, total: int = 0, version: int | None = None) -> None: ...

    async def advance(self, position: str, done: int, submissions: int = 0) -> None: ...

    async def keep_final(self) -> None:
        """Take over what is known of those who are not virtual."""
        ...

    async def add(self, game: Game, lines: Lines) -> int:
        """Return how many submissions these are. Of a game that is final only those of virtual runs count."""
        ...

    async def everybody(self) -> Sequence[AccountId]: ...

    async def log(self, accounts: Sequence[AccountId]) -> Log: ...

    async def put(self, rules: Rules, rescored: Rescored) -> None: ...

    async def changed(self) -> Collection[AccountId] | None:
        """Return whose rows have changed on the shown board since `work.since`; None: it did as a whole."""
        ...

    async def catch_up(self, accounts: Collection[AccountId]) -> None:
        """Take over what became known of them since `work.since`."""
        ...

    async def caught_up(self, shown: Shown) -> None:
        """The new board is complete up to what was shown then."""
        ...

    async def compare(self) -> Compared: ...

    async def finish(self, ending: Ending) -> None:
        """To be done while the game is held."""
        ...


class Builds(Protocol):
    def claim(self) -> AbstractAsyncContextManager[Build | None]:
        """Take the oldest work that nobody carries out; None when there is none.

        An outage leaves the work to the next try; a mistake of ours does so a few times, then it is given up.
        """
        ...
