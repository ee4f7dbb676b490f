"""What a host must have for a job, once one did not have it."""

from alembic import op

revision = "record_0008"
down_revision = "record_0007"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE submissions ADD COLUMN needs text NOT NULL DEFAULT '';
    COMMENT ON COLUMN submissions.needs IS 'whose queue its message goes to; empty: that of all hosts';
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE submissions DROP COLUMN needs")
