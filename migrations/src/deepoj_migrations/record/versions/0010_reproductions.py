"""Judgements that named workers are asked to make again."""

from alembic import op

revision = "record_0010"
down_revision = "record_0009"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE reproductions (
        id uuid PRIMARY KEY,
        submission_id uuid NOT NULL,
        worker text NOT NULL,
        asked_at timestamptz NOT NULL,
        answered_at timestamptz,
        result bytea,
        manifest bytea,
        problem text
    );
    COMMENT ON TABLE reproductions IS 'kept for an hour';
    """)


def downgrade() -> None:
    op.execute("DROP TABLE reproductions")
