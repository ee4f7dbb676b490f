"""The tables that are read with composed conditions. Migrations own their definition."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, DateTime, Integer, Text, Uuid, column, table
from sqlalchemy.dialects.postgresql import JSONB

_MOMENT = DateTime(timezone=True)

SUBMISSIONS: Final = table(
    "submissions",
    column("id", Uuid),
    column("origin_id", Uuid),
    column("rejudge_of", Uuid),
    column("rejudge_id", Uuid),
    column("standing", Text),
    column("account_id", Uuid),
    column("game_id", Uuid),
    column("question_id", Uuid),
    column("question_revision", Integer),
    column("language", Text),
    column("lane", Text),
    column("band", Text),
    column("status", Text),
    column("attempt_id", Integer),
    column("lease_owner", Text),
    column("lease_until", _MOMENT),
    column("verdict", Text),
    column("score_micros", BigInteger),
    column("result", JSONB),
    column("death_cause", Text),
    column("last_error", Text),
    column("cancelled_by", Uuid),
    column("submitted_at", _MOMENT),
    column("finished_at", _MOMENT),
    column("source_bytes", Integer),
    column("message_due", _MOMENT),
    column("version", BigInteger),
    schema="record",
)
REJUDGES: Final = table(
    "rejudges",
    column("id", Uuid),
    column("status", Text),
    column("reason", Text),
    column("started_by", Uuid),
    column("started_at", _MOMENT),
    schema="record",
)
