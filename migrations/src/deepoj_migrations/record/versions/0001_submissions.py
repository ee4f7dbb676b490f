"""Submissions, their sources, their attempts and rejudges."""

from alembic import op

revision = "record_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE rejudges (
        id          uuid PRIMARY KEY,
        status      text NOT NULL CHECK (status IN ('preview', 'applied', 'discarded')),
        selection   jsonb NOT NULL,
        reason      text NOT NULL,
        started_by  uuid NOT NULL,
        started_at  timestamptz NOT NULL,
        closed_at   timestamptz,
        version     bigint NOT NULL DEFAULT 0,
        CONSTRAINT rejudges_a_preview_is_not_closed CHECK ((status = 'preview') = (closed_at IS NULL))
    );

    CREATE TABLE submissions (
        id                 uuid PRIMARY KEY,
        account_id         uuid NOT NULL,
        idempotency_key    text CHECK (length(idempotency_key) BETWEEN 1 AND 200),
        request_hash       bytea CHECK (length(request_hash) = 32),
        question_id        uuid NOT NULL,
        question_revision  integer NOT NULL CHECK (question_revision > 0),
        game_id            uuid,
        language           text NOT NULL,
        code_sha256        bytea NOT NULL CHECK (length(code_sha256) = 32),
        source_bytes       integer NOT NULL CHECK (source_bytes > 0),
        lane               text NOT NULL CHECK (lane IN ('light', 'heavy')),
        band               text NOT NULL CHECK (band IN ('contest', 'normal', 'bulk')),
        status             text NOT NULL CHECK (status IN
                               ('PENDING', 'DISPATCHED', 'RUNNING', 'FINISHED', 'DEAD', 'CANCELLED')),
        attempt_id         integer NOT NULL DEFAULT 0 CHECK (attempt_id >= 0),
        lease_owner        text,
        lease_until        timestamptz,
        verdict            text CHECK (verdict IN ('AC', 'WA', 'PE', 'TLE', 'MLE', 'OLE', 'RE', 'CE', 'SE')),
        score_micros       bigint,
        result             jsonb,
        death_cause        text CHECK (death_cause IN ('attempts_exhausted', 'poison')),
        last_error         text,
        cancelled_by       uuid,
        submitted_at       timestamptz NOT NULL,
        updated_at         timestamptz NOT NULL,
        finished_at        timestamptz,
        origin_id          uuid NOT NULL REFERENCES submissions,
        rejudge_of         uuid REFERENCES submissions,
        rejudge_id         uuid REFERENCES rejudges,
        standing           text NOT NULL CHECK (standing IN ('head', 'candidate', 'archived', 'discarded')),
        message_due        timestamptz NOT NULL,
        message_id         uuid,
        traceparent        text,
        version            bigint NOT NULL DEFAULT 0,
        CONSTRAINT submissions_a_key_comes_with_its_body
            CHECK ((idempotency_key IS NULL) = (request_hash IS NULL)),
        CONSTRAINT submissions_only_running_holds_a_lease
            CHECK ((status = 'RUNNING') = (lease_owner IS NOT NULL AND lease_until IS NOT NULL)
                   AND (lease_owner IS NULL) = (lease_until IS NULL)),
        CONSTRAINT submissions_running_and_finished_have_an_attempt
            CHECK (status NOT IN ('RUNNING', 'FINISHED') OR attempt_id > 0),
        CONSTRAINT submissions_only_finished_has_a_result
            CHECK ((status = 'FINISHED') = (verdict IS NOT NULL)
                   AND (verdict IS NULL) = (score_micros IS NULL)
                   AND (verdict IS NULL) = (result IS NULL)),
        CONSTRAINT submissions_terminal_has_an_end
            CHECK ((status IN ('FINISHED', 'DEAD', 'CANCELLED')) = (finished_at IS NOT NULL)),
        CONSTRAINT submissions_dead_says_why
            CHECK ((status = 'DEAD') = (death_cause IS NOT NULL)
                   AND (death_cause IS NULL) = (last_error IS NULL)),
        CONSTRAINT submissions_cancelled_says_by_whom
            CHECK ((status = 'CANCELLED') = (cancelled_by IS NOT NULL)),
        CONSTRAINT submissions_a_chain_begins_with_its_origin
            CHECK ((rejudge_of IS NULL) = (origin_id = id))
    );

    CREATE UNIQUE INDEX submissions_one_per_idempotency_key
        ON submissions (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE UNIQUE INDEX submissions_one_head_per_chain ON submissions (origin_id) WHERE standing = 'head';
    CREATE UNIQUE INDEX submissions_rejudged_once_per_rejudge
        ON submissions (rejudge_id, rejudge_of) WHERE rejudge_id IS NOT NULL;

    CREATE INDEX submissions_rejudges_of ON submissions (rejudge_of) WHERE rejudge_of IS NOT NULL;
    CREATE INDEX submissions_of_a_rejudge ON submissions (rejudge_id, id) WHERE rejudge_id IS NOT NULL;
    CREATE INDEX submissions_by_time ON submissions (submitted_at, id);
    CREATE INDEX submissions_by_account ON submissions (account_id, submitted_at, id);
    CREATE INDEX submissions_by_question ON submissions (question_id, submitted_at, id);
    CREATE INDEX submissions_by_game ON submissions (game_id, submitted_at, id) WHERE game_id IS NOT NULL;
    CREATE INDEX submissions_accepted
        ON submissions (account_id, question_id, submitted_at) WHERE standing = 'head' AND verdict = 'AC';
    CREATE INDEX submissions_waiting
        ON submissions (lane, band, id) WHERE status IN ('PENDING', 'DISPATCHED');
    CREATE INDEX submissions_message_due
        ON submissions (message_due, id) WHERE status IN ('PENDING', 'DISPATCHED');
    CREATE INDEX submissions_leases ON submissions (lease_until, id) WHERE status = 'RUNNING';
    CREATE INDEX submissions_in_flight
        ON submissions (account_id) WHERE status IN ('PENDING', 'DISPATCHED', 'RUNNING');
    CREATE INDEX submissions_dead ON submissions (finished_at, id) WHERE status = 'DEAD';

    CREATE TABLE sources (
        origin_id  uuid PRIMARY KEY REFERENCES submissions,
        code       text NOT NULL CHECK (length(code) > 0)
    );
    COMMENT ON TABLE sources IS 'one for a whole rejudge chain';
    COMMENT ON COLUMN submissions.message_due IS 'when its latest queue message goes out';
    COMMENT ON COLUMN submissions.message_id IS 'the outbox row of its latest queue message';

    CREATE TABLE attempts (
        submission_id  uuid NOT NULL REFERENCES submissions,
        attempt_id     integer NOT NULL CHECK (attempt_id > 0),
        worker         text NOT NULL,
        started_at     timestamptz NOT NULL,
        ended_at       timestamptz,
        outcome        text CHECK (outcome IN ('finished', 'failed', 'worker_lost', 'cancelled')),
        reason         text NOT NULL DEFAULT '',
        PRIMARY KEY (submission_id, attempt_id),
        CONSTRAINT attempts_an_end_has_an_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL))
    );
    """)


def downgrade() -> None:
    op.execute("DROP TABLE attempts, sources, submissions, rejudges")
