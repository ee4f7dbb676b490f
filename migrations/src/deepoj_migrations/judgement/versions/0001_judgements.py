"""The judge cache."""

from alembic import op

revision = "judgement_0001"
down_revision = None


def upgrade() -> None:
    # The result is bytes and not jsonb: a hit answers with exactly what was stored.
    op.execute("""
    CREATE TABLE judgements (
        question_id        uuid NOT NULL,
        question_revision  integer NOT NULL CHECK (question_revision > 0),
        language           text NOT NULL,
        toolchain          text NOT NULL,
        code_sha256        bytea NOT NULL CHECK (length(code_sha256) = 32),
        result             bytea NOT NULL,
        judged_at          timestamptz NOT NULL,
        PRIMARY KEY (question_id, question_revision, language, toolchain, code_sha256)
    );
    CREATE INDEX judgements_by_age ON judgements (judged_at);
    """)


def downgrade() -> None:
    op.execute("DROP TABLE judgements")
