"""When each file was last relied on, and whether a revision names it: what a sweep may delete."""

from alembic import op

revision = "question_0006"
down_revision = "question_0005"

# Whatever in a revision looks like the name of a file is one: a kind of reference that comes later is safe.
NAMED = """
    SELECT DISTINCT decode(hit[1], 'hex')
    FROM regexp_matches(r.presentation::text || r.judging::text || r.extras::text, '"([0-9a-f]{64})"', 'g')
        AS hit
"""


def upgrade() -> None:
    op.execute(f"""
    CREATE TABLE objects (
        content   bytea PRIMARY KEY CHECK (length(content) = 32),
        used_at   timestamptz NOT NULL,
        named     boolean NOT NULL DEFAULT false,
        taken_at  timestamptz,
        CONSTRAINT objects_named_stay CHECK (NOT named OR taken_at IS NULL)
    );
    CREATE INDEX objects_unnamed ON objects (used_at) WHERE NOT named;
    COMMENT ON COLUMN objects.used_at IS 'when somebody last relied on finding it in the object store';
    COMMENT ON COLUMN objects.named IS 'by a revision, and so for ever';
    COMMENT ON COLUMN objects.taken_at IS 'since when a sweep has been deleting it';

    CREATE FUNCTION name_objects() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        INSERT INTO objects (content, used_at, named)
        SELECT content, now(), true
        FROM (SELECT NEW.*) AS r, LATERAL ({NAMED}) AS each (content)
        ORDER BY content
        ON CONFLICT (content) DO UPDATE SET named = true WHERE NOT objects.named;
        RETURN NULL;
    END $$;
    CREATE TRIGGER revisions_name_objects AFTER INSERT ON revisions
        FOR EACH ROW EXECUTE FUNCTION name_objects();

    INSERT INTO objects (content, used_at, named)
    SELECT DISTINCT content, now(), true FROM revisions r, LATERAL ({NAMED}) AS each (content);
    """)  # noqa: S608 — constants


def downgrade() -> None:
    op.execute("""
    DROP TRIGGER revisions_name_objects ON revisions;
    DROP FUNCTION name_objects;
    DROP TABLE objects;
    """)
