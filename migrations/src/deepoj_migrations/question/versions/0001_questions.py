"""Questions, their immutable revisions, and the revision of the catalogue."""

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
        found_by    text NOT NULL,
        level       text CHECK (level IN ('easy', 'medium', 'hard')),
        tags        text[] NOT NULL DEFAULT '{}',
        created_at  timestamptz NOT NULL,
        updated_at  timestamptz NOT NULL,
        deleted_at  timestamptz,
        version     bigint NOT NULL DEFAULT 1
    );
    CREATE UNIQUE INDEX questions_one_per_slug ON questions (slug) WHERE deleted_at IS NULL;
    CREATE INDEX questions_listed ON questions (id) WHERE enabled AND deleted_at IS NULL;
    CREATE INDEX questions_by_owner ON questions (owner_id, id) WHERE deleted_at IS NULL;
    CREATE INDEX questions_by_level ON questions (level, id) WHERE deleted_at IS NULL;
    CREATE INDEX questions_by_tag ON questions USING gin (tags);
    COMMENT ON COLUMN questions.found_by IS 'slug and titles in lower case, for searching';

    CREATE TABLE revisions (
        question_id   uuid NOT NULL REFERENCES questions,
        number        integer NOT NULL CHECK (number > 0),
        presentation  jsonb NOT NULL,
        allowance     jsonb NOT NULL,
        languages     text[],
        judging       jsonb NOT NULL,
        extras        jsonb NOT NULL DEFAULT '[]',
        judge_hash    bytea NOT NULL CHECK (length(judge_hash) = 32),
        made_by       uuid NOT NULL,
        made_at       timestamptz NOT NULL,
        PRIMARY KEY (question_id, number)
    );
    COMMENT ON COLUMN revisions.languages IS 'NULL allows every language';
    ALTER TABLE questions ADD CONSTRAINT questions_revision_exists
        FOREIGN KEY (id, revision) REFERENCES revisions (question_id, number) DEFERRABLE INITIALLY DEFERRED;

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a revision never changes: make a new one' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'revisions_never_change', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
    END $$;
    CREATE TRIGGER revisions_never_change BEFORE UPDATE OR DELETE ON revisions
        FOR EACH ROW EXECUTE FUNCTION refuse_change();

    CREATE TABLE catalogue (
        only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        revision  bigint NOT NULL
    );
    INSERT INTO catalogue (revision) VALUES (1);
    """)


def downgrade() -> None:
    op.execute("""
    ALTER TABLE questions DROP CONSTRAINT questions_revision_exists;
    DROP TABLE catalogue, revisions, questions;
    DROP FUNCTION refuse_change;
    """)
