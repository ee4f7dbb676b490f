"""Log and board anew from the records: the admin's remedy when events were lost.

The new board is built beside the one that is shown and takes its place at once. Events that arrive meanwhile
are taken over under the game's lock; killed half-way, nothing has changed.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from deepoj_domain.game.scoring.diff import RankChange
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_admin
from deepoj_game.commands.ports import CommandRefusal, Games, Journal, Ruling


@dataclass(frozen=True, slots=True)
class Progress:
    submissions_read: int
    submissions_total: int
    """0 while it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    changes: tuple[RankChange, ...]
    labels: tuple[str, ...]
    names: dict[AccountId, str]
    corrected: int
    """Submissions that the log had missed, or had otherwise than the records."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    submissions: int
    rebuilt: Rebuilt


class Records(Protocol):
    def pages(self, game_id: GameId, account_id: AccountId | None) -> AsyncIterator[Sequence[Fact]]:
        """Return what record knows of the submissions to a game, oldest first, some hundred at a time."""
        ...

    async def count(self, game_id: GameId, questions: Sequence[QuestionId]) -> int: ...


class Rebuilding(Protocol):
    async def add(self, facts: Sequence[Fact]) -> None: ...

    async def take_place(self, ruling: Ruling) -> Rebuilt:
        """Score it, catch up with the board that is shown, and be the one that is."""
        ...


class Rebuilds(Protocol):
    def begin(
        self, game_id: GameId, only: AccountId | None
    ) -> AbstractAsyncContextManager[Rebuilding | None]:
        """None when one is under way already. Leaving the block throws away what has not taken its place."""
        ...


class Recompute:
    def __init__(self, games: Games, rebuilds: Rebuilds, records: Records, journal: Journal) -> None:
        self._games = games
        self._rebuilds = rebuilds
        self._records = records
        self._journal = journal

    async def __call__(
        self, actor: Actor, game_id: GameId, account_id: AccountId | None
    ) -> AsyncGenerator[Progress | Recomputed | Refused[StrEnum], None]:
        questions = await self._questions(actor, game_id)
        if isinstance(questions, Refused):
            yield questions
            return
        async with self._rebuilds.begin(game_id, account_id) as building:
            if building is None:
                yield Refused(CommandRefusal.RECOMPUTE_RUNNING)
                return
            total = 0 if account_id is not None else await self._records.count(game_id, questions)
            read: set[object] = set()
            async for facts in self._records.pages(game_id, account_id):
                await building.add([fact for fact in facts if fact.question_id in questions])
                read.update(fact.origin_id for fact in facts)
                yield Progress(len(read), max(total, len(read)) if total else 0)
            whose = {} if account_id is None else {"account_id": str(account_id)}
            ruling = Ruling(by=actor.account_id, action="recompute", details=whose)
            rebuilt = await building.take_place(ruling)
        self._journal.changed("recompute", game_id, actor.account_id)
        yield Recomputed(len(read), rebuilt)

    async def _questions(
        self, actor: Actor, game_id: GameId
    ) -> Sequence[QuestionId] | Refused[CommandRefusal]:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            return why_not_admin(opened.game, actor) or sorted(opened.game.plan.questions())
