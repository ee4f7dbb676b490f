"""Accounts, captchas, tokens, throttles, signing keys and the audit log."""

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
        display_name   text NOT NULL DEFAULT '',
        bio            text NOT NULL DEFAULT '',
        avatar         text NOT NULL DEFAULT '',
        session_epoch  bigint NOT NULL DEFAULT 0,
        created_at     timestamptz NOT NULL,
        CONSTRAINT accounts_deleted_keeps_nothing_personal CHECK (
            (status = 'deleted') = (email IS NULL) AND (status = 'deleted') = (password_hash IS NULL)
            AND (status <> 'deleted' OR (display_name = '' AND bio = '' AND avatar = ''))
        )
    );
    CREATE UNIQUE INDEX accounts_one_per_name ON accounts (lower(name));
    CREATE UNIQUE INDEX accounts_one_per_email ON accounts (email) WHERE email IS NOT NULL;
    CREATE INDEX accounts_admins ON accounts (id) WHERE role = 'admin';

    CREATE TABLE captchas (
        id          uuid NOT NULL,
        kind        text NOT NULL CHECK (kind IN ('register', 'change_password')),
        email       text NOT NULL,
        code_hash   bytea NOT NULL CHECK (length(code_hash) = 32),
        sent_at     timestamptz NOT NULL,
        expires_at  timestamptz NOT NULL,
        tries_left  integer NOT NULL CHECK (tries_left >= 0),
        used        boolean NOT NULL DEFAULT false,
        PRIMARY KEY (kind, email),
        CONSTRAINT captchas_expire_after_they_are_sent CHECK (sent_at < expires_at)
    );
    CREATE INDEX captchas_by_expiry ON captchas (expires_at);
    COMMENT ON TABLE captchas IS 'the latest of each kind and address; a new one replaces it';

    CREATE TABLE refresh_tokens (
        token_hash        bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        family_id         uuid NOT NULL,
        account_id        uuid NOT NULL REFERENCES accounts,
        session_epoch     bigint NOT NULL,
        issued_at         timestamptz NOT NULL,
        expires_at        timestamptz NOT NULL,
        used_at           timestamptz,
        sealed_successor  bytea CHECK (length(sealed_successor) = 32),
        CONSTRAINT refresh_tokens_used_has_a_successor CHECK ((used_at IS NULL) = (sealed_successor IS NULL))
    );
    CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);
    CREATE INDEX refresh_tokens_by_account ON refresh_tokens (account_id);
    CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
    COMMENT ON TABLE refresh_tokens IS 'ending a session deletes its family';

    CREATE TABLE api_tokens (
        id            uuid PRIMARY KEY,
        account_id    uuid NOT NULL REFERENCES accounts,
        name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        secret_hash   bytea NOT NULL CHECK (length(secret_hash) = 32),
        scopes        text[] NOT NULL,
        created_at    timestamptz NOT NULL,
        expires_at    timestamptz,
        last_used_at  timestamptz
    );
    CREATE UNIQUE INDEX api_tokens_one_per_secret ON api_tokens (secret_hash);
    CREATE INDEX api_tokens_by_account ON api_tokens (account_id);

    CREATE TABLE throttles (
        key_hash    bytea PRIMARY KEY CHECK (length(key_hash) = 32),
        paid_until  timestamptz NOT NULL
    );
    CREATE INDEX throttles_by_end ON throttles (paid_until);
    COMMENT ON COLUMN throttles.key_hash IS 'hashed, because keys hold addresses and what people typed';

    CREATE TABLE signing_keys (
        id           text PRIMARY KEY,
        private_key  text NOT NULL,
        public_key   text NOT NULL,
        created_at   timestamptz NOT NULL
    );
    COMMENT ON COLUMN signing_keys.private_key IS 'PEM, encrypted with a setting of the service';

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
    CREATE INDEX audit_log_by_time ON audit_log (at);
    """)


def downgrade() -> None:
    op.execute(
        "DROP TABLE audit_log, signing_keys, throttles, api_tokens, refresh_tokens, captchas, accounts"
    )
