"""Who is told of a change, and how the public numbers it.

What only its owner or the staff sees has no public number. Those told so far were told to everybody.
"""

from alembic import op

revision = "game_0005"
down_revision = "game_0004"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE counters ADD COLUMN public_sequence bigint NOT NULL DEFAULT 0;
    UPDATE counters SET public_sequence = sequence;

    ALTER TABLE changes ADD COLUMN public boolean NOT NULL DEFAULT true,
        ADD COLUMN public_sequence bigint, ADD COLUMN own_id uuid;
    ALTER TABLE changes DISABLE TRIGGER changes_only_grow;
    UPDATE changes SET public_sequence = sequence;
    ALTER TABLE changes ENABLE TRIGGER changes_only_grow;
    ALTER TABLE changes ALTER COLUMN public DROP DEFAULT, ALTER COLUMN public_sequence SET NOT NULL,
        ADD CONSTRAINT changes_own_are_not_public CHECK (NOT (public AND own_id IS NOT NULL));
    CREATE UNIQUE INDEX changes_public ON changes (game_id, public_sequence) WHERE public;
    CREATE INDEX changes_own ON changes (game_id, own_id, sequence) WHERE own_id IS NOT NULL;
    COMMENT ON COLUMN changes.public_sequence IS 'how many public changes there were, with this one';
    COMMENT ON COLUMN changes.own_id IS 'who is told beside the staff, when not everybody is';
    """)


def downgrade() -> None:
    op.execute("""
    DROP INDEX changes_own, changes_public;
    ALTER TABLE changes DROP CONSTRAINT changes_own_are_not_public,
        DROP COLUMN own_id, DROP COLUMN public_sequence, DROP COLUMN public;
    ALTER TABLE counters DROP COLUMN public_sequence;
    """)
