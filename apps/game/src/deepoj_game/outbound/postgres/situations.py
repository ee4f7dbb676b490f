"""All that applying events to some cells needs, in one statement: round trips cost more than scoring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.board import first_to_solve
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.game.scoring.tally import CellSides, score_participant
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_game.outbound.postgres.facts import FACT_COLUMNS, FactRow, fact_of, facts_of_accounts
from deepoj_game.outbound.postgres.game_rows import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.locking import Locked
from deepoj_game.outbound.postgres.row_codec import decode_row
from deepoj_kit.postgres.records import Records

_PAIRS: Final = Records("account_id uuid", "question_id uuid")
# The earliest of everybody else, and who holds it: with the cells at hand that says who is first.
_OTHERS: Final = """
SELECT json_build_array('{view}', q.question_id, s.solved, p.pending, (
    SELECT json_agg(c.account_id) FROM game.cells c WHERE c.board_id = %(board)s
    AND c.question_id = q.question_id AND c.{view}_solved_ms = s.solved AND c.account_id <> ALL (%(accounts)s)
)) AS line
FROM unnest(%(questions)s::uuid[]) AS q (question_id)
CROSS JOIN LATERAL (SELECT min({view}_solved_ms) AS solved FROM game.cells c WHERE c.board_id = %(board)s
    AND c.question_id = q.question_id AND c.account_id <> ALL (%(accounts)s)) s
CROSS JOIN LATERAL (SELECT min({view}_pending_ms) AS pending FROM game.cells c WHERE c.board_id = %(board)s
    AND c.question_id = q.question_id AND c.account_id <> ALL (%(accounts)s)) p
"""
_LOAD: Final = f"""
SELECT
    (SELECT json_agg(json_build_array({PARTICIPANT_COLUMNS})) FROM game.participants p
     WHERE p.game_id = %(game)s AND p.account_id = ANY (%(accounts)s))::text,
    (SELECT json_agg(json_build_array({FACT_COLUMNS}))
     FROM {_PAIRS.called("pair").replace("%s", "%(pairs)s")} JOIN game.facts f ON f.board_id = %(board)s
        AND f.account_id = pair.account_id AND f.question_id = pair.question_id)::text,
    (SELECT json_agg(json_build_array(r.account_id, r.full_row, r.frozen_row)) FROM game.rows r
     WHERE r.board_id = %(board)s AND r.account_id = ANY (%(accounts)s))::text,
    (SELECT json_agg(o.line) FROM (
        {_OTHERS.format(view="full")} UNION ALL {_OTHERS.format(view="frozen")}
     ) AS o)::text
"""  # noqa: S608 — composed of constants
_NOBODY: Final = AccountId(UUID(int=0))

_ParticipantLine = tuple[UUID, UUID, str, str, datetime, datetime | None, int, bool]
_FactLine = tuple[UUID, UUID, UUID, UUID, int, int, str | None, int, str, bool]
_PARTICIPANTS = msgspec.json.Decoder(list[_ParticipantLine])
_FACTS = msgspec.json.Decoder(list[_FactLine])
_ROWS = msgspec.json.Decoder(list[tuple[UUID, str, str]])
_TIMES = msgspec.json.Decoder(list[tuple[str, UUID, int | None, int | None, list[UUID] | None]])

CellKey = tuple[AccountId, QuestionId]
Column = tuple[str, QuestionId]
"""A side of the freeze and a problem."""


@dataclass(frozen=True, slots=True)
class Others:
    """The best of those whom the events do not touch, on one problem."""

    solved_ms: int | None
    pending_ms: int | None
    holders: tuple[AccountId, ...]

    def first_with(self, cells: Iterable[tuple[AccountId, Cell]]) -> frozenset[AccountId]:
        known = [(account, Cell(solved_ms=self.solved_ms)) for account in self.holders]
        return first_to_solve([*known, (_NOBODY, Cell(pending_ms=self.pending_ms)), *cells])


@dataclass(frozen=True, slots=True)
class Loaded:
    participants: Mapping[AccountId, Participant]
    facts: Mapping[CellKey, list[Fact]]
    sides: Mapping[AccountId, Sequence[CellSides]]
    others: Mapping[Column, Others]


async def load(locked: Locked, cells: Collection[CellKey]) -> Loaded:
    parameters = {
        "game": locked.game.id,
        "board": locked.board_id,
        "accounts": sorted({account for account, _ in cells}),
        "questions": sorted({question for _, question in cells}),
        "pairs": _PAIRS.parameter(sorted(cells)),
    }
    row = await (await locked.connection.execute(_LOAD.encode(), parameters)).fetchone()
    people, log, rows, times = (None,) * 4 if row is None else row
    found = [] if people is None else _PARTICIPANTS.decode(people)
    participants = {AccountId(each[1]): participant_of(ParticipantRow(*each)) for each in found}
    facts: dict[CellKey, list[Fact]] = {cell: [] for cell in cells}
    for line in [] if log is None else _FACTS.decode(log):
        fact = fact_of(FactRow(*line))
        facts[fact.account_id, fact.question_id].append(fact)
    sides = {
        AccountId(account): _sides(full, frozen)
        for account, full, frozen in ([] if rows is None else _ROWS.decode(rows))
    }
    missing = [each for each in participants.values() if each.account_id not in sides and not each.withdrawn]
    return Loaded(participants, facts, sides | await _scored(locked, missing), _others(times))


def _others(text: str | None) -> dict[Column, Others]:
    return {
        (view, QuestionId(question)): Others(
            solved, pending, tuple(AccountId(each) for each in holders or ())
        )
        for view, question, solved, pending, holders in ([] if text is None else _TIMES.decode(text))
    }


def _sides(full: str, frozen: str) -> list[CellSides]:
    # Neither account nor kind is part of a cell.
    whole = decode_row(_NOBODY, ParticipantKind.OFFICIAL, full)
    shown = whole if frozen == full else decode_row(_NOBODY, ParticipantKind.OFFICIAL, frozen)
    return [CellSides(*pair) for pair in zip(whole.cells, shown.cells, strict=True)]


async def _scored(locked: Locked, participants: Sequence[Participant]) -> dict[AccountId, list[CellSides]]:
    """Nobody takes part without a row; should one be missing all the same, the log still has everything."""
    if not participants:
        return {}
    accounts = [each.account_id for each in participants]
    facts = await facts_of_accounts(locked.connection, locked.board_id, accounts)
    tallies = [score_participant(locked.rules, each, facts[each.account_id]) for each in participants]
    return {
        tally.full.account_id: [
            CellSides(*pair) for pair in zip(tally.full.cells, tally.frozen.cells, strict=True)
        ]
        for tally in tallies
    }
