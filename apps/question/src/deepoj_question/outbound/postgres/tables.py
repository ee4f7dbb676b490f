"""The tables of question's schema: their columns are named here; rows are read and written by these names.

Migrations make them; a test compares the two.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import MetaData, Table

from deepoj_kit.outbox import outbox_table
from deepoj_kit.postgres.columns import bigint, binary, boolean, integer, json, moment, text, texts, uuid

METADATA: Final = MetaData(schema="question")

QUESTIONS: Final = Table(
    "questions",
    METADATA,
    uuid("id", key=True),
    text("slug"),
    uuid("owner_id"),
    boolean("enabled"),
    integer("revision"),
    text("title"),
    text("found_by"),
    text("level", optional=True),
    texts("tags"),
    moment("created_at"),
    moment("updated_at"),
    moment("deleted_at", optional=True),
    bigint("version"),
    json("titles"),
)
REVISIONS: Final = Table(
    "revisions",
    METADATA,
    uuid("question_id", key=True),
    integer("number", key=True),
    json("presentation"),
    json("allowance"),
    texts("languages", optional=True),
    json("judging"),
    json("extras"),
    binary("judge_hash"),
    uuid("made_by"),
    moment("made_at"),
)
CATALOGUE: Final = Table("catalogue", METADATA, boolean("only_row", key=True), bigint("revision"))
PAGES: Final = Table("pages", METADATA, binary("source", key=True), text("html"))
OBJECTS: Final = Table(
    "objects",
    METADATA,
    binary("content", key=True),
    moment("used_at"),
    boolean("named"),
    moment("taken_at", optional=True),
)
OUTBOX: Final = outbox_table(METADATA)
