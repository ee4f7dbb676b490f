"""The titles of a question in all its languages, for lists, and the orders of a list."""

from alembic import op

revision = "question_0005"
down_revision = "question_0004"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE questions ADD COLUMN titles jsonb NOT NULL DEFAULT '[]';
    COMMENT ON COLUMN questions.titles IS 'locale and title of each statement, in their order';
    UPDATE questions q SET titles = (
        SELECT coalesce(jsonb_agg(
            jsonb_build_object('locale', each->'locale', 'title', each->'title') ORDER BY position
        ), '[]')
        FROM revisions r,
            jsonb_array_elements(r.presentation->'statements') WITH ORDINALITY AS s (each, position)
        WHERE r.question_id = q.id AND r.number = q.revision
    );
    CREATE INDEX questions_by_title ON questions ((lower(left(title, 60)) COLLATE "C"), id)
        WHERE deleted_at IS NULL;
    CREATE INDEX questions_from_easy_to_hard ON questions
        ((CASE level WHEN 'easy' THEN '1' WHEN 'medium' THEN '2' WHEN 'hard' THEN '3' ELSE '4' END), id)
        WHERE deleted_at IS NULL;
    """)


def downgrade() -> None:
    op.execute("""
    DROP INDEX questions_from_easy_to_hard;
    DROP INDEX questions_by_title;
    ALTER TABLE questions DROP COLUMN titles;
    """)
