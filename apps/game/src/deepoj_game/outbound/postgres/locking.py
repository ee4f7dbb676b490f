"""The lock that all writers of one game take first: the row of its counter.

Whoever holds it is the only one to number changes, so numbers have no gap and appear in their order: a
transaction that commits late cannot slip behind one that others have read past.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId
from deepoj_game.outbound.postgres.game_rows import GAME_COLUMNS, GAME_TABLES, GameRow, game_of
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.records import Records

# Of this one table only: after waiting for a lock PostgreSQL shows the newest state of the locked row, but of
# a joined table what there was before the wait.
_LOCK: Final = "SELECT sequence, board_id, version FROM game.counters WHERE game_id = %s FOR UPDATE"
_LOAD: Final = f"SELECT {GAME_COLUMNS} FROM {GAME_TABLES} WHERE g.id = %s"  # noqa: S608 — constants
_CHANGES: Final = Records(
    "sequence bigint", "kind text", "account_id uuid", "clarification_id uuid", "at timestamptz"
)
_FLUSH: Final = f"""
WITH told AS (
    INSERT INTO game.changes (game_id, {", ".join(_CHANGES.names)})
    SELECT %s, {", ".join(_CHANGES.names)} FROM {_CHANGES.called("new")}
)
UPDATE game.counters SET sequence = %s, board_id = %s, version = %s WHERE game_id = %s
"""  # noqa: S608 — composed of constants above
_MOST_CACHED: Final = 128

Kind = Literal["row", "clarification", "reload"]


@dataclass(frozen=True, slots=True)
class Loaded:
    game: Game
    rules: Rules
    version: int
    password_hash: str | None


class GameCache:
    """Games by version: an event changes no game, so most transactions need not read it again."""

    def __init__(self) -> None:
        self._games: OrderedDict[GameId, Loaded] = OrderedDict()

    async def load(self, connection: Connection, game_id: GameId, version: int) -> Loaded:
        known = self._games.get(game_id)
        if known is None or known.version != version:
            row = await (await connection.execute(_LOAD.encode(), (game_id,))).fetchone()
            if row is None:
                raise LookupError(f"game {game_id} has a counter but is not there")
            found = GameRow(*row)
            game = game_of(found)
            known = Loaded(game, rules_of(game), found.version, found.password_hash)
        self._games[game_id] = known
        self._games.move_to_end(game_id)
        if len(self._games) > _MOST_CACHED:
            self._games.popitem(last=False)
        return known


@dataclass(slots=True)
class Locked:
    """A game whose counter this transaction holds. `flush` before the commit writes the numbers."""

    connection: Connection
    loaded: Loaded
    board_id: UUID
    sequence: int
    version: int
    at: datetime
    _told: list[tuple[object, ...]] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return self.loaded.game

    @property
    def rules(self) -> Rules:
        return self.loaded.rules

    def row_changed(self, account_id: AccountId) -> int:
        return self._tell("row", account_id=account_id)

    def clarification_changed(self, clarification_id: ClarificationId) -> int:
        return self._tell("clarification", clarification_id=clarification_id)

    def board_changed(self) -> int:
        return self._tell("reload")

    @property
    def has_changed(self) -> bool:
        return bool(self._told) or self.version != self.loaded.version

    async def flush(self) -> None:
        if not self.has_changed:
            return
        game_id = self.game.id
        told = _CHANGES.parameter(self._told)
        values = (game_id, told, self.sequence, self.board_id, self.version, game_id)
        await self.connection.execute(_FLUSH.encode(), values)

    def _tell(
        self, kind: Kind, account_id: AccountId | None = None, clarification_id: ClarificationId | None = None
    ) -> int:
        self.sequence += 1
        self._told.append((self.sequence, kind, account_id, clarification_id, self.at))
        return self.sequence


async def lock(connection: Connection, cache: GameCache, game_id: GameId, now: datetime) -> Locked | None:
    """Wait for the game's counter and hold it until the transaction ends; None when there is no such game."""
    row = await (await connection.execute(_LOCK, (game_id,))).fetchone()
    if row is None:
        return None
    sequence, board_id, version = row
    loaded = await cache.load(connection, game_id, version)
    return Locked(connection, loaded, board_id, sequence, version, now)
