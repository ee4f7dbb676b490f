"""What comes into the log of a board that is being built: from record, and from the board that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.outbound.postgres.facts import LOGGED_COLUMNS, FactRow
from deepoj_game.outbound.postgres.tables import FACTS, listed, typed
from deepoj_kit.postgres import Connection

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
"""  # noqa: S608 — composed of constants
_READ: Final = "SELECT count(*) FROM incoming WHERE submission_id = origin_id"
_KEEP_FINAL: Final = f"""
INSERT INTO game.facts (log_id, {_COLUMNS})
SELECT %(new)s, {listed(LOGGED_COLUMNS, of="f")} FROM game.facts f
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = f.account_id AND p.kind <> 'virtual'
WHERE f.log_id = %(shown)s ON CONFLICT DO NOTHING
"""  # noqa: S608 — same
_CATCH_UP: Final = f"""
INSERT INTO game.facts (log_id, {_COLUMNS})
SELECT %(new)s, {_COLUMNS} FROM game.facts
WHERE log_id = %(shown)s AND account_id = ANY (%(accounts)s) AND sequence > %(since)s ON CONFLICT DO NOTHING
"""  # noqa: S608 — same
_GONE: Final = "DELETE FROM game.facts WHERE log_id = %s AND account_id = %s"
_MOVED: Final = "UPDATE game.facts SET log_id = %s WHERE log_id = %s"


async def prepare(connection: Connection) -> None:
    await connection.execute(_PREPARE)


async def add(
    connection: Connection, lines: bytes, *, game: Game, shown: UUID, log_id: UUID, final: bool
) -> int:
    """Return how many submissions these are; a rejudge is not another one."""
    await connection.execute(_BY_INDEX)
    async with connection.cursor().copy(_COPY) as copy:
        await copy.write(lines)
    questions = list(game.plan.questions())
    parameters = {
        "new": log_id, "shown": shown, "game": game.id, "questions": questions, "final": final,
    }  # fmt: skip
    await connection.execute(_ADD.encode(), parameters)
    row = await (await connection.execute(_READ)).fetchone()
    return 0 if row is None else row[0]


async def keep_final(connection: Connection, game_id: GameId, shown: UUID, log_id: UUID) -> None:
    await connection.execute(_KEEP_FINAL.encode(), {"new": log_id, "shown": shown, "game": game_id})


async def catch_up(
    connection: Connection, shown: UUID, log_id: UUID, since: int, accounts: Sequence[AccountId]
) -> None:
    parameters = {"new": log_id, "shown": shown, "since": since, "accounts": list(accounts)}
    await connection.execute(_CATCH_UP.encode(), parameters)


async def replace(connection: Connection, shown: UUID, log_id: UUID, account_id: AccountId) -> None:
    """Put the facts of one participant in the place of those that are shown."""
    await connection.execute(_GONE, (shown, account_id))
    await connection.execute(_MOVED, (shown, log_id))
