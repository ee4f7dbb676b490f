"""The outbox table, for the metadata and the migrations of the service that owns it."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, DateTime, Index, Integer, MetaData, Table, Text, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB


def outbox_table(metadata: MetaData, name: str = "outbox") -> Table:
    """Define the table in the schema of `metadata`."""
    moment = DateTime(timezone=True)
    return Table(
        name,
        metadata,
        Column("id", Uuid, primary_key=True, comment="UUIDv7; the message id consumers see"),
        Column("stream", Text, nullable=False),
        Column("key", Text, comment="a second row with the same stream and key is not added"),
        Column("payload", JSONB, nullable=False, comment="flat object of strings: the fields of the entry"),
        Column("headers", JSONB, nullable=False, comment="further fields, such as traceparent"),
        Column("created_at", moment, nullable=False),
        Column("next_attempt_at", moment, nullable=False),
        Column("attempts", Integer, nullable=False, server_default=text("0")),
        Column("last_error", Text),
        Column("delivered_at", moment),
        Column("stream_entry_id", Text),
        CheckConstraint(
            "(delivered_at IS NULL) = (stream_entry_id IS NULL)", name=f"{name}_delivered_has_entry"
        ),
        Index(f"{name}_pending", "next_attempt_at", "id", postgresql_where=text("delivered_at IS NULL")),
        Index(
            f"{name}_delivered",
            "stream",
            "delivered_at",
            "id",
            postgresql_where=text("delivered_at IS NOT NULL"),
        ),
        Index(f"{name}_key", "stream", "key", unique=True, postgresql_where=text("key IS NOT NULL")),
    )
