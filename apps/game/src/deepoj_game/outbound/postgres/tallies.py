"""What follows from the log, written where pages are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import Tally
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_game.outbound.postgres.facts import FACTS, INSERT_FACTS, fact_values
from deepoj_game.outbound.postgres.row_codec import encode_row, key_of
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.records import Records

_ROWS: Final = Records(
    "account_id uuid", "shown boolean", "ranked boolean", "full_key text", "full_row text", "frozen_key text",
    "frozen_row text",
)  # fmt: skip
_CELLS: Final = Records(
    "question_id uuid", "account_id uuid", "full_solved_ms bigint", "full_pending_ms bigint",
    "frozen_solved_ms bigint", "frozen_pending_ms bigint",
)  # fmt: skip
_WRITE: Final = f"""
WITH logged AS ({INSERT_FACTS}), written AS (
    INSERT INTO game.rows
        (board_id, account_id, shown, ranked, full_key, full_row, frozen_key, frozen_row)
    SELECT %s, account_id, shown, ranked,
        decode(full_key, 'hex'), full_row, decode(frozen_key, 'hex'), frozen_row
    FROM {_ROWS.called("new")}
    ON CONFLICT (board_id, account_id) DO UPDATE SET
        shown = excluded.shown, ranked = excluded.ranked, full_key = excluded.full_key,
        full_row = excluded.full_row, frozen_key = excluded.frozen_key, frozen_row = excluded.frozen_row
)
INSERT INTO game.cells (board_id, {", ".join(_CELLS.names)})
SELECT %s, {", ".join(_CELLS.names)} FROM {_CELLS.called("new")}
ON CONFLICT (board_id, question_id, account_id) DO UPDATE SET
    full_solved_ms = excluded.full_solved_ms, full_pending_ms = excluded.full_pending_ms,
    frozen_solved_ms = excluded.frozen_solved_ms, frozen_pending_ms = excluded.frozen_pending_ms
"""  # noqa: S608 — composed of constants above
_DROP: Final = """
WITH dropped AS (DELETE FROM game.rows WHERE board_id = %(board)s AND account_id = ANY(%(accounts)s))
DELETE FROM game.cells WHERE board_id = %(board)s AND account_id = ANY(%(accounts)s)
"""

Scored = tuple[Participant, Tally]


async def write_tallies(
    connection: Connection,
    board_id: UUID,
    rules: Rules,
    scored: Sequence[Scored],
    touched: Iterable[tuple[AccountId, QuestionId]] | None = None,
    facts: Iterable[tuple[Fact, int | None]] = (),
) -> None:
    """`touched` names the cells that may have changed; without it all of them are written.

    `facts` are added to the log by the same statement, each with the number of its change.
    """
    only = None if touched is None else frozenset(touched)
    rows = _ROWS.parameter(_row(*each) for each in scored)
    cells = _CELLS.parameter(
        cell for participant, tally in scored if is_ranked(participant) for cell in _cells(rules, tally, only)
    )
    log = FACTS.parameter(fact_values(fact, sequence) for fact, sequence in facts)
    await connection.execute(_WRITE.encode(), (board_id, log, board_id, rows, board_id, cells))


async def drop_tallies(connection: Connection, board_id: UUID, accounts: Sequence[AccountId]) -> None:
    await connection.execute(_DROP, {"board": board_id, "accounts": list(accounts)})


def is_ranked(participant: Participant) -> bool:
    return participant.kind is ParticipantKind.OFFICIAL


def _row(participant: Participant, tally: Tally) -> tuple[object, ...]:
    full = key_of(tally.full).hex(), encode_row(tally.full)
    frozen = full if tally.frozen is tally.full else (key_of(tally.frozen).hex(), encode_row(tally.frozen))
    shown = participant.kind is not ParticipantKind.HIDDEN
    return participant.account_id, shown, is_ranked(participant), *full, *frozen


def _cells(
    rules: Rules, tally: Tally, only: frozenset[tuple[AccountId, QuestionId]] | None
) -> Iterable[tuple[object, ...]]:
    account = tally.full.account_id
    for problem, full, frozen in zip(rules.problems, tally.full.cells, tally.frozen.cells, strict=True):
        if only is not None and (account, problem.question_id) not in only:
            continue
        times = (full.solved_ms, full.pending_ms, frozen.solved_ms, frozen.pending_ms)
        # A rebuilt board starts empty; on a live one a cell may have to be emptied.
        if only is not None or any(time is not None for time in times):
            yield problem.question_id, account, *times
