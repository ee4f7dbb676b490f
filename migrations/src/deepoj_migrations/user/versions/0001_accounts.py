"""Accounts, captchas, tokens and the audit log."""

from alembic import op

revision = "user_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE accounts (
        id             uuid PRIMARY KEY,
        name           text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
        email          text,
        password_hash  text,
        role           text NOT NULL CHECK (role IN ('contestant', 'setter', 'judge', 'admin')),
        status         text NOT NULL CHECK (status IN ('active', 'suspended', 'deleted')),
        display_name   text NOT NULL,
        bio            text NOT NULL DEFAULT '',
        avatar         text NOT NULL DEFAULT '',
        created_at     timestamptz NOT NULL,
        version        bigint NOT NULL DEFAULT 0,
        CONSTRAINT accounts_deleted_keeps_nothing_personal
            CHECK ((status = 'deleted') = (email IS NULL) AND (status = 'deleted') = (password_hash IS NULL))
    );
    CREATE UNIQUE INDEX accounts_one_per_name ON accounts (lower(name));
    CREATE UNIQUE INDEX accounts_one_per_email ON accounts (lower(email)) WHERE email IS NOT NULL;

    CREATE TABLE captchas (
        id          uuid PRIMARY KEY,
        kind        text NOT NULL CHECK (kind IN ('register', 'change_password')),
        email       text NOT NULL,
        code_hash   bytea NOT NULL,
        sent_at     timestamptz NOT NULL,
        expires_at  timestamptz NOT NULL,
        tries       integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
        used_at     timestamptz,
        CONSTRAINT captchas_expire_after_they_are_sent CHECK (sent_at < expires_at)
    );
    CREATE UNIQUE INDEX captchas_one_open_per_address
        ON captchas (kind, lower(email)) WHERE used_at IS NULL;
    CREATE INDEX captchas_by_expiry ON captchas (expires_at);

    CREATE TABLE refresh_tokens (
        token_hash  bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        family_id   uuid NOT NULL,
        account_id  uuid NOT NULL REFERENCES accounts,
        issued_at   timestamptz NOT NULL,
        expires_at  timestamptz NOT NULL,
        used_at     timestamptz,
        revoked_at  timestamptz
    );
    CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);
    CREATE INDEX refresh_tokens_by_account ON refresh_tokens (account_id) WHERE revoked_at IS NULL;
    CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

    CREATE TABLE api_tokens (
        id            uuid PRIMARY KEY,
        account_id    uuid NOT NULL REFERENCES accounts,
        name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        secret_hash   bytea NOT NULL CHECK (length(secret_hash) = 32),
        scopes        text[] NOT NULL,
        created_at    timestamptz NOT NULL,
        expires_at    timestamptz,
        last_used_at  timestamptz,
        revoked_at    timestamptz
    );
    CREATE UNIQUE INDEX api_tokens_one_per_secret ON api_tokens (secret_hash);
    CREATE INDEX api_tokens_by_account ON api_tokens (account_id) WHERE revoked_at IS NULL;

    CREATE TABLE audit_log (
        id          uuid PRIMARY KEY,
        at          timestamptz NOT NULL,
        account_id  uuid,
        event       text NOT NULL,
        address     inet,
        user_agent  text NOT NULL DEFAULT '',
        detail      text NOT NULL DEFAULT ''
    );
    CREATE INDEX audit_log_by_account ON audit_log (account_id, id);
    """)


def downgrade() -> None:
    op.execute("DROP TABLE audit_log, api_tokens, refresh_tokens, captchas, accounts")
