"""Workers that operators took out of service."""

from alembic import op

revision = "record_0009"
down_revision = "record_0008"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE drained_workers (
        name text PRIMARY KEY,
        reason text NOT NULL,
        drained_by uuid NOT NULL,
        drained_at timestamptz NOT NULL,
        hand_back_at timestamptz NOT NULL
    );
    COMMENT ON COLUMN drained_workers.name IS 'of a worker, or of a host: its workers are name and name.…';
    """)


def downgrade() -> None:
    op.execute("DROP TABLE drained_workers")
