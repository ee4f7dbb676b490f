"""Carry out work that takes long: a recompute, or a ruling from which many scores follow.

A board is built beside the one that is shown and takes its place at once. Each step is committed with how far
the work has come, so whoever carries on after a kill begins there; what happens to the game meanwhile is
caught up with before the new board is shown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.game.decision import Recompute, Task
from deepoj_domain.game.work import Stage
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId


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


class Build(Protocol):
    """A board that is being built, by this process alone."""

    @property
    def game_id(self) -> GameId: ...

    @property
    def task(self) -> Task: ...

    @property
    def stage(self) -> Stage: ...

    @property
    def position(self) -> str: ...

    async def questions(self) -> Sequence[QuestionId]: ...

    async def read(self, total: int) -> None:
        """Enter the stage, unless it was entered before."""
        ...

    async def add(self, lines: Lines) -> None: ...

    async def score(self) -> None:
        """Score everybody, from where it was left."""
        ...

    async def take_place(self) -> None:
        """Catch up with the board that is shown and be the one that is, the game changed with it."""
        ...


class Builds(Protocol):
    def claim(self) -> AbstractAsyncContextManager[Build | None]:
        """Take the oldest work that nobody carries out; None when there is none."""
        ...


class CarryOut:
    def __init__(self, builds: Builds, records: Records) -> None:
        self._builds = builds
        self._records = records

    async def __call__(self) -> bool:
        """Tell whether there was something to do."""
        async with self._builds.claim() as build:
            if build is None:
                return False
            if isinstance(build.task, Recompute) and build.stage in {Stage.WAITING, Stage.READING}:
                await self._read(build, build.task.account_id)
            await build.score()
            await build.take_place()
        return True

    async def _read(self, build: Build, account_id: AccountId | None) -> None:
        total = 0
        if account_id is None and build.stage is Stage.WAITING:
            total = await self._records.count(build.game_id, await build.questions())
        await build.read(total)
        async for lines in self._records.pages(build.game_id, account_id, build.position):
            await build.add(lines)
