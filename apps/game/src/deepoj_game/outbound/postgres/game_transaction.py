"""One game in the transaction that holds its counter, for the commands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.decision import Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.new_facts import CellKey, NewFacts, Situation, cell_of
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, SubmissionId, WorkId
from deepoj_game.commands.ports import Entrant, GameWrite, Log, NewId, Ruling
from deepoj_game.outbound.postgres.board_rows import read_situation, replace_rows, write_rows
from deepoj_game.outbound.postgres.facts import accounts_touched, count_facts, facts_of_accounts, undecided
from deepoj_game.outbound.postgres.game_lock import LockedGame, lock_game
from deepoj_game.outbound.postgres.games import GameCache, insert_first_board, insert_game, update_game
from deepoj_game.outbound.postgres.people import (
    find_clarification,
    find_participants,
    participant_of,
    put_clarification,
    put_participant,
)
from deepoj_game.outbound.postgres.work import begin_work, work_under_way, write_audit
from deepoj_kit.clock import Clock
from deepoj_kit.inbox import Inbox
from deepoj_kit.postgres import Database

_CONSUMER: Final = "board"
_MOST_UNDECIDED: Final = 10_000
_PASSWORD: Final = "SELECT password_hash FROM game.games WHERE id = %s AND deleted_at IS NULL"  # noqa: S105 — SQL
_ENTERED: Final = "SELECT game_id FROM game.participants WHERE account_id = %s ORDER BY game_id"


@dataclass(frozen=True, slots=True)
class Tell:
    """Called after a commit that changed a board, or left work to be carried out."""

    changed: Callable[[], None]
    begun: Callable[[], None]


class PostgresGames:
    def __init__(
        self,
        database: Database,
        inbox: Inbox,
        cache: GameCache,
        *,
        clock: Clock,
        new_id: NewId,
        tell: Tell,
    ) -> None:
        self._database = database
        self._inbox = inbox
        self._cache = cache
        self._clock = clock
        self._new_id = new_id
        self._tell = tell

    @asynccontextmanager
    async def open(self, game_id: GameId) -> AsyncIterator[PostgresOpenGame | None]:
        async with self._database.transaction() as connection:
            locked = await lock_game(connection, self._cache, game_id)
            if locked is None:
                yield None
                return
            opened = PostgresOpenGame(locked, self._inbox, self._new_id)
            yield opened
            await locked.flush()
        if locked.has_changed:
            self._tell.changed()
        if opened.begun:
            self._tell.begun()

    async def add(self, game: Game, *, password_hash: str | None) -> bool:
        async with self._database.transaction() as connection:
            if not await insert_game(connection, game, password_hash):
                return False
            await insert_first_board(connection, game, self._new_id(), self._clock())
        return True

    async def password_hash(self, game_id: GameId) -> str | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_PASSWORD, (game_id,))).fetchone()
        return None if row is None else row[0]

    async def entered_by(self, account_id: AccountId) -> Sequence[GameId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_ENTERED, (account_id,))).fetchall()
        return [GameId(game_id) for (game_id,) in rows]


class PostgresOpenGame:
    def __init__(self, locked: LockedGame, inbox: Inbox, new_id: NewId) -> None:
        self.begun = False
        self._locked = locked
        self._connection = locked.connection
        self._inbox = inbox
        self._new_id = new_id

    @property
    def game(self) -> Game:
        return self._locked.game

    @property
    def version(self) -> int:
        return self._locked.counter.version

    @property
    def password_hash(self) -> str | None:
        return self._locked.cached.password_hash

    async def entrant(self, account_id: AccountId) -> Entrant | None:
        found = await find_participants(self._connection, self.game.id, [account_id])
        return Entrant(participant_of(found[0]), found[0].display_name) if found else None

    async def clarification(self, clarification_id: ClarificationId) -> Clarification | None:
        return await find_clarification(self._connection, clarification_id)

    async def log(self, touched: Touched, most: int | None = None) -> Log | None:
        connection, log_id = self._connection, self._locked.board.log_id
        accounts = await accounts_touched(connection, self.game.id, log_id, touched)
        if most is not None and (
            len(accounts) > most or await count_facts(connection, log_id, accounts, most) > most
        ):
            return None
        people = await find_participants(connection, self.game.id, accounts)
        facts = await facts_of_accounts(connection, log_id, accounts)
        return Log([participant_of(each) for each in people], facts)

    async def undecided(self) -> Sequence[SubmissionId]:
        locked = self._locked
        log_id, clock = locked.board.log_id, locked.rules.clock
        found = await undecided(self._connection, locked.game, log_id, clock, _MOST_UNDECIDED)
        return [SubmissionId(each.origin_id) for each in found]

    async def situation(
        self, message_ids: Sequence[str], cells: Collection[CellKey]
    ) -> tuple[frozenset[str], Situation]:
        unseen = await self._inbox.first_times(self._connection, _CONSUMER, message_ids)
        return frozenset(unseen), await read_situation(self._locked, cells)

    async def under_way(self) -> tuple[WorkId, Task] | None:
        return await work_under_way(self._connection, self.game.id)

    async def begin(self, task: Task, ruling: Ruling, now: datetime) -> WorkId | None:
        work_id = WorkId(self._new_id())
        begun = await begin_work(self._connection, work_id, self.game.id, task, ruling, now)
        self.begun = self.begun or begun
        return work_id if begun else None

    async def write(self, write: GameWrite) -> None:
        connection, locked, at = self._connection, self._locked, write.at
        rules = locked.rules
        if write.game is not None:
            await update_game(connection, self.game, write.game, write.password_hash, at)
            locked.game_changed()
            rules = rules_of(write.game)
        if write.entrant is not None:
            await put_participant(connection, write.entrant.participant, write.entrant.display_name)
        if write.clarification is not None:
            await put_clarification(connection, write.clarification)
        if write.new_facts is not None:
            await self._add(write.new_facts, at)
        if write.rescored is not None:
            accounts, rows = write.rescored.accounts, write.rescored.rows
            await replace_rows(connection, locked.board, rules, accounts, rows)
        for notice in write.notices:
            locked.tell(notice, at)
        if write.ruling is not None:
            ruling = write.ruling
            await write_audit(
                connection, self._new_id(), self.game.id, ruling.by, at, ruling.action, ruling.reason,
                ruling.details,
            )  # fmt: skip

    async def _add(self, new: NewFacts, at: datetime) -> None:
        locked = self._locked
        facts = [(fact, locked.tell(notice, at)) for fact, notice in new.facts]
        touched = {cell_of(fact) for fact, _ in new.facts}
        await write_rows(self._connection, locked.board, locked.rules, new.rows, touched, facts)
        for notice in new.notices:
            locked.tell(notice, at)
