"""Statements as HTML, made once for a text."""

from alembic import op

revision = "question_0004"
down_revision = "question_0003"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE pages (
        source  bytea PRIMARY KEY CHECK (length(source) = 32),
        html    text NOT NULL
    );
    COMMENT ON COLUMN pages.source IS 'hash of the text, its format, its assets and the renderer';
    """)


def downgrade() -> None:
    op.execute("DROP TABLE pages")
