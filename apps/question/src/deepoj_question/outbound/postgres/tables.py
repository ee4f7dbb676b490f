"""The tables of question's schema: their columns are named here; rows are read and written by these names.

Migrations make them; a test compares the two.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from deepoj_kit.outbox import outbox_table

METADATA: Final = MetaData(schema="question")
_MOMENT: Final = DateTime(timezone=True)
_required: Final = partial(Column[Any], nullable=False)

QUESTIONS: Final = Table(
    "questions",
    METADATA,
    Column("id", Uuid, primary_key=True),
    _required("slug", Text),
    _required("owner_id", Uuid),
    _required("enabled", Boolean),
    _required("revision", Integer),
    _required("title", Text),
    _required("found_by", Text),
    Column("level", Text),
    _required("tags", ARRAY(Text)),
    _required("created_at", _MOMENT),
    _required("updated_at", _MOMENT),
    Column("deleted_at", _MOMENT),
    _required("version", BigInteger),
    _required("titles", JSONB),
)
REVISIONS: Final = Table(
    "revisions",
    METADATA,
    Column("question_id", Uuid, primary_key=True),
    Column("number", Integer, primary_key=True),
    _required("presentation", JSONB),
    _required("allowance", JSONB),
    Column("languages", ARRAY(Text)),
    _required("judging", JSONB),
    _required("extras", JSONB),
    _required("judge_hash", LargeBinary),
    _required("made_by", Uuid),
    _required("made_at", _MOMENT),
)
CATALOGUE: Final = Table(
    "catalogue", METADATA, Column("only_row", Boolean, primary_key=True), _required("revision", BigInteger)
)
PAGES: Final = Table(
    "pages", METADATA, Column("source", LargeBinary, primary_key=True), _required("html", Text)
)
OBJECTS: Final = Table(
    "objects",
    METADATA,
    Column("content", LargeBinary, primary_key=True),
    _required("used_at", _MOMENT),
    _required("named", Boolean),
    Column("taken_at", _MOMENT),
)
OUTBOX: Final = outbox_table(METADATA)
