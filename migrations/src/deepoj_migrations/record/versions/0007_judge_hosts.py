"""Judge hosts elsewhere, each with a credential of its own."""

from alembic import op

revision = "record_0007"
down_revision = "record_0006"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE judge_hosts (
        name text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9-]{0,62}$'),
        credential_sha256 bytea NOT NULL UNIQUE,
        invited_at timestamptz NOT NULL,
        revoked_at timestamptz
    );
    COMMENT ON COLUMN judge_hosts.credential_sha256 IS 'of 32 random bytes, shown once and not kept';
    """)


def downgrade() -> None:
    op.execute("DROP TABLE judge_hosts")
