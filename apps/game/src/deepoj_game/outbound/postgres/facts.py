"""The log of a board: facts go in, and come out by participant or by cell."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.outbound.postgres.people import everybody
from deepoj_game.outbound.postgres.tables import FACTS, listed, names, records
from deepoj_kit.postgres import Connection

# What is stored beside the fact itself: where it is, what follows from it, and when it came.
_AROUND: Final = frozenset({"log_id", "decided", "sequence"})
LOGGED_COLUMNS: Final = names(FACTS, without={"log_id"})
FACT_COLUMNS: Final = listed(names(FACTS, without=_AROUND), of="f")
FACT_RECORDS: Final = records(FACTS, LOGGED_COLUMNS)
_IDS: Final = ("submission_id", "origin_id", "account_id", "question_id")
# Ids as bytes: a whole contest comes this way, and making a UUID takes longer than reading its row.
_OF_ACCOUNTS: Final = f"""
SELECT {", ".join(f"uuid_send(f.{name})" for name in _IDS)},
    {listed(names(FACTS, without=_AROUND | frozenset(_IDS)), of="f")}
FROM game.facts f WHERE f.log_id = %s AND f.account_id = ANY(%s)
""".encode()  # noqa: S608 — the names of the columns
_COUNT: Final = """
SELECT count(*) FROM (SELECT FROM game.facts WHERE log_id = %s AND account_id = ANY(%s) LIMIT %s) AS found
"""
# A fact that is there already stays as it is: the log only grows.
INSERT_FACTS: Final = f"""
INSERT INTO game.facts (log_id, {listed(LOGGED_COLUMNS)})
SELECT %s, {listed(LOGGED_COLUMNS)} FROM {FACT_RECORDS.called("new")} ON CONFLICT DO NOTHING
"""  # noqa: S608 — same
_SINCE: Final = """
SELECT DISTINCT account_id FROM game.facts WHERE log_id = %s AND submitted_us >= %s
UNION SELECT account_id FROM game.participants WHERE game_id = %s AND kind = 'virtual'
"""
_SENDERS: Final = """
SELECT DISTINCT account_id FROM game.facts
WHERE log_id = %(log)s AND (submission_id = ANY(%(submissions)s) OR origin_id = ANY(%(submissions)s))
"""
# A chain is decided when any of its facts is: what supersedes a verdict is a verdict. One pass over the log,
# however little the planner knows of it: a board that was just rebuilt has no statistics.
_UNDECIDED: Final = """
WITH undecided AS MATERIALIZED (
    SELECT origin_id, account_id, question_id, min(submitted_us) AS submitted_us FROM game.facts
    WHERE log_id = %(log)s AND submitted_us >= %(start)s AND submitted_us < %(end)s
    GROUP BY origin_id, account_id, question_id HAVING NOT bool_or(decided)
)
SELECT u.origin_id, u.account_id, p.display_name, u.question_id, u.submitted_us FROM undecided u
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = u.account_id
WHERE NOT p.withdrawn AND p.kind <> 'virtual' AND u.origin_id <> ALL (%(ignored)s)
ORDER BY u.submitted_us, u.origin_id LIMIT %(most)s
"""
_OF_ORIGINS: Final = """
SELECT f.origin_id, f.account_id, p.display_name, f.question_id, min(f.submitted_us) FROM game.facts f
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = f.account_id
WHERE f.log_id = %(log)s AND f.origin_id = ANY (%(origins)s)
GROUP BY f.origin_id, f.account_id, p.display_name, f.question_id ORDER BY 5, 1 LIMIT %(most)s
"""

_GROUPS = msgspec.json.Decoder(tuple[tuple[str, int], ...])
_VERDICTS: Final[Mapping[str | None, Verdict | None]] = {None: None, **{each.value: each for each in Verdict}}
_Raw = tuple[bytes, bytes, bytes, bytes, int, int, str | None, int, str, bool]


class FactRow(NamedTuple):
    """What a fact is made of, in the order of the table."""

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


def fact_values(fact: Fact, sequence: int | None) -> tuple[object, ...]:
    """Return the values in the order of `LOGGED_COLUMNS`."""
    groups = [(group.group, group.score.micros) for group in fact.groups]
    return (
        fact.submission_id, fact.is_decided, fact.origin_id, fact.account_id, fact.question_id,
        fact.submitted_us, fact.known_us, fact.verdict, fact.score.micros,
        msgspec.json.encode(groups).decode(), fact.cancelled, sequence,
    )  # fmt: skip


def fact_of(row: FactRow) -> Fact:
    return Fact(
        submission_id=SubmissionId(row.submission_id),
        origin_id=SubmissionId(row.origin_id),
        account_id=AccountId(row.account_id),
        question_id=QuestionId(row.question_id),
        submitted_us=row.submitted_us,
        known_us=row.known_us,
        verdict=_VERDICTS[row.verdict],
        score=_score(row.score_micros),
        groups=_groups(row.groups),
        cancelled=row.cancelled,
    )


async def facts_of_accounts(
    connection: Connection, log_id: UUID, accounts: Sequence[AccountId]
) -> Mapping[AccountId, list[Fact]]:
    cursor = await connection.cursor(binary=True).execute(_OF_ACCOUNTS, (log_id, list(accounts)))
    rows = await cursor.fetchall()
    return await asyncio.to_thread(_by_account, accounts, [(*row,) for row in rows])


def _by_account(accounts: Sequence[AccountId], rows: Sequence[_Raw]) -> dict[AccountId, list[Fact]]:
    """In a thread: thousands come at once, and others want their turn."""
    found: dict[AccountId, list[Fact]] = {account: [] for account in accounts}
    for row in rows:
        fact = _fact(row)
        found[fact.account_id].append(fact)
    return found


def _fact(row: _Raw) -> Fact:
    made, origin, account, question, submitted_us, known_us, verdict, micros, groups, cancelled = row
    submission_id = UUID(bytes=made)
    return Fact(
        submission_id=SubmissionId(submission_id),
        origin_id=SubmissionId(submission_id if origin == made else UUID(bytes=origin)),
        account_id=AccountId(_id(account)),
        question_id=QuestionId(_id(question)),
        submitted_us=submitted_us,
        known_us=known_us,
        verdict=_VERDICTS[verdict],
        score=_score(micros),
        groups=_groups(groups),
        cancelled=cancelled,
    )


# What many facts have in common is made once.
@lru_cache(maxsize=16_384)
def _id(value: bytes) -> UUID:
    return UUID(bytes=value)


@lru_cache(maxsize=16_384)
def _score(micros: int) -> Score:
    return Score(micros)


@lru_cache(maxsize=16_384)
def _groups(text: str) -> tuple[GroupScore, ...]:
    return tuple(GroupScore(name, Score(micros)) for name, micros in _GROUPS.decode(text))


async def accounts_touched(
    connection: Connection, game_id: GameId, log_id: UUID, touched: Touched
) -> list[AccountId]:
    if touched.everybody:
        return await everybody(connection, game_id)
    found = set(touched.accounts)
    if touched.since_us is not None:
        cursor = await connection.execute(_SINCE, (log_id, touched.since_us, game_id))
        found.update(AccountId(row[0]) for row in await cursor.fetchall())
    if touched.submissions:
        found.update(await senders_of(connection, log_id, touched.submissions))
    return sorted(found)


async def senders_of(
    connection: Connection, log_id: UUID, submissions: Collection[SubmissionId]
) -> list[AccountId]:
    """Find whose submissions these are, by any submission of a chain."""
    parameters = {"log": log_id, "submissions": list(submissions)}
    cursor = await connection.execute(_SENDERS, parameters)
    return [AccountId(row[0]) for row in await cursor.fetchall()]


class LoggedRow(NamedTuple):
    """A submission and whose it is, in the order of the statements above."""

    origin_id: UUID
    account_id: UUID
    display_name: str
    question_id: UUID
    submitted_us: int


async def submissions_of(
    connection: Connection, game: Game, log_id: UUID, origins: Collection[SubmissionId], most: int
) -> list[LoggedRow]:
    parameters = {"game": game.id, "log": log_id, "origins": list(origins), "most": most}
    rows = await (await connection.execute(_OF_ORIGINS, parameters)).fetchall()
    return [LoggedRow(*row) for row in rows]


async def undecided(
    connection: Connection, game: Game, log_id: UUID, clock: GameClock, most: int
) -> list[LoggedRow]:
    parameters = {
        "game": game.id,
        "log": log_id,
        "start": clock.start_us,
        "end": clock.end_us,
        "ignored": list(game.ignored),
        "most": most,
    }
    rows = await (await connection.execute(_UNDECIDED, parameters)).fetchall()
    return [LoggedRow(*row) for row in rows]


async def count_facts(
    connection: Connection, log_id: UUID, accounts: Sequence[AccountId], enough: int
) -> int:
    """Count no further than one more than `enough`."""
    row = await (await connection.execute(_COUNT, (log_id, list(accounts), enough + 1))).fetchone()
    return 0 if row is None else row[0]
