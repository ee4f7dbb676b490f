"""The question schema keeps revisions as they were made."""

from __future__ import annotations

from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.errors import CheckViolation, ForeignKeyViolation, UniqueViolation

QUESTION = """
INSERT INTO question.questions (id, slug, owner_id, revision, title, found_by, level, created_at, updated_at)
VALUES (%(id)s, %(slug)s, %(id)s, 1, 'A+B', 'a+b', 'easy', now(), now())
"""
REVISION = """
INSERT INTO question.revisions
    (question_id, number, presentation, allowance, judging, judge_hash, made_by, made_at)
VALUES (%(id)s, 1, '{}', '{}', '{}', %(hash)s, %(id)s, now())
"""


@pytest.mark.parametrize(
    "change", ["UPDATE question.revisions SET judging = '[]'", "DELETE FROM question.revisions"]
)
def test_a_revision_never_changes(database: psycopg.Connection, change: str) -> None:
    insert(database, "a-plus-b")
    with pytest.raises(CheckViolation, match="a revision never changes"):
        database.execute(change)


def test_a_question_points_at_a_revision_that_exists(database: psycopg.Connection) -> None:
    with pytest.raises(ForeignKeyViolation, match="questions_revision_exists"):
        database.execute(QUESTION, {"id": uuid4(), "slug": "no-revision"})


def test_two_questions_never_share_a_slug(database: psycopg.Connection) -> None:
    insert(database, "a-plus-b")
    with pytest.raises(UniqueViolation, match="questions_one_per_slug"):
        insert(database, "a-plus-b")


def insert(database: psycopg.Connection, slug: str) -> UUID:
    question = uuid4()
    with database.transaction():
        database.execute(QUESTION, {"id": question, "slug": slug})
        database.execute(REVISION, {"id": question, "hash": b"h" * 32})
    return question
