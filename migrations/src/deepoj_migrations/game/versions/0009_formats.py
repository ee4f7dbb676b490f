"""Which formats there are is the domain's to say; the column only refuses what is no name at all."""

from alembic import op

revision = "game_0009"
down_revision = "game_0008"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE games DROP CONSTRAINT games_format_check,
        ADD CONSTRAINT games_format_is_a_name CHECK (format ~ '^[a-z][a-z0-9_]{0,39}$');
    """)


def downgrade() -> None:
    op.execute("""
    ALTER TABLE games DROP CONSTRAINT games_format_is_a_name,
        ADD CONSTRAINT games_format_check
            CHECK (format IN ('icpc', 'ioi', 'oi', 'atcoder', 'codeforces'));
    """)
