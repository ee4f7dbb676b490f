"""A board built beside the one that is shown, step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from deepoj_domain.game.decision import Edit, Recompute, Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import RELOAD
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import score_all
from deepoj_domain.game.work import Rebuilt, Stage
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, WorkId
from deepoj_domain.kernel.outcome import Refused
from deepoj_game.commands.carry_out_work import Lines
from deepoj_game.commands.ports import Clock, NewId
from deepoj_game.outbound.postgres import build_log
from deepoj_game.outbound.postgres.board_comparison import compared
from deepoj_game.outbound.postgres.board_rows import replace_rows
from deepoj_game.outbound.postgres.facts import facts_of_accounts
from deepoj_game.outbound.postgres.game_lock import (
    BoardRef,
    LockedGame,
    changed_since,
    lock_game,
    read_counter,
)
from deepoj_game.outbound.postgres.games import CachedGame, GameCache, update_game
from deepoj_game.outbound.postgres.participants import everybody, find_participants, participant_of
from deepoj_game.outbound.postgres.work import write_audit
from deepoj_kit.failpoint import fail_point
from deepoj_kit.postgres import Connection

_ENTER: Final = (
    "UPDATE game.work SET stage = %s, position = '', done = 0, total = %s, version = %s WHERE id = %s"
)
_ADVANCE: Final = """
UPDATE game.work SET position = %s, done = done + %s, submissions = submissions + %s, attempts = 1,
    error = '',
    total = CASE WHEN total = 0 THEN 0 ELSE greatest(total, done + %s) END
WHERE id = %s
"""
_CAUGHT_UP: Final = "UPDATE game.work SET stage = 'switching', since = %s, version = %s WHERE id = %s"
_FINISH: Final = """
UPDATE game.work SET outcome = %s, finished_at = %s, error = %s, result = %s WHERE id = %s
"""
_SUBMISSIONS: Final = "SELECT submissions FROM game.work WHERE id = %s"
# A new board has no statistics, and without them the planner reads all of it for one row.
_ANALYZE: Final = "ANALYZE game.facts, game.rows, game.cells"
_CHUNK: Final = 200
# So many participants are scored again while the game's counter is held, and no more.
_FEW: Final = 20


@dataclass(slots=True, kw_only=True)
class Claimed:
    id: WorkId
    game_id: GameId
    task: Task
    stage: str
    position: str
    attempts: int
    board: BoardRef
    since: int
    version: int | None
    by: AccountId
    reason: str


@dataclass(frozen=True, slots=True)
class Head:
    """What the game shows now."""

    sequence: int
    board: BoardRef
    cached: CachedGame


class PostgresBuild:
    def __init__(
        self,
        connection: Connection,
        cache: GameCache,
        claimed: Claimed,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._connection = connection
        self._cache = cache
        self._work = claimed
        self._clock = clock
        self._new_id = new_id

    @property
    def game_id(self) -> GameId:
        return self._work.game_id

    @property
    def task(self) -> Task:
        return self._work.task

    @property
    def stage(self) -> Stage:
        return Stage(self._work.stage)

    @property
    def position(self) -> str:
        return self._work.position

    async def questions(self) -> Sequence[QuestionId]:
        return sorted((await self._head()).cached.game.plan.questions())

    async def read(self, total: int) -> None:
        head = await self._head()
        if self.stage is Stage.WAITING:
            async with self._connection.transaction():
                await self._enter(Stage.READING, total, None)
                if _is_final(head):
                    await build_log.keep_final(
                        self._connection, self.game_id, head.board.log_id, self._work.board.log_id
                    )
        await build_log.prepare(self._connection)

    async def add(self, lines: Lines) -> None:
        head = await self._head()
        async with self._connection.transaction():
            read = await build_log.add(
                self._connection,
                lines.text,
                game=head.cached.game,
                shown=head.board.log_id,
                log_id=self._work.board.log_id,
                final=_is_final(head),
            )
            await self._connection.execute(_ADVANCE, (lines.next, read, read, read, self._work.id))
            if not lines.next:
                await self._enter(Stage.SCORING, 0, None)
        fail_point("work_reading")

    async def score(self) -> None:
        """The rules are those that the game will have."""
        head = await self._head()
        rules = self._rules_after(head.cached.game)
        accounts = await self._everybody()
        if self.stage is not Stage.SCORING or self._work.version != head.cached.version:
            await self._enter(Stage.SCORING, len(accounts), head.cached.version)
        remaining = [account for account in accounts if str(account) > self.position]
        for start in range(0, len(remaining), _CHUNK):
            chunk = remaining[start : start + _CHUNK]
            async with self._connection.transaction():
                await self._rescore(self._work.board, rules, chunk)
                position = str(chunk[-1])
                await self._connection.execute(_ADVANCE, (position, len(chunk), 0, len(chunk), self._work.id))
            fail_point("work_scoring")

    async def take_place(self) -> None:
        head = await self._caught_up()
        await self._connection.execute(_ANALYZE)
        rebuilt = None
        if isinstance(self.task, Recompute):
            rebuilt = await self._compared(head)
        while not await self._switched(rebuilt):
            await self._caught_up()

    async def _compared(self, head: Head) -> Rebuilt:
        row = await (await self._connection.execute(_SUBMISSIONS, (self._work.id,))).fetchone()
        submissions = 0 if row is None else row[0]
        only = self.task.account_id if isinstance(self.task, Recompute) else None
        return await compared(
            self._connection, head.cached.game, head.board, self._work.board, only, submissions
        )

    async def _caught_up(self) -> Head:
        """Catch up until little is left to do while the counter is held."""
        while True:
            head = await self._head()
            accounts = await self._behind()
            async with self._connection.transaction():
                await self._follow(head, accounts)
                values = (head.sequence, head.cached.version, self._work.id)
                await self._connection.execute(_CAUGHT_UP, values)
            self._work.since, self._work.version = head.sequence, head.cached.version
            if len(accounts) <= _FEW:
                return head

    async def _behind(self) -> list[AccountId]:
        """Find whose score on this board may not be what it should be."""
        changed = await changed_since(self._connection, self.game_id, self._work.since)
        if changed is None:
            return await self._everybody()
        return sorted(changed if self._only is None else changed & {self._only})

    async def _follow(self, head: Head, accounts: Sequence[AccountId]) -> None:
        rules = self._rules_after(head.cached.game)
        if self._work.board.log_id != head.board.log_id:
            await build_log.catch_up(
                self._connection, head.board.log_id, self._work.board.log_id, self._work.since, accounts
            )
        await self._rescore(self._work.board, rules, accounts)

    async def _switched(self, rebuilt: Rebuilt | None) -> bool:
        """Tell whether it is over; not so when too much has happened since the last look."""
        async with self._connection.transaction():
            locked, now = await lock_game(self._connection, self._cache, self.game_id), self._clock()
            if locked is None:
                raise LookupError(f"game {self.game_id} has no board")
            head = Head(locked.counter.sequence, locked.board, locked.cached)
            accounts = await self._behind()
            if len(accounts) > _FEW:
                return False
            refused = await self._decide(locked, now)
            if refused is None:
                # Also when nothing differs: who sees a part of the board must not learn of the rest by it.
                locked.tell(RELOAD, now)
            if refused is None and (rebuilt is None or rebuilt.rows_changed or rebuilt.corrected):
                await self._follow(head, accounts)
                await self._show(locked)
            await self._finish(refused, rebuilt, now)
            await locked.flush()
            fail_point("work_switching")
        return True

    async def _decide(self, locked: LockedGame, now: datetime) -> Refused[GameRefusal] | None:
        """Change the game as it was asked for, if it still allows that."""
        if isinstance(self.task, Recompute):
            return None
        outcome = self.task.decide(locked.game, now)
        if isinstance(outcome, Refused):
            return outcome
        kept = locked.cached.password_hash
        hashed = self.task.password_hash if isinstance(self.task, Edit) else kept
        await update_game(self._connection, locked.game, outcome, hashed, now)
        locked.game_changed()
        return None

    async def _show(self, locked: LockedGame) -> None:
        if self._only is None:
            locked.show(self._work.board)
            return
        await build_log.replace(self._connection, locked.board.log_id, self._work.board.log_id, self._only)
        await self._rescore(locked.board, locked.rules, [self._only])

    async def _finish(
        self, refused: Refused[GameRefusal] | None, rebuilt: Rebuilt | None, now: datetime
    ) -> None:
        outcome, error = ("done", "") if refused is None else ("refused", str(refused.reason))
        result = None if rebuilt is None else msgspec.json.encode(rebuilt).decode()
        await self._connection.execute(_FINISH, (outcome, now, error, result, self._work.id))
        if refused is None:
            work, details = self._work, {**self.task.details(), **_details(rebuilt)}
            await write_audit(
                self._connection, self._new_id(), work.game_id, work.by, now, work.task.kind, work.reason,
                details,
            )  # fmt: skip

    async def _head(self) -> Head:
        counter = await read_counter(self._connection, self.game_id)
        if counter is None:
            raise LookupError(f"game {self.game_id} has no board")
        cached = await self._cache.load(self._connection, self.game_id, counter.version)
        return Head(counter.sequence, counter.board, cached)

    async def _enter(self, stage: Stage, total: int, version: int | None) -> None:
        await self._connection.execute(_ENTER, (stage, total, version, self._work.id))
        self._work.stage, self._work.position, self._work.version = stage, "", version

    async def _everybody(self) -> list[AccountId]:
        only = self._only
        return await everybody(self._connection, self.game_id) if only is None else [only]

    async def _rescore(self, board: BoardRef, rules: Rules, accounts: Sequence[AccountId]) -> None:
        """Who has withdrawn, or never took part, has no row."""
        for start in range(0, len(accounts), _CHUNK):
            chunk = accounts[start : start + _CHUNK]
            found = await find_participants(self._connection, self.game_id, chunk)
            facts = await facts_of_accounts(self._connection, board.log_id, chunk)
            # In a thread: thousands may be scored in one go, and others want their turn.
            rows = await asyncio.to_thread(score_all, rules, map(participant_of, found), facts)
            await replace_rows(self._connection, board, rules, chunk, rows)

    def _rules_after(self, game: Game) -> Rules:
        """Return the rules that the game will have; those it has when it would refuse."""
        if isinstance(self.task, Recompute):
            return rules_of(game)
        outcome = self.task.decide(game, self._clock())
        return rules_of(game if isinstance(outcome, Refused) else outcome)

    @property
    def _only(self) -> AccountId | None:
        return self.task.account_id if isinstance(self.task, Recompute) else None


def _details(rebuilt: Rebuilt | None) -> dict[str, object]:
    if rebuilt is None:
        return {}
    changes = [
        {
            "account_id": str(change.account_id),
            "before": change.before.rank if change.before else None,
            "after": change.after.rank if change.after else None,
            "reason": change.reason,
        }
        for change in rebuilt.changes
    ]
    return {
        "facts_corrected": rebuilt.corrected,
        "rows_changed": rebuilt.rows_changed,
        "changes": changes,
    }


def _is_final(head: Head) -> bool:
    return head.cached.game.plan.schedule.finalized_at is not None
