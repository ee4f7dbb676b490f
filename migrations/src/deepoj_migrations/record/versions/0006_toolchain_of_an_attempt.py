"""What an attempt was judged with."""

from alembic import op

revision = "record_0006"
down_revision = "record_0005"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE attempts ADD COLUMN toolchain text NOT NULL DEFAULT '';
    COMMENT ON COLUMN attempts.toolchain IS 'what the compiler or interpreter says its version is';
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE attempts DROP COLUMN toolchain")
