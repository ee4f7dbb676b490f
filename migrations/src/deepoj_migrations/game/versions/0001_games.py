"""Games, who takes part, and what people ask and are told."""

from alembic import op

revision = "game_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE games (
        id                 uuid PRIMARY KEY,
        title              text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
        description        text NOT NULL DEFAULT '',
        owner_id           uuid NOT NULL,
        format             text NOT NULL CHECK (format IN ('icpc', 'ioi', 'oi', 'atcoder', 'codeforces')),
        options            jsonb NOT NULL,
        starts_at          timestamptz NOT NULL,
        ends_at            timestamptz NOT NULL,
        freezes_at         timestamptz,
        removed_intervals  jsonb NOT NULL DEFAULT '[]',
        unfrozen_at        timestamptz,
        finalized_at       timestamptz,
        private            boolean NOT NULL DEFAULT false,
        password_hash      text,
        sign_up_during     boolean NOT NULL DEFAULT false,
        cancel_during      boolean NOT NULL DEFAULT false,
        virtual_allowed    boolean NOT NULL DEFAULT false,
        deleted_at         timestamptz,
        CONSTRAINT games_end_after_they_start CHECK (starts_at < ends_at),
        CONSTRAINT games_freeze_while_they_run
            CHECK (freezes_at IS NULL OR (starts_at <= freezes_at AND freezes_at <= ends_at)),
        CONSTRAINT games_finalize_after_the_end CHECK (finalized_at IS NULL OR finalized_at >= ends_at)
    );
    CREATE INDEX games_by_start ON games (starts_at, id) WHERE deleted_at IS NULL;

    CREATE TABLE problems (
        game_id        uuid NOT NULL REFERENCES games,
        question_id    uuid NOT NULL,
        ordinal        integer NOT NULL CHECK (ordinal >= 0),
        label          text NOT NULL CHECK (length(label) BETWEEN 1 AND 8),
        points_micros  bigint NOT NULL CHECK (points_micros >= 0),
        colour         text NOT NULL DEFAULT '' CHECK (colour ~ '^(#[0-9a-f]{6})?$'),
        PRIMARY KEY (game_id, question_id),
        CONSTRAINT problems_one_per_label UNIQUE (game_id, label),
        CONSTRAINT problems_one_per_place UNIQUE (game_id, ordinal)
    );

    CREATE TABLE staff (
        game_id     uuid NOT NULL REFERENCES games,
        account_id  uuid NOT NULL,
        role        text NOT NULL CHECK (role IN ('admin', 'judge')),
        PRIMARY KEY (game_id, account_id)
    );

    CREATE TABLE invitations (
        game_id     uuid NOT NULL REFERENCES games,
        account_id  uuid NOT NULL,
        PRIMARY KEY (game_id, account_id)
    );

    CREATE TABLE participants (
        game_id             uuid NOT NULL REFERENCES games,
        account_id          uuid NOT NULL,
        display_name        text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 100),
        kind                text NOT NULL CHECK (kind IN ('official', 'unofficial', 'hidden', 'virtual')),
        signed_up_at        timestamptz NOT NULL,
        virtual_start       timestamptz,
        penalty_adjustment  integer NOT NULL DEFAULT 0,
        withdrawn           boolean NOT NULL DEFAULT false,
        PRIMARY KEY (game_id, account_id),
        CONSTRAINT participants_virtual_has_a_start CHECK ((kind = 'virtual') = (virtual_start IS NOT NULL))
    );
    CREATE INDEX participants_by_account ON participants (account_id, game_id);

    CREATE TABLE clarifications (
        id           uuid PRIMARY KEY,
        game_id      uuid NOT NULL REFERENCES games,
        question_id  uuid,
        asked_by     uuid,
        text         text NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
        asked_at     timestamptz NOT NULL,
        answer       text,
        answered_by  uuid,
        answered_at  timestamptz,
        public       boolean NOT NULL DEFAULT false,
        CONSTRAINT clarifications_an_answer_has_an_author
            CHECK ((answer IS NULL) = (answered_by IS NULL) AND (answer IS NULL) = (answered_at IS NULL))
    );
    CREATE INDEX clarifications_by_game ON clarifications (game_id, id);

    CREATE TABLE audit (
        id        uuid PRIMARY KEY,
        game_id   uuid NOT NULL REFERENCES games,
        actor_id  uuid NOT NULL,
        at        timestamptz NOT NULL,
        action    text NOT NULL,
        reason    text NOT NULL DEFAULT '',
        details   jsonb NOT NULL DEFAULT '{}'
    );
    CREATE INDEX audit_by_game ON audit (game_id, id);
    """)


def downgrade() -> None:
    op.execute("DROP TABLE audit, clarifications, participants, invitations, staff, problems, games")
