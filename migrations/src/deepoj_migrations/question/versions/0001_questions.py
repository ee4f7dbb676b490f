"""Questions, their immutable revisions, and the language table."""

from alembic import op

revision = "question_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE questions (
        id          uuid PRIMARY KEY,
        slug        text NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
        owner_id    uuid NOT NULL,
        enabled     boolean NOT NULL DEFAULT false,
        revision    integer NOT NULL CHECK (revision > 0),
        title       text NOT NULL,
        level       text NOT NULL CHECK (level IN ('easy', 'medium', 'hard')),
        tags        text[] NOT NULL DEFAULT '{}',
        created_at  timestamptz NOT NULL,
        updated_at  timestamptz NOT NULL,
        deleted_at  timestamptz,
        version     bigint NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX questions_one_per_slug ON questions (slug) WHERE deleted_at IS NULL;
    CREATE INDEX questions_listed ON questions (id) WHERE enabled AND deleted_at IS NULL;
    CREATE INDEX questions_by_owner ON questions (owner_id, id) WHERE deleted_at IS NULL;
    CREATE INDEX questions_by_tag ON questions USING gin (tags);

    CREATE TABLE revisions (
        question_id  uuid NOT NULL REFERENCES questions,
        number       integer NOT NULL CHECK (number > 0),
        statement    jsonb NOT NULL,
        limits       jsonb NOT NULL,
        judging      jsonb NOT NULL,
        languages    text[] NOT NULL,
        judge_hash   bytea NOT NULL CHECK (length(judge_hash) = 32),
        made_by      uuid NOT NULL,
        made_at      timestamptz NOT NULL,
        PRIMARY KEY (question_id, number)
    );
    ALTER TABLE questions ADD CONSTRAINT questions_revision_exists
        FOREIGN KEY (id, revision) REFERENCES revisions (question_id, number) DEFERRABLE INITIALLY DEFERRED;

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a revision never changes: make a new one' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'revisions_never_change', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
    END $$;
    CREATE TRIGGER revisions_never_change BEFORE UPDATE OR DELETE ON revisions
        FOR EACH ROW EXECUTE FUNCTION refuse_change();

    CREATE TABLE languages (
        slug                 text PRIMARY KEY CHECK (slug ~ '^[a-z][a-z0-9+]{0,31}$'),
        name                 text NOT NULL,
        enabled              boolean NOT NULL DEFAULT true,
        lane                 text NOT NULL CHECK (lane IN ('light', 'heavy')),
        time_factor_milli    integer NOT NULL CHECK (time_factor_milli >= 1000),
        memory_factor_milli  integer NOT NULL CHECK (memory_factor_milli >= 1000),
        definition           jsonb NOT NULL,
        version              bigint NOT NULL DEFAULT 0
    );

    CREATE TABLE catalogue (
        only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        revision  bigint NOT NULL
    );
    INSERT INTO catalogue (revision) VALUES (1);
    """)


def downgrade() -> None:
    op.execute("""
    ALTER TABLE questions DROP CONSTRAINT questions_revision_exists;
    DROP TABLE catalogue, languages, revisions, questions;
    DROP FUNCTION refuse_change;
    """)
