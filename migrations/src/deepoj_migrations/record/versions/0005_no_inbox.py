"""Record takes no messages, so it needs no inbox."""

from alembic import op

revision = "record_0005"
down_revision = "record_0004"


def upgrade() -> None:
    op.execute("DROP TABLE inbox")


def downgrade() -> None:
    op.execute("""
    CREATE TABLE inbox (
        consumer     text NOT NULL,
        message_id   text NOT NULL,
        received_at  timestamptz NOT NULL,
        PRIMARY KEY (consumer, message_id)
    );
    CREATE INDEX inbox_received ON inbox (received_at);
    """)
