"""Nobody read what games sent: the outbox goes."""

from alembic import op

revision = "game_0008"
down_revision = "game_0007"


def upgrade() -> None:
    op.execute("DROP TABLE outbox")


def downgrade() -> None:
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
    CREATE INDEX outbox_delivered ON outbox (stream, delivered_at, id) WHERE delivered_at IS NOT NULL;
    """)
