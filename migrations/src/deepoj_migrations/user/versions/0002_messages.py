"""The outbox."""

from alembic import op

revision = "user_0002"
down_revision = "user_0001"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE outbox (
        id               uuid PRIMARY KEY,
        stream           text NOT NULL,
        key              text,
        payload          jsonb NOT NULL,
        headers          jsonb NOT NULL,
        created_at       timestamptz NOT NULL,
        next_attempt_at  timestamptz NOT NULL,
        attempts         integer NOT NULL DEFAULT 0,
        last_error       text,
        delivered_at     timestamptz,
        stream_entry_id  text,
        CONSTRAINT outbox_delivered_has_entry CHECK ((delivered_at IS NULL) = (stream_entry_id IS NULL))
    );
    CREATE INDEX outbox_pending ON outbox (next_attempt_at, id) WHERE delivered_at IS NULL;
    CREATE UNIQUE INDEX outbox_key ON outbox (stream, key) WHERE key IS NOT NULL;
    COMMENT ON COLUMN outbox.id IS 'UUIDv7; the message id consumers see';
    COMMENT ON COLUMN outbox.key IS 'a second row with the same stream and key is not added';
    COMMENT ON COLUMN outbox.payload IS 'flat object of strings: the fields of the entry';
    COMMENT ON COLUMN outbox.headers IS 'further fields, such as traceparent';
    """)


def downgrade() -> None:
    op.execute("DROP TABLE outbox")
