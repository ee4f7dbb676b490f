"""The lock that all writers of one game take first: the row of its counter.

Whoever holds it is the only one to number changes, so numbers have no gap and appear in their order: a
transaction that commits late cannot slip behind one that others have read past.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import Notice, SeenBy
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.outbound.postgres.games import CachedGame, GameCache
from deepoj_game.outbound.postgres.tables import CHANGES, COUNTERS, listed, names, records
from deepoj_kit.postgres import Connection

_COUNTER: Final = listed(names(COUNTERS))
_READ: Final = f"SELECT {_COUNTER} FROM game.counters WHERE game_id = %s".encode()  # noqa: S608 — the names of the columns
# Of this one table only: after waiting for a lock PostgreSQL shows the newest state of the locked row, but of
# a joined table what there was before the wait.
_LOCK: Final = _READ + b" FOR UPDATE"
_CHANGES: Final = records(CHANGES, names(CHANGES))
_FLUSH: Final = f"""
WITH told AS (
    INSERT INTO game.changes ({listed(_CHANGES.names)})
    SELECT {listed(_CHANGES.names)} FROM {_CHANGES.called("new").replace("%s", "%(told)s")}
)
UPDATE game.counters SET sequence = %(sequence)s, public_sequence = %(public_sequence)s,
    board_id = %(board_id)s, log_id = %(log_id)s, version = %(version)s
WHERE game_id = %(game_id)s
""".encode()  # noqa: S608 — the names of the columns
_CHANGED: Final = """
SELECT DISTINCT account_id FROM game.changes
WHERE game_id = %s AND sequence > %s AND kind IN ('row', 'reload')
"""


class BoardRef(NamedTuple):
    """Where rows and cells are, and where the facts they follow from are."""

    id: UUID
    log_id: UUID


class CounterRow(NamedTuple):
    """The columns in the order of the table."""

    game_id: UUID
    sequence: int
    board_id: UUID
    version: int
    public_sequence: int
    log_id: UUID

    @property
    def board(self) -> BoardRef:
        return BoardRef(self.board_id, self.log_id)


class _ChangeRow(NamedTuple):
    """The columns in the order of the table."""

    game_id: UUID
    sequence: int
    kind: str
    account_id: UUID | None
    clarification_id: UUID | None
    at: datetime
    public: bool
    public_sequence: int
    own_id: UUID | None


@dataclass(slots=True)
class LockedGame:
    """A game whose counter this transaction holds. `flush` before the commit writes the numbers."""

    connection: Connection
    cached: CachedGame
    counter: CounterRow
    _told: list[_ChangeRow] = field(default_factory=list)

    @property
    def board(self) -> BoardRef:
        return self.counter.board

    @property
    def game(self) -> Game:
        return self.cached.game

    @property
    def rules(self) -> Rules:
        return self.cached.rules

    @property
    def has_changed(self) -> bool:
        return bool(self._told) or self.counter.version != self.cached.version

    def game_changed(self) -> None:
        self.counter = self.counter._replace(version=self.counter.version + 1)

    def show(self, board: BoardRef) -> None:
        self.counter = self.counter._replace(board_id=board.id, log_id=board.log_id)

    def tell(self, notice: Notice, at: datetime) -> int:
        """Return the number of the change."""
        public, counter = notice.seen_by is SeenBy.ALL, self.counter
        self.counter = counter = counter._replace(
            sequence=counter.sequence + 1, public_sequence=counter.public_sequence + public
        )
        row = _ChangeRow(
            game_id=counter.game_id,
            sequence=counter.sequence,
            kind=notice.kind.value,
            account_id=notice.account_id,
            clarification_id=notice.clarification_id,
            at=at,
            public=public,
            public_sequence=counter.public_sequence,
            own_id=notice.owner if notice.seen_by is SeenBy.OWNER else None,
        )
        self._told.append(row)
        return counter.sequence

    async def flush(self) -> None:
        if self.has_changed:
            values = {**self.counter._asdict(), "told": _CHANGES.parameter(self._told)}
            await self.connection.execute(_FLUSH, values)


async def changed_since(
    connection: Connection, game_id: GameId, sequence: int
) -> frozenset[AccountId] | None:
    """Find whose row has changed; None: the board as a whole, by other rules or by who takes part."""
    rows = await (await connection.execute(_CHANGED, (game_id, sequence))).fetchall()
    found = {account for (account,) in rows}
    return None if None in found else frozenset(AccountId(account) for account in found)


async def read_counter(connection: Connection, game_id: GameId) -> CounterRow | None:
    row = await (await connection.execute(_READ, (game_id,))).fetchone()
    return None if row is None else CounterRow(*row)


async def lock_game(connection: Connection, cache: GameCache, game_id: GameId) -> LockedGame | None:
    """Wait for the game's counter and hold it until the transaction ends; None when there is no such game."""
    row = await (await connection.execute(_LOCK, (game_id,))).fetchone()
    if row is None:
        return None
    counter = CounterRow(*row)
    return LockedGame(connection, await cache.load(connection, game_id, counter.version), counter)
