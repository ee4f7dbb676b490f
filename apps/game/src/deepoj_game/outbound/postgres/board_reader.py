"""Boards and their logs as the queries see them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.fact import Fact, moment
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.paging import MAX_SIZE, Page, PageRequest, Position
from deepoj_game.outbound.postgres.board_pages import BoardPages
from deepoj_game.outbound.postgres.facts import (
    LoggedRow,
    facts_of_accounts,
    senders_of,
    submissions_of,
    undecided,
)
from deepoj_game.outbound.postgres.game_lock import BoardRef, changed_since
from deepoj_game.outbound.postgres.people import (
    CLARIFICATION_COLUMNS,
    PARTICIPANT_COLUMNS,
    ClarificationRow,
    ParticipantRow,
    clarification_of,
    participant_of,
)
from deepoj_game.queries.ports import EVERYTHING, Ranked, Side
from deepoj_game.queries.views import Change, EntrantView, LoggedSubmission
from deepoj_kit.postgres import Connection, Database

_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
# Viewers count the changes they are told of: all; those for everybody; or these and some of their own.
_NUMBER: Final = """CASE WHEN %(everything)s THEN {of}.sequence ELSE {of}.public_sequence + (
    SELECT count(*) FROM game.changes o
    WHERE o.game_id = {of}.game_id AND o.own_id = %(own)s AND o.sequence <= {of}.sequence) END"""
_HEAD: Final = f"""
SELECT c.sequence, {_NUMBER.format(of="c")}, c.board_id, c.log_id
FROM game.counters c WHERE c.game_id = %(game)s
"""  # noqa: S608 — constants
_CHANGES: Final = f"""
SELECT h.sequence, {_NUMBER.format(of="h")}, h.kind, h.account_id, {CLARIFICATION_COLUMNS}
FROM game.changes h LEFT JOIN game.clarifications k ON k.id = h.clarification_id
WHERE h.game_id = %(game)s AND h.sequence > %(after)s
  AND (%(everything)s OR h.public OR h.own_id = %(own)s)
ORDER BY h.sequence LIMIT %(limit)s
"""  # noqa: S608 — constants
# The last change that a viewer who has seen `number` of them has seen.
_PLACE: Final = """
WITH own AS (
    SELECT sequence, public_sequence + row_number() OVER (ORDER BY sequence) AS number
    FROM game.changes WHERE game_id = %(game)s AND own_id = %(own)s
), seen AS (SELECT count(*) AS own, max(sequence) AS last FROM own WHERE number <= %(number)s)
SELECT greatest(seen.last, (
    SELECT sequence FROM game.changes
    WHERE game_id = %(game)s AND public AND public_sequence = %(number)s - seen.own), 0) FROM seen
"""
_ENTRANTS: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p
WHERE p.game_id = %(game)s AND p.account_id > %(after)s AND NOT p.withdrawn
  AND (%(only)s::uuid[] IS NULL OR p.account_id = ANY(%(only)s))
ORDER BY p.account_id LIMIT %(limit)s
"""  # noqa: S608 — constants
_PARTICIPANTS: Final = "SELECT count(*) FROM game.participants WHERE game_id = %s AND NOT withdrawn"
_CHUNK: Final = 200
_MOST_LISTED: Final = 1000


class PostgresBoards:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, game: Game, side: Side, page: PageRequest) -> tuple[Page[Ranked], int]:
        async with self._snapshot(game.id, side) as head:
            return await BoardPages(head.connection, head.board.id, game, side).page(page), head.number

    async def rows(
        self, game: Game, side: Side, accounts: Collection[AccountId]
    ) -> Mapping[AccountId, Ranked]:
        async with self._snapshot(game.id, side) as head:
            return await BoardPages(head.connection, head.board.id, game, side).rows(accounts)

    async def around(self, game: Game, side: Side, account_id: AccountId) -> Sequence[Ranked]:
        async with self._snapshot(game.id, side) as head:
            return await BoardPages(head.connection, head.board.id, game, side).around(account_id)

    async def all(self, game: Game, side: Side) -> AsyncIterator[Ranked]:
        async with self._snapshot(game.id, side) as head:
            pages = BoardPages(head.connection, head.board.id, game, side)
            after: Position | None = None
            while True:
                page = await pages.page(PageRequest(MAX_SIZE, after))
                for each in page.items:
                    yield each
                if page.next is None:
                    return
                after = page.next

    async def sequence(self, game_id: GameId) -> int:
        async with self._database.connection() as connection:
            return (await _head(connection, game_id, EVERYTHING)).sequence

    async def number(self, game_id: GameId, side: Side) -> int:
        async with self._database.connection() as connection:
            return (await _head(connection, game_id, side)).number

    async def place(self, game_id: GameId, side: Side, number: int) -> int | None:
        async with self._database.connection() as connection:
            if number > (await _head(connection, game_id, side)).number:
                return None
            if side.with_hidden:
                return number
            parameters = {"game": game_id, "own": side.own, "number": number}
            row = await (await connection.execute(_PLACE, parameters)).fetchone()
        return 0 if row is None else row[0]

    async def changes(self, game_id: GameId, side: Side, after: int, limit: int) -> Sequence[Change]:
        parameters = {**_viewer(game_id, side), "after": after, "limit": limit}
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_CHANGES.encode(), parameters)).fetchall()
        return [
            Change(
                place=place,
                sequence=number,
                account_id=None if account is None else AccountId(account),
                clarification=clarification_of(ClarificationRow(*note)) if kind == "clarification" else None,
            )
            for place, number, kind, account, *note in rows
        ]

    async def undecided(self, game: Game) -> Sequence[LoggedSubmission]:
        async with self._snapshot(game.id, EVERYTHING) as head:
            clock = rules_of(game).clock
            rows = await undecided(head.connection, game, head.board.log_id, clock, _MOST_LISTED)
        return [_logged(game, row) for row in rows]

    async def ignored(self, game: Game) -> Sequence[LoggedSubmission]:
        async with self._snapshot(game.id, EVERYTHING) as head:
            log_id = head.board.log_id
            rows = await submissions_of(head.connection, game, log_id, game.ignored, _MOST_LISTED)
        return [_logged(game, row) for row in rows]

    @asynccontextmanager
    async def log(self, game_id: GameId) -> AsyncIterator[PostgresLog]:
        async with self._snapshot(game_id, EVERYTHING) as head:
            yield PostgresLog(head.connection, game_id, head.board.log_id, head.sequence)

    @asynccontextmanager
    async def _snapshot(self, game_id: GameId, side: Side) -> AsyncIterator[_Head]:
        """Rows, first places and the number of the last change belong to the same moment."""
        async with self._database.transaction() as connection:
            await connection.execute(_SNAPSHOT)
            yield await _head(connection, game_id, side)


class PostgresLog:
    def __init__(self, connection: Connection, game_id: GameId, log_id: UUID, sequence: int) -> None:
        self.sequence = sequence
        self._connection = connection
        self._game_id = game_id
        self._log_id = log_id

    async def by_participant(
        self, only: Collection[AccountId] | None = None
    ) -> AsyncIterator[tuple[EntrantView, Sequence[Fact]]]:
        """Read some hundred at a time, so that a large game needs no large memory."""
        after, chosen = UUID(int=0), None if only is None else list(only)
        while True:
            parameters = {"game": self._game_id, "after": after, "only": chosen, "limit": _CHUNK}
            cursor = await self._connection.execute(_ENTRANTS.encode(), parameters)
            rows = [ParticipantRow(*row) for row in await cursor.fetchall()]
            found = [EntrantView(participant_of(row), row.display_name) for row in rows]
            accounts = [each.participant.account_id for each in found]
            facts = await facts_of_accounts(self._connection, self._log_id, accounts)
            for entrant in found:
                yield entrant, facts[entrant.participant.account_id]
            if len(found) < _CHUNK:
                return
            after = accounts[-1]

    async def participants(self) -> int:
        row = await (await self._connection.execute(_PARTICIPANTS, (self._game_id,))).fetchone()
        return 0 if row is None else row[0]

    async def changed_since(self, sequence: int) -> frozenset[AccountId] | None:
        return await changed_since(self._connection, self._game_id, sequence)

    async def accounts_of(self, submissions: Collection[SubmissionId]) -> list[AccountId]:
        return await senders_of(self._connection, self._log_id, submissions)


@dataclass(frozen=True, slots=True)
class _Head:
    connection: Connection
    sequence: int
    number: int
    """Of the last change, as the viewer counts."""
    board: BoardRef


async def _head(connection: Connection, game_id: GameId, side: Side) -> _Head:
    row = await (await connection.execute(_HEAD.encode(), _viewer(game_id, side))).fetchone()
    if row is None:
        raise LookupError(f"game {game_id} has no board")
    sequence, number, *board = row
    return _Head(connection, sequence, number, BoardRef(*board))


def _logged(game: Game, row: LoggedRow) -> LoggedSubmission:
    labels = {problem.question_id: problem.label for problem in game.plan.problems}
    return LoggedSubmission(
        submission_id=SubmissionId(row.origin_id),
        account_id=AccountId(row.account_id),
        display_name=row.display_name,
        question_id=QuestionId(row.question_id),
        label=labels.get(QuestionId(row.question_id), ""),
        submitted_at=moment(row.submitted_us),
    )


def _viewer(game_id: GameId, side: Side) -> dict[str, object]:
    return {"game": game_id, "everything": side.with_hidden, "own": side.own}
