"""The submissions to a game, written as lines by PostgreSQL itself: one value a page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.paging import Position, at_moment, moment_at
from deepoj_kit.postgres import Database
from deepoj_record.queries.read_game import GameLines

_MICROS: Final = "(extract(epoch FROM {}) * 1000000)::bigint"
# The subtasks as game spells them. JSON has neither tabs nor line breaks; a backslash is an escape to COPY.
_GROUPS: Final = r"""
CASE WHEN s.groups IS NULL OR s.groups = '[]' THEN '[]' ELSE (
    SELECT '[' || string_agg(
        '[' || replace(to_json(g.value->>'group')::text, '\', '\\') || ',' || (g.value->'score'->>'micros')
        || ']', ',' ORDER BY g.ordinality) || ']'
    FROM jsonb_array_elements(s.groups) WITH ORDINALITY AS g) END
"""
# What a rejudge found became known when it was applied, or as far as that has come.
_KNOWN: Final = "greatest(s.submitted_at, s.finished_at, coalesce(r.closed_at, r.touched_at))"
_LINES: Final = rf"""
SELECT string_agg(concat_ws(E'\t',
    s.id, s.origin_id, s.account_id, s.question_id, {_MICROS.format("s.submitted_at")},
    CASE WHEN s.finished_at IS NULL OR s.status = 'DEAD' THEN {_MICROS.format("s.submitted_at")}
        ELSE {_MICROS.format(_KNOWN)} END,
    coalesce(s.verdict, '\N'), coalesce(s.score_micros, 0), {_GROUPS}, s.status = 'CANCELLED'
), E'\n' ORDER BY s.submitted_at, s.id)
FROM (
    SELECT id, origin_id, account_id, question_id, submitted_at, finished_at, status, verdict, score_micros,
        result->'groups' AS groups, rejudge_id
    FROM record.submissions
    WHERE game_id = %(game)s AND standing IN ('head', 'archived')
        AND (submitted_at, id) > (%(moment)s, %(id)s) {{whose}}
    ORDER BY submitted_at, id LIMIT %(size)s
) AS s
LEFT JOIN record.rejudges r ON r.id = s.rejudge_id
"""  # noqa: S608 — composed of constants above
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BEGINNING: Final = (_EPOCH, UUID(int=0))


class PostgresGameLog:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def lines(
        self, game_id: GameId, account_id: AccountId | None, after: Position | None, size: int
    ) -> GameLines:
        moment, key = moment_at(after) if after else _BEGINNING
        parameters = {
            "game": game_id, "account": account_id, "moment": moment, "id": key, "size": size,
        }  # fmt: skip
        whose = "" if account_id is None else "AND account_id = %(account)s"
        async with self._database.connection() as connection:
            cursor = await connection.execute(_LINES.format(whose=whose).encode(), parameters)
            row = await cursor.fetchone()
        text: str = "" if row is None or row[0] is None else row[0]
        count = text.count("\n") + 1 if text else 0
        last = _position(text.rpartition("\n")[2]) if count == size else None
        return GameLines(text.encode(), count, last)


def _position(line: str) -> Position:
    fields = line.split("\t")
    return at_moment(_EPOCH + timedelta(microseconds=int(fields[4])), UUID(fields[0]))
