"""Delivered messages by their stream, to see whether Redis still has them."""

from alembic import op

revision = "user_0004"
down_revision = "user_0003"


def upgrade() -> None:
    op.execute("""
    CREATE INDEX outbox_delivered ON outbox (stream, delivered_at, id) WHERE delivered_at IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("DROP INDEX outbox_delivered")
