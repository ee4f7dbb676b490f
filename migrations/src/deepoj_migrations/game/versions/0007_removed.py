"""Whom the staff removed does not come back by themselves."""

from alembic import op

revision = "game_0007"
down_revision = "game_0006"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE participants ADD COLUMN removed boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT participants_removed_are_withdrawn CHECK (withdrawn OR NOT removed);
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE participants DROP COLUMN removed")
