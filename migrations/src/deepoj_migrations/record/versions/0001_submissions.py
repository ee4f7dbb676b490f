"""Submissions, their sources, their attempts and rejudges."""

from alembic import op

revision = "record_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE rejudges (
        id          uuid PRIMARY KEY,
        state       text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'APPLIED', 'DISCARDED')),
        selection   jsonb NOT NULL,
        reason      text NOT NULL,
        started_by  uuid NOT NULL,
        started_at  timestamptz NOT NULL,
        closed_at   timestamptz,
        version     bigint NOT NULL DEFAULT 0,
        CONSTRAINT rejudges_open_means_not_closed CHECK ((state = 'OPEN') = (closed_at IS NULL))
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
        reason             text,
        submitted_at       timestamptz NOT NULL,
        updated_at         timestamptz NOT NULL,
        finished_at        timestamptz,
        origin_id          uuid NOT NULL REFERENCES submissions,
        rejudge_of         uuid REFERENCES submissions,
        rejudge_id         uuid REFERENCES rejudges,
        is_head            boolean NOT NULL,
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
        CONSTRAINT submissions_dead_and_cancelled_say_why
            CHECK (status NOT IN ('DEAD', 'CANCELLED') OR reason IS NOT NULL),
        CONSTRAINT submissions_a_chain_begins_with_its_origin
            CHECK ((rejudge_of IS NULL) = (origin_id = id))
    );

    CREATE UNIQUE INDEX submissions_one_per_idempotency_key
        ON submissions (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE UNIQUE INDEX submissions_one_head_per_chain ON submissions (origin_id) WHERE is_head;

    CREATE INDEX submissions_chain ON submissions (origin_id);
    CREATE INDEX submissions_rejudges_of ON submissions (rejudge_of) WHERE rejudge_of IS NOT NULL;
    CREATE INDEX submissions_of_a_rejudge ON submissions (rejudge_id, id) WHERE rejudge_id IS NOT NULL;
    CREATE INDEX submissions_by_account ON submissions (account_id, id) WHERE is_head;
    CREATE INDEX submissions_by_question ON submissions (question_id, id) WHERE is_head;
    CREATE INDEX submissions_by_game ON submissions (game_id, id) WHERE is_head AND game_id IS NOT NULL;
    CREATE INDEX submissions_accepted
        ON submissions (account_id, question_id, submitted_at) WHERE is_head AND verdict = 'AC';
    CREATE INDEX submissions_waiting
        ON submissions (lane, band, id) WHERE status IN ('PENDING', 'DISPATCHED');
    CREATE INDEX submissions_waiting_since
        ON submissions (updated_at) WHERE status IN ('PENDING', 'DISPATCHED');
    CREATE INDEX submissions_leases ON submissions (lease_until) WHERE status = 'RUNNING';
    CREATE INDEX submissions_in_flight
        ON submissions (account_id) WHERE status IN ('PENDING', 'DISPATCHED', 'RUNNING');
    CREATE INDEX submissions_dead ON submissions (finished_at, id) WHERE status = 'DEAD';

    CREATE TABLE sources (
        submission_id  uuid PRIMARY KEY REFERENCES submissions,
        code           text NOT NULL CHECK (length(code) > 0),
        sha256         bytea NOT NULL CHECK (length(sha256) = 32)
    );

    CREATE TABLE attempts (
        submission_id  uuid NOT NULL REFERENCES submissions,
        attempt_id     integer NOT NULL CHECK (attempt_id > 0),
        worker         text NOT NULL,
        started_at     timestamptz NOT NULL,
        ended_at       timestamptz,
        outcome        text CHECK (outcome IN ('finished', 'retried', 'worker_lost', 'cancelled', 'dead')),
        reason         text,
        error          text,
        PRIMARY KEY (submission_id, attempt_id),
        CONSTRAINT attempts_an_end_has_an_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL))
    );
    """)


def downgrade() -> None:
    op.execute("DROP TABLE attempts, sources, submissions, rejudges")
