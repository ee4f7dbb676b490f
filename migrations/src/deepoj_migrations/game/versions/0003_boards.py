"""The log of judged submissions and the boards computed from it.

A board is a log of facts and what follows from it (`rows`, `cells`). A game shows one; a recompute builds
another beside it and then changes `counters.board_id`. `changes` numbers what people see change.
"""

from alembic import op

revision = "game_0003"
down_revision = "game_0002"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE boards (
        id       uuid PRIMARY KEY,
        game_id  uuid NOT NULL REFERENCES games,
        made_at  timestamptz NOT NULL
    );
    CREATE INDEX boards_by_game ON boards (game_id);

    CREATE TABLE counters (
        game_id   uuid PRIMARY KEY REFERENCES games,
        sequence  bigint NOT NULL DEFAULT 0,
        board_id  uuid NOT NULL REFERENCES boards,
        version   bigint NOT NULL DEFAULT 1
    );
    COMMENT ON TABLE counters IS 'whoever writes to a game locks its row: numbers commit in order, no gap';
    COMMENT ON COLUMN counters.version IS 'grows with every change of the game itself';

    CREATE TABLE changes (
        game_id           uuid NOT NULL REFERENCES games,
        sequence          bigint NOT NULL CHECK (sequence > 0),
        kind              text NOT NULL CHECK (kind IN ('row', 'clarification', 'reload')),
        account_id        uuid,
        clarification_id  uuid,
        at                timestamptz NOT NULL,
        PRIMARY KEY (game_id, sequence),
        CONSTRAINT changes_name_what_changed CHECK (
            (kind = 'row') = (account_id IS NOT NULL)
            AND (kind = 'clarification') = (clarification_id IS NOT NULL))
    );
    CREATE FUNCTION changes_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the changes of a game only grow' USING ERRCODE = 'check_violation';
    END $$;
    CREATE TRIGGER changes_only_grow BEFORE UPDATE OR DELETE ON changes
        FOR EACH STATEMENT EXECUTE FUNCTION changes_only_grow();

    CREATE TABLE facts (
        board_id       uuid NOT NULL REFERENCES boards,
        submission_id  uuid NOT NULL,
        decided        boolean NOT NULL,
        origin_id      uuid NOT NULL,
        account_id     uuid NOT NULL,
        question_id    uuid NOT NULL,
        submitted_us   bigint NOT NULL,
        known_us       bigint NOT NULL,
        verdict        text CHECK (verdict IN ('AC', 'WA', 'PE', 'TLE', 'MLE', 'OLE', 'RE', 'CE', 'SE')),
        score_micros   bigint NOT NULL,
        groups         text NOT NULL,
        cancelled      boolean NOT NULL,
        sequence       bigint,
        PRIMARY KEY (board_id, submission_id, decided),
        CONSTRAINT facts_known_after_they_happened CHECK (known_us >= submitted_us),
        CONSTRAINT facts_decided_says_how CHECK (decided = (cancelled OR verdict IS NOT NULL)),
        CONSTRAINT facts_cancelled_has_no_verdict CHECK (NOT (cancelled AND verdict IS NOT NULL))
    );
    CREATE INDEX facts_by_cell ON facts (board_id, account_id, question_id);
    CREATE INDEX facts_by_origin ON facts (board_id, origin_id);
    CREATE INDEX facts_by_sequence ON facts (board_id, sequence);
    CREATE INDEX facts_by_time ON facts (board_id, submitted_us);
    COMMENT ON COLUMN facts.sequence IS 'the change that brought it; null while a board is being built';

    CREATE TABLE rows (
        board_id    uuid NOT NULL REFERENCES boards,
        account_id  uuid NOT NULL,
        shown       boolean NOT NULL,
        ranked      boolean NOT NULL,
        full_key    bytea NOT NULL,
        full_row    text NOT NULL,
        frozen_key  bytea NOT NULL,
        frozen_row  text NOT NULL,
        PRIMARY KEY (board_id, account_id)
    );
    CREATE INDEX rows_full ON rows (board_id, full_key, account_id);
    CREATE INDEX rows_frozen ON rows (board_id, frozen_key, account_id);
    CREATE INDEX rows_full_ranked ON rows (board_id, full_key, account_id) WHERE ranked;
    CREATE INDEX rows_frozen_ranked ON rows (board_id, frozen_key, account_id) WHERE ranked;
    COMMENT ON COLUMN rows.full_key IS 'orders rows, smaller is better; equal keys share a rank';

    CREATE TABLE cells (
        board_id           uuid NOT NULL REFERENCES boards,
        question_id        uuid NOT NULL,
        account_id         uuid NOT NULL,
        full_solved_ms     bigint,
        full_pending_ms    bigint,
        frozen_solved_ms   bigint,
        frozen_pending_ms  bigint,
        PRIMARY KEY (board_id, question_id, account_id)
    );
    CREATE INDEX cells_full_solved ON cells (board_id, question_id, full_solved_ms)
        WHERE full_solved_ms IS NOT NULL;
    CREATE INDEX cells_full_pending ON cells (board_id, question_id, full_pending_ms)
        WHERE full_pending_ms IS NOT NULL;
    CREATE INDEX cells_frozen_solved ON cells (board_id, question_id, frozen_solved_ms)
        WHERE frozen_solved_ms IS NOT NULL;
    CREATE INDEX cells_frozen_pending ON cells (board_id, question_id, frozen_pending_ms)
        WHERE frozen_pending_ms IS NOT NULL;
    COMMENT ON TABLE cells IS 'times of ranked participants, from which follows who was first to solve';

    CREATE TABLE ignored (
        game_id    uuid NOT NULL REFERENCES games,
        origin_id  uuid NOT NULL,
        PRIMARY KEY (game_id, origin_id)
    );
    """)


def downgrade() -> None:
    op.execute("""
    DROP TABLE ignored, cells, rows, facts, changes, counters, boards;
    DROP FUNCTION changes_only_grow();
    """)
