"""The cost of a submission does not grow with the table: no hot statement reads it from end to end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import msgspec
import pytest
from sqlalchemy.dialects import postgresql

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.submission.selection import Selection
from deepoj_kit.postgres import Connection, Database
from deepoj_record.outbound.postgres import queue_reader, submission_repository
from deepoj_record.outbound.postgres import submission_statements as statements
from deepoj_record.outbound.postgres.submission_reader import list_statement

ROWS = 50_000
FILL = """
INSERT INTO record.submissions (
    id, account_id, idempotency_key, request_hash, question_id, question_revision, game_id, language,
    code_sha256, source_bytes, lane, band, status, attempt_id, lease_owner, lease_until, verdict,
    score_micros, result, submitted_at, updated_at, finished_at, origin_id, standing, message_due, message_id)
SELECT id, account, n::text, sha256('x'), question, 1, NULL, 'cpp17', sha256('x'), 1, 'heavy', 'normal',
    status,
    CASE WHEN status IN ('RUNNING', 'FINISHED') THEN 1 ELSE 0 END,
    CASE WHEN status = 'RUNNING' THEN 'w' END, CASE WHEN status = 'RUNNING' THEN at END,
    CASE WHEN status = 'FINISHED' THEN 'AC' END, CASE WHEN status = 'FINISHED' THEN 0 END,
    CASE WHEN status = 'FINISHED' THEN '{"verdict": "AC"}'::jsonb END,
    at, at, CASE WHEN status = 'FINISHED' THEN at END, id, 'head', at, gen_random_uuid()
FROM (
    SELECT n, gen_random_uuid() AS id, lpad(mod(n, 500)::text, 32, '0')::uuid AS account,
        lpad(mod(n, 300)::text, 32, '0')::uuid AS question, now() - n * interval '1 second' AS at,
        CASE WHEN mod(n, 1000) = 0 THEN 'RUNNING' WHEN mod(n, 500) = 1 THEN 'DISPATCHED'
             ELSE 'FINISHED' END AS status
    FROM generate_series(1, %s) AS n
) AS made
"""


@pytest.fixture
async def full(database: Database) -> AsyncIterator[Connection]:
    async with database.connection() as connection:
        await connection.execute("SET statement_timeout = '60s'")
        await connection.execute(FILL, (ROWS,))
        await connection.execute(
            "INSERT INTO record.sources SELECT id, 'x' FROM record.submissions;"
            "INSERT INTO record.attempts SELECT id, 1, 'w', submitted_at FROM record.submissions"
            " WHERE attempt_id = 1;"
        )
        await connection.execute("ANALYZE")
        yield connection


async def test_hot_statements_use_indexes_only(full: Connection) -> None:
    rows = await (await full.execute("SELECT id FROM record.submissions LIMIT 16")).fetchall()
    ids = [row[0] for row in rows]
    moment, nobody = "2026-01-01", UUID(int=0)
    plans = {
        "load": await plan(full, submission_repository.LOAD, ids),
        "payloads": await plan(full, submission_repository.PAYLOADS, ids),
        "dispatch": await plan(full, statements.DISPATCH, ids),
        "update": await plan(full, statements.UPDATE, *records(statements.UPDATE, ids)),
        "insert": await plan(full, statements.INSERT, *records(statements.INSERT, [uuid4() for _ in ids])),
        "waiting": await plan(full, queue_reader.WAITING, moment, nobody, moment, 100),
        "expired": await plan(full, queue_reader.EXPIRED, moment, nobody, moment, 100),
        "ahead": await plan(full, queue_reader.AHEAD, "heavy", "normal", ids[0], 1000),
        "depths": await plan(full, queue_reader.DEPTHS),
        "state": await plan(full, queue_reader.STATE, moment, moment),
    }
    whole = re.compile(r"Seq Scan on (submissions|attempts|sources)")
    scanned = {name: text for name, text in plans.items() if whole.search(text)}
    assert scanned == {}
    assert all("Index" in text for name, text in plans.items() if name != "insert")


async def test_lists_use_indexes_only(full: Connection) -> None:
    some = UUID(int=5)
    for selection in (
        Selection(),
        Selection(account_id=AccountId(some)),
        Selection(question_id=QuestionId(some)),
        Selection(game_id=GameId(some)),
    ):
        text = await plan(full, listing(selection))
        assert "Seq Scan" not in text, text


def listing(selection: Selection) -> str:
    query = list_statement(selection, PageRequest(), ascending=False, with_archived=False, restriction=None)
    compiled = query.compile(
        dialect=postgresql.dialect(),  # type: ignore[no-untyped-call]  # SQLAlchemy's own
        compile_kwargs={"literal_binds": True},
    )
    return str(compiled).replace("%%", "%")


def records(statement: str, ids: list[UUID]) -> list[str]:
    """For each set of rows in the statement as many as there are ids; the other columns need no value."""
    rows = msgspec.json.encode([{"id": each, "submission_id": each} for each in ids]).decode()
    return [rows] * statement.count("%s::json")


async def plan(connection: Connection, statement: str, *parameters: object) -> str:
    cursor = await connection.execute(f"EXPLAIN {statement}".encode(), parameters or None)
    return "\n".join(row[0] for row in await cursor.fetchall())
