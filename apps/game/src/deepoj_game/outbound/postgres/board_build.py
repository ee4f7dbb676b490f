"""A board built beside the one that is shown: its log comes from record and from the log that is shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final
from uuid import UUID

import msgspec

from deepoj_domain.game.decision import Recompute
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import RELOAD
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.game.work import Stage
from deepoj_domain.kernel.ids import AccountId, WorkId
from deepoj_game.commands.builds import Claimed, Compared, Ending, Lines, Shown
from deepoj_game.commands.ports import Log, NewId, Rescored, Ruling
from deepoj_game.outbound.postgres.board_rows import decode_row, replace_rows
from deepoj_game.outbound.postgres.facts import LOGGED_COLUMNS, FactRow, facts_of_accounts
from deepoj_game.outbound.postgres.game_lock import (
    BoardRef,
    LockedGame,
    changed_since,
    lock_game,
    read_counter,
)
from deepoj_game.outbound.postgres.games import CachedGame, GameCache, update_game
from deepoj_game.outbound.postgres.people import everybody, find_participants, participant_of
from deepoj_game.outbound.postgres.tables import FACTS, listed, typed
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
# A new board has no statistics, and without them the planner reads all of it for one row.
_ANALYZE: Final = "ANALYZE game.facts, game.rows, game.cells"

_COLUMNS: Final = listed(LOGGED_COLUMNS)
# The lines of record have the columns of a fact, in their order.
_PREPARE: Final = f"""
CREATE TEMPORARY TABLE IF NOT EXISTS incoming ({typed(FACTS, FactRow._fields)}) ON COMMIT DELETE ROWS
""".encode()
_COPY: Final = "COPY incoming FROM STDIN"
# The planner knows nothing of what has just come in; row by row is right whatever there is.
_BY_INDEX: Final = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"
# A fact that the shown log has as well keeps its number and the time it became known. Who never took part has
# no score; of a final result only virtual participants are read, the others stay as they are.
_ADD: Final = f"""
INSERT INTO game.facts (log_id, {_COLUMNS})
SELECT %(new)s, n.submission_id, n.cancelled OR n.verdict IS NOT NULL, n.origin_id, n.account_id,
    n.question_id, n.submitted_us, coalesce(s.known_us, n.known_us), n.verdict, n.score_micros, n.groups,
    n.cancelled, s.sequence
FROM incoming n
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = n.account_id
LEFT JOIN game.facts s ON s.log_id = %(shown)s AND s.submission_id = n.submission_id
    AND s.decided = (n.cancelled OR n.verdict IS NOT NULL) AND s.submitted_us = n.submitted_us
    AND s.verdict IS NOT DISTINCT FROM n.verdict AND s.score_micros = n.score_micros AND s.groups = n.groups
    AND s.cancelled = n.cancelled
WHERE n.question_id = ANY (%(questions)s) AND (NOT %(final)s OR p.kind = 'virtual')
ON CONFLICT DO NOTHING
""".encode()  # noqa: S608 — composed of constants
# A rejudge is not another submission.
_READ: Final = "SELECT count(*) FROM incoming WHERE submission_id = origin_id"
_KEEP_FINAL: Final = f"""
INSERT INTO game.facts (log_id, {_COLUMNS})
SELECT %(new)s, {listed(LOGGED_COLUMNS, of="f")} FROM game.facts f
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = f.account_id AND p.kind <> 'virtual'
WHERE f.log_id = %(shown)s ON CONFLICT DO NOTHING
""".encode()  # noqa: S608 — same
_CATCH_UP: Final = f"""
INSERT INTO game.facts (log_id, {_COLUMNS})
SELECT %(new)s, {_COLUMNS} FROM game.facts
WHERE log_id = %(shown)s AND account_id = ANY (%(accounts)s) AND sequence > %(since)s ON CONFLICT DO NOTHING
""".encode()  # noqa: S608 — same
_ROWS: Final = """
SELECT r.account_id, p.kind, r.full_row, p.display_name FROM game.rows r
JOIN game.participants p ON p.game_id = %s AND p.account_id = r.account_id WHERE r.board_id = %s
"""
# The fact that holds of each submission, as `Fact.weight` has it.
_HEADS: Final = """
SELECT DISTINCT ON (origin_id) origin_id, submission_id, account_id, question_id, submitted_us, verdict,
    score_micros, groups, cancelled
FROM game.facts WHERE log_id = %({log})s AND (%(only)s::uuid IS NULL OR account_id = %(only)s)
ORDER BY origin_id, known_us DESC, decided DESC, submission_id DESC
"""
_CORRECTED: Final = """
SELECT (SELECT submissions FROM game.work WHERE id = %(work)s), count(*)
FROM ({new}) AS n FULL JOIN ({shown}) AS s ON s.origin_id = n.origin_id
WHERE (n.submission_id, n.account_id, n.question_id, n.submitted_us, n.verdict, n.score_micros, n.groups,
    n.cancelled) IS DISTINCT FROM (s.submission_id, s.account_id, s.question_id, s.submitted_us, s.verdict,
    s.score_micros, s.groups, s.cancelled)
""".format(new=_HEADS.format(log="new"), shown=_HEADS.format(log="shown")).encode()  # noqa: S608 — same
# One participant's in the place of those that are shown.
_REPLACE: Final = tuple(
    (f"DELETE FROM game.{table} WHERE {column} = %(shown)s AND account_id = %(only)s".encode(),  # noqa: S608 — same
     f"UPDATE game.{table} SET {column} = %(shown)s WHERE {column} = %(new)s".encode())  # noqa: S608 — same
    for table, column in (("rows", "board_id"), ("cells", "board_id"), ("facts", "log_id"))
)  # fmt: skip


class PostgresBuild:
    def __init__(
        self,
        connection: Connection,
        cache: GameCache,
        work_id: WorkId,
        claimed: Claimed,
        board: BoardRef,
        ruling: Ruling,
        new_id: NewId,
    ) -> None:
        self.work = claimed
        self._connection = connection
        self._cache = cache
        self._id = work_id
        self._board = board
        self._ruling = ruling
        self._new_id = new_id
        self._shown = board
        self._held: LockedGame | None = None

    @asynccontextmanager
    async def step(self) -> AsyncIterator[None]:
        stage = self.work.stage
        async with self._connection.transaction():
            yield
        fail_point(f"work_{stage}")

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[Shown]:
        async with self._connection.transaction():
            held = await lock_game(self._connection, self._cache, self.work.game_id)
            if held is None:
                raise LookupError(f"game {self.work.game_id} has no board")
            self._held, self._shown = held, held.board
            yield _shown(held.cached, held.counter.sequence)
            await held.flush()
            fail_point("work_switching")

    async def shown(self) -> Shown:
        counter = await read_counter(self._connection, self.work.game_id)
        if counter is None:
            raise LookupError(f"game {self.work.game_id} has no board")
        self._shown = counter.board
        cached = await self._cache.load(self._connection, self.work.game_id, counter.version)
        return _shown(cached, counter.sequence)

    async def enter(self, stage: Stage, total: int = 0, version: int | None = None) -> None:
        await self._connection.execute(_ENTER, (stage, total, version, self._id))
        self.work = replace(self.work, stage=stage, position="", version=version)

    async def advance(self, position: str, done: int, submissions: int = 0) -> None:
        await self._connection.execute(_ADVANCE, (position, done, submissions, done, self._id))
        self.work = replace(self.work, position=position)

    async def keep_final(self) -> None:
        await self._connection.execute(_KEEP_FINAL, {**self._logs(), "game": self.work.game_id})

    async def add(self, game: Game, lines: Lines) -> int:
        await self._connection.execute(_PREPARE)
        await self._connection.execute(_BY_INDEX)
        async with self._connection.cursor().copy(_COPY) as copy:
            await copy.write(lines.text)
        questions, final = list(game.plan.questions()), game.plan.schedule.finalized_at is not None
        parameters = {**self._logs(), "game": game.id, "questions": questions, "final": final}
        await self._connection.execute(_ADD, parameters)
        row = await (await self._connection.execute(_READ)).fetchone()
        return 0 if row is None else row[0]

    async def everybody(self) -> list[AccountId]:
        return await everybody(self._connection, self.work.game_id)

    async def log(self, accounts: Sequence[AccountId]) -> Log:
        people = await find_participants(self._connection, self.work.game_id, accounts)
        facts = await facts_of_accounts(self._connection, self._board.log_id, accounts)
        return Log([participant_of(each) for each in people], facts)

    async def put(self, rules: Rules, rescored: Rescored) -> None:
        await replace_rows(self._connection, self._board, rules, rescored.accounts, rescored.rows)

    async def changed(self) -> frozenset[AccountId] | None:
        return await changed_since(self._connection, self.work.game_id, self.work.since)

    async def catch_up(self, accounts: Collection[AccountId]) -> None:
        if self._board.log_id != self._shown.log_id:
            parameters = {**self._logs(), "since": self.work.since, "accounts": list(accounts)}
            await self._connection.execute(_CATCH_UP, parameters)

    async def caught_up(self, shown: Shown) -> None:
        await self._connection.execute(_CAUGHT_UP, (shown.sequence, shown.version, self._id))
        if self.work.stage is not Stage.SWITCHING:
            await self._connection.execute(_ANALYZE)
        self.work = replace(self.work, stage=Stage.SWITCHING, since=shown.sequence, version=shown.version)

    async def compare(self) -> Compared:
        shown, names = await self._rows(self._shown)
        new, more = await self._rows(self._board)
        parameters = {**self._logs(), "only": self._only, "work": self._id}
        row = await (await self._connection.execute(_CORRECTED, parameters)).fetchone()
        submissions, corrected = (0, 0) if row is None else row
        return Compared(
            shown=shown, new=new, names=names | more, corrected=corrected, submissions=submissions
        )

    async def finish(self, ending: Ending) -> None:
        held, connection, at = self._held, self._connection, ending.at
        if held is None:
            raise LookupError("work ends while its game is held")
        if ending.game is not None:
            await update_game(connection, held.game, ending.game, ending.password_hash, at)
            held.game_changed()
        if not ending.refused:
            # Also when nothing differs: who sees a part of the board must not learn of the rest by it.
            held.tell(RELOAD, at)
        if ending.replaces:
            await self._replace(held)
        result = None if ending.result is None else msgspec.json.encode(ending.result).decode()
        outcome = "refused" if ending.refused else "done"
        await connection.execute(_FINISH, (outcome, at, ending.refused, result, self._id))
        if not ending.refused:
            ruling = self._ruling
            await write_audit(
                connection, self._new_id(), self.work.game_id, ruling.by, at, ruling.action, ruling.reason,
                ending.details,
            )  # fmt: skip

    async def _replace(self, held: LockedGame) -> None:
        if self._only is None:
            held.show(self._board)
            return
        boards: dict[str, object] = {"shown": held.board.id, "new": self._board.id, "only": self._only}
        logs: dict[str, object] = {**self._logs(), "only": self._only}
        for statements, parameters in zip(_REPLACE, (boards, boards, logs), strict=True):
            for statement in statements:
                await self._connection.execute(statement, parameters)

    async def _rows(self, board: BoardRef) -> tuple[list[Row], dict[AccountId, str]]:
        cursor = await self._connection.execute(_ROWS, (self.work.game_id, board.id))
        # In a thread: ten thousand rows take a second.
        return await asyncio.to_thread(_decoded, [(*row,) for row in await cursor.fetchall()])

    def _logs(self) -> dict[str, object]:
        return {"new": self._board.log_id, "shown": self._shown.log_id}

    @property
    def _only(self) -> AccountId | None:
        return self.work.task.account_id if isinstance(self.work.task, Recompute) else None


def _shown(cached: CachedGame, sequence: int) -> Shown:
    return Shown(
        game=cached.game,
        password_hash=cached.password_hash,
        version=cached.version,
        sequence=sequence,
    )


def _decoded(stored: Sequence[tuple[UUID, str, str, str]]) -> tuple[list[Row], dict[AccountId, str]]:
    rows = [decode_row(AccountId(who), ParticipantKind(kind), text) for who, kind, text, _ in stored]
    return rows, {AccountId(who): name for who, _, _, name in stored}
