"""Captchas know whether they were mailed."""

from alembic import op

revision = "user_0003"
down_revision = "user_0002"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE captchas ADD COLUMN mail_due timestamptz;
    CREATE INDEX captchas_to_mail ON captchas (mail_due) WHERE mail_due IS NOT NULL;
    COMMENT ON COLUMN captchas.mail_due IS 'when to mail it next; null once it is out, or given up';
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE captchas DROP COLUMN mail_due")
