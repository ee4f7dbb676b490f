"""Accounts without an address, where sessions come from, and invitations."""

from alembic import op

revision = "user_0005"
down_revision = "user_0004"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE accounts DROP CONSTRAINT accounts_deleted_keeps_nothing_personal;
    ALTER TABLE accounts ADD CONSTRAINT accounts_deleted_keeps_nothing_personal CHECK (
        (status = 'deleted') = (password_hash IS NULL)
        AND (status <> 'deleted' OR (email IS NULL AND display_name = '' AND bio = '' AND avatar = ''))
    );
    COMMENT ON COLUMN accounts.email IS 'null: nobody proved one';

    ALTER TABLE refresh_tokens ADD COLUMN started_at timestamptz;
    UPDATE refresh_tokens SET started_at = issued_at;
    ALTER TABLE refresh_tokens ALTER COLUMN started_at SET NOT NULL;
    ALTER TABLE refresh_tokens ADD COLUMN address inet;
    ALTER TABLE refresh_tokens ADD COLUMN user_agent text NOT NULL DEFAULT '';
    COMMENT ON COLUMN refresh_tokens.started_at IS 'when the session began';

    CREATE TABLE invitations (
        id          uuid PRIMARY KEY,
        code        text NOT NULL CHECK (length(code) BETWEEN 1 AND 64),
        uses_left   integer NOT NULL CHECK (uses_left >= 0),
        created_at  timestamptz NOT NULL,
        expires_at  timestamptz,
        note        text NOT NULL DEFAULT ''
    );
    CREATE UNIQUE INDEX invitations_one_per_code ON invitations (code);
    """)


def downgrade() -> None:
    # An address nobody can own stands for the one that is missing.
    op.execute("""
    DROP TABLE invitations;
    ALTER TABLE refresh_tokens DROP COLUMN user_agent, DROP COLUMN address, DROP COLUMN started_at;
    ALTER TABLE accounts DROP CONSTRAINT accounts_deleted_keeps_nothing_personal;
    UPDATE accounts SET email = id || '@deepoj.invalid' WHERE email IS NULL AND status <> 'deleted';
    ALTER TABLE accounts ADD CONSTRAINT accounts_deleted_keeps_nothing_personal CHECK (
        (status = 'deleted') = (email IS NULL) AND (status = 'deleted') = (password_hash IS NULL)
        AND (status <> 'deleted' OR (display_name = '' AND bio = '' AND avatar = ''))
    );
    """)
