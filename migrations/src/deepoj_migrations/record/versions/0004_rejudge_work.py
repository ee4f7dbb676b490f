"""How far a rejudge is: opening, applying and discarding are work that may be interrupted."""

from alembic import op

revision = "record_0004"
down_revision = "record_0003"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE rejudges
        DROP CONSTRAINT rejudges_status_check,
        DROP CONSTRAINT rejudges_a_preview_is_not_closed,
        ADD CONSTRAINT rejudges_status_check CHECK (status IN
            ('opening', 'preview', 'applying', 'applied', 'discarding', 'discarded')),
        ADD CONSTRAINT rejudges_closed_has_an_end
            CHECK ((status IN ('applied', 'discarded')) = (closed_at IS NOT NULL)),
        ADD COLUMN selected    integer NOT NULL DEFAULT 0 CHECK (selected >= 0),
        ADD COLUMN reached     uuid,
        ADD COLUMN applied     integer NOT NULL DEFAULT 0 CHECK (applied >= 0),
        ADD COLUMN dropped     integer NOT NULL DEFAULT 0 CHECK (dropped >= 0),
        ADD COLUMN decided_by  uuid,
        ADD COLUMN touched_at  timestamptz NOT NULL DEFAULT now();
    UPDATE rejudges r SET
        selected = (SELECT count(*) FROM submissions s WHERE s.rejudge_id = r.id),
        applied = (SELECT count(*) FROM submissions s
                   WHERE s.rejudge_id = r.id AND s.standing IN ('head', 'archived')),
        dropped = (SELECT count(*) FROM submissions s WHERE s.rejudge_id = r.id AND s.standing = 'discarded');
    CREATE INDEX rejudges_under_way ON rejudges (touched_at)
        WHERE status IN ('opening', 'applying', 'discarding');
    COMMENT ON COLUMN rejudges.selected IS 'how many submissions were selected when it was started';
    COMMENT ON COLUMN rejudges.reached IS 'the last selected submission whose candidate was made';
    COMMENT ON COLUMN rejudges.decided_by IS 'who applied or discarded it';
    """)


def downgrade() -> None:
    op.execute("""
    DROP INDEX rejudges_under_way;
    ALTER TABLE rejudges
        DROP CONSTRAINT rejudges_status_check,
        DROP CONSTRAINT rejudges_closed_has_an_end;
    UPDATE rejudges SET status = 'preview' WHERE status IN ('opening', 'applying', 'discarding');
    ALTER TABLE rejudges
        DROP COLUMN selected, DROP COLUMN reached, DROP COLUMN applied, DROP COLUMN dropped,
        DROP COLUMN decided_by, DROP COLUMN touched_at,
        ADD CONSTRAINT rejudges_status_check CHECK (status IN ('preview', 'applied', 'discarded')),
        ADD CONSTRAINT rejudges_a_preview_is_not_closed CHECK ((status = 'preview') = (closed_at IS NULL));
    """)
