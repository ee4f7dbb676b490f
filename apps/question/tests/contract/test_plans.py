"""Reading does not grow with the catalogue: no statement reads it from end to end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import product
from uuid import UUID

import pytest

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.paging import PageRequest, at_text
from deepoj_domain.question.listing import Level, tag
from deepoj_kit.postgres import Connection, Database, compiled
from deepoj_question.outbound.postgres.question_reader import FIND, GET, REVISIONS
from deepoj_question.outbound.postgres.question_repository import LOAD
from deepoj_question.outbound.postgres.search_statement import list_statement
from deepoj_question.queries.ports import Search, Sort

ROWS = 20_000
SOME = UUID(int=5)
FILL = """
WITH made AS (
    SELECT n, lpad(n::text, 32, '0')::uuid AS id FROM generate_series(1, %s) AS n
), filled AS (
    INSERT INTO question.questions
        (id, slug, owner_id, enabled, revision, title, found_by, level, tags, created_at, updated_at)
    SELECT id, 'q' || n, lpad(mod(n, 500)::text, 32, '0')::uuid, mod(n, 10) > 0, 1, 'Title ' || n,
        'q' || n || ' title ' || n, (ARRAY['easy', 'medium', 'hard'])[1 + mod(n, 3)],
        ARRAY['t' || mod(n, 200)], now(), now()
    FROM made
)
INSERT INTO question.revisions
    (question_id, number, presentation, allowance, judging, judge_hash, made_by, made_at)
SELECT id, 1, '{}', '{}', '{}', sha256('x'), id, now() FROM made
"""


@pytest.fixture
async def full(database: Database) -> AsyncIterator[Connection]:
    async with database.connection() as connection:
        await connection.execute("SET statement_timeout = '60s'")
        await connection.execute(FILL, (ROWS,))
        await connection.execute("ANALYZE")
        yield connection


async def test_lists_walk_an_index(full: Connection) -> None:
    searches = (
        Search(),
        Search(text="title 1"),
        Search(level=Level.HARD),
        Search(tags=frozenset({tag("t7")})),
        Search(owner=AccountId(SOME)),
        Search(ids=frozenset({QuestionId(SOME)})),
        Search(excluded=frozenset({QuestionId(SOME)})),
        Search(sort=Sort.NEWEST),
        Search(sort=Sort.TITLE),
        Search(sort=Sort.LEVEL),
        Search(published=True),
    )
    pages = (PageRequest(), PageRequest(after=at_text("title 1", SOME)))
    # Nobody in particular, somebody, and the staff.
    viewers = ((False, None), (False, AccountId(UUID(int=9))), (True, AccountId(UUID(int=9))))
    for search, page, (everything, own) in product(searches, pages, viewers):
        text = await plan(full, *compiled(list_statement(search, page, everything=everything, own=own)))
        assert "Seq Scan" not in text, text
        assert "Index" in text, text


async def test_one_question_is_read_by_index(full: Connection) -> None:
    plans = {
        "load": await plan(full, LOAD + "q.id = %s", (SOME,)),
        "find": await plan(full, LOAD + "q.slug = %s", ("q5",)),
        "get": await plan(full, GET + "q.id = %s", (0, SOME)),
        "get by slug": await plan(full, GET + "q.slug = %s", (0, "q5")),
        "view": await plan(full, FIND, (SOME,)),
        "revisions": await plan(full, REVISIONS, (SOME,)),
    }
    assert {name: text for name, text in plans.items() if "Seq Scan" in text or "Index" not in text} == {}


async def plan(
    connection: Connection, statement: str | bytes, parameters: Sequence[object] | Mapping[str, object]
) -> str:
    text = statement if isinstance(statement, bytes) else statement.encode()
    cursor = await connection.execute(b"EXPLAIN " + text, parameters)
    return "\n".join(row[0] for row in await cursor.fetchall())
