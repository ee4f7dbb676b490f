"""Work that takes long, and boards that share a log.

What takes longer than somebody waits for an answer (a recompute, a ruling on a large contest) is a row of
`work`. Whoever carries it out builds a board beside the one that is shown and notes here how far it came. A
ruling needs other rows but no other log, so a board names its log.
"""

from alembic import op

revision = "game_0006"
down_revision = "game_0005"


def upgrade() -> None:
    op.execute("""
    ALTER TABLE boards ADD COLUMN log_id uuid;
    UPDATE boards SET log_id = id;
    ALTER TABLE boards ALTER COLUMN log_id SET NOT NULL;
    CREATE INDEX boards_by_log ON boards (log_id);
    ALTER TABLE counters ADD COLUMN log_id uuid;
    UPDATE counters SET log_id = board_id;
    ALTER TABLE counters ALTER COLUMN log_id SET NOT NULL;

    ALTER TABLE facts DROP CONSTRAINT facts_board_id_fkey;
    ALTER TABLE facts RENAME COLUMN board_id TO log_id;
    DROP INDEX facts_by_sequence, facts_by_time;
    COMMENT ON COLUMN facts.sequence IS 'the change that brought it; null when a recompute did';

    CREATE TABLE work (
        id           uuid PRIMARY KEY,
        game_id      uuid NOT NULL REFERENCES games,
        kind         text NOT NULL,
        task         jsonb NOT NULL,
        asked_by     uuid NOT NULL,
        asked_at     timestamptz NOT NULL,
        reason       text NOT NULL DEFAULT '',
        stage        text NOT NULL DEFAULT 'waiting'
                     CHECK (stage IN ('waiting', 'reading', 'scoring', 'switching')),
        done         bigint NOT NULL DEFAULT 0,
        total        bigint NOT NULL DEFAULT 0,
        attempts     integer NOT NULL DEFAULT 0,
        board_id     uuid REFERENCES boards ON DELETE SET NULL,
        log_id       uuid,
        since        bigint,
        version      bigint,
        position     text NOT NULL DEFAULT '',
        submissions  bigint NOT NULL DEFAULT 0,
        finished_at  timestamptz,
        outcome      text CHECK (outcome IN ('done', 'refused', 'failed')),
        error        text NOT NULL DEFAULT '',
        result       jsonb,
        CONSTRAINT work_that_is_over_has_an_outcome CHECK ((finished_at IS NULL) = (outcome IS NULL)),
        CONSTRAINT work_past_waiting_has_a_board
            CHECK (stage = 'waiting' OR finished_at IS NOT NULL
                   OR (board_id IS NOT NULL AND log_id IS NOT NULL AND since IS NOT NULL))
    );
    CREATE UNIQUE INDEX work_one_at_a_time ON work (game_id) WHERE finished_at IS NULL;
    CREATE INDEX work_by_game ON work (game_id, id);
    COMMENT ON COLUMN work.since IS 'what was changed after this number has to be caught up with';
    COMMENT ON COLUMN work.version IS 'of the game whose rules the rows were scored by';
    COMMENT ON COLUMN work.position IS 'where the stage goes on';
    """)


def downgrade() -> None:
    op.execute("""
    DROP TABLE work;
    UPDATE facts f SET log_id = c.board_id FROM counters c
    WHERE c.log_id = f.log_id AND c.board_id <> f.log_id;
    DELETE FROM facts f WHERE NOT EXISTS (SELECT FROM boards b WHERE b.id = f.log_id);
    ALTER TABLE facts RENAME COLUMN log_id TO board_id;
    ALTER TABLE facts ADD CONSTRAINT facts_board_id_fkey FOREIGN KEY (board_id) REFERENCES boards;
    CREATE INDEX facts_by_sequence ON facts (board_id, sequence);
    CREATE INDEX facts_by_time ON facts (board_id, submitted_us);
    COMMENT ON COLUMN facts.sequence IS 'the change that brought it; null while a board is being built';
    ALTER TABLE counters DROP COLUMN log_id;
    DROP INDEX boards_by_log;
    ALTER TABLE boards DROP COLUMN log_id;
    """)
