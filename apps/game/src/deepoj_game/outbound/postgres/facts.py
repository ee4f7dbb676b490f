"""The log of a board: facts go in, and come out by participant or by cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.records import Records

FACT_COLUMNS: Final = """f.submission_id, f.origin_id, f.account_id, f.question_id, f.submitted_us,
f.known_us, f.verdict, f.score_micros, f.groups, f.cancelled"""
FACTS: Final = Records(
    "submission_id uuid", "decided boolean", "origin_id uuid", "account_id uuid", "question_id uuid",
    "submitted_us bigint", "known_us bigint", "verdict text", "score_micros bigint", "groups text",
    "cancelled boolean", "sequence bigint",
)  # fmt: skip
_OF_ACCOUNTS: Final = f"""
SELECT {FACT_COLUMNS} FROM game.facts f WHERE f.board_id = %s AND f.account_id = ANY(%s)
"""  # noqa: S608 — same
# A fact that is there already stays as it is: the log only grows.
INSERT_FACTS: Final = f"""
INSERT INTO game.facts (board_id, {", ".join(FACTS.names)})
SELECT %s, {", ".join(FACTS.names)} FROM {FACTS.called("new")} ON CONFLICT DO NOTHING
"""  # noqa: S608 — same

_GROUPS = msgspec.json.Decoder(tuple[tuple[str, int], ...])


class FactRow(NamedTuple):
    """The columns in the order of `FACT_COLUMNS`."""

    submission_id: UUID
    origin_id: UUID
    account_id: UUID
    question_id: UUID
    submitted_us: int
    known_us: int
    verdict: str | None
    score_micros: int
    groups: str
    cancelled: bool


def is_decided(fact: Fact) -> bool:
    return fact.cancelled or fact.verdict is not None


def fact_values(fact: Fact, sequence: int | None) -> tuple[object, ...]:
    """Return the values in the order of `FACTS`."""
    groups = [(group.group, group.score.micros) for group in fact.groups]
    return (
        fact.submission_id, is_decided(fact), fact.origin_id, fact.account_id, fact.question_id,
        fact.submitted_us, fact.known_us, fact.verdict, fact.score.micros,
        msgspec.json.encode(groups).decode(), fact.cancelled, sequence,
    )  # fmt: skip


def fact_of(row: FactRow) -> Fact:
    groups = () if row.groups == "[]" else _GROUPS.decode(row.groups)
    return Fact(
        submission_id=SubmissionId(row.submission_id),
        origin_id=SubmissionId(row.origin_id),
        account_id=AccountId(row.account_id),
        question_id=QuestionId(row.question_id),
        submitted_us=row.submitted_us,
        known_us=row.known_us,
        verdict=None if row.verdict is None else Verdict(row.verdict),
        score=Score(row.score_micros),
        groups=tuple(GroupScore(name, Score(micros)) for name, micros in groups),
        cancelled=row.cancelled,
    )


async def facts_of_accounts(
    connection: Connection, board_id: UUID, accounts: Sequence[AccountId]
) -> Mapping[AccountId, list[Fact]]:
    cursor = await connection.execute(_OF_ACCOUNTS.encode(), (board_id, list(accounts)))
    found: dict[AccountId, list[Fact]] = {account: [] for account in accounts}
    for row in await cursor.fetchall():
        fact = fact_of(FactRow(*row))
        found[fact.account_id].append(fact)
    return found


async def insert_facts(
    connection: Connection, board_id: UUID, facts: Iterable[tuple[Fact, int | None]]
) -> int:
    """Return how many of them, each with the number of its change, were new."""
    rows = FACTS.parameter(fact_values(fact, sequence) for fact, sequence in facts)
    return (await connection.execute(INSERT_FACTS.encode(), (board_id, rows))).rowcount
