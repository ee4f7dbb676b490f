"""All that applying events to some cells needs, in one statement: round trips cost more than scoring."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import CellKey, Rivals, Situation, cell_of
from deepoj_domain.game.scoring.tally import CellSides
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_game.outbound.postgres.board_rows import decode_row
from deepoj_game.outbound.postgres.facts import FACT_COLUMNS, FactRow, fact_of
from deepoj_game.outbound.postgres.game_lock import LockedGame
from deepoj_game.outbound.postgres.participants import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.tables import FACTS, records

_PAIRS: Final = records(FACTS, ("account_id", "question_id"))
# The earliest of everybody else, and who holds it: with the cells at hand that says who is first.
_OTHERS: Final = """
SELECT json_agg(json_build_array(q.question_id, s.solved, p.pending, (
    SELECT json_agg(c.account_id) FROM game.cells c WHERE c.board_id = %(board)s
    AND c.question_id = q.question_id AND c.{view}_solved_ms = s.solved AND c.account_id <> ALL (%(accounts)s)
)))
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
     FROM {_PAIRS.called("pair").replace("%s", "%(pairs)s")} JOIN game.facts f ON f.log_id = %(log)s
        AND f.account_id = pair.account_id AND f.question_id = pair.question_id)::text,
    (SELECT json_agg(json_build_array(r.account_id, r.full_row, r.frozen_row)) FROM game.rows r
     WHERE r.board_id = %(board)s AND r.account_id = ANY (%(accounts)s))::text,
    ({_OTHERS.format(view="full")})::text, ({_OTHERS.format(view="frozen")})::text
""".encode()  # noqa: S608 — the names of the columns
_NOBODY: Final = AccountId(UUID(int=0))

_ParticipantLine = tuple[UUID, UUID, str, str, datetime, datetime | None, int, bool, bool]
_FactLine = tuple[UUID, UUID, UUID, UUID, int, int, str | None, int, str, bool]
_PARTICIPANTS = msgspec.json.Decoder(list[_ParticipantLine])
_FACTS = msgspec.json.Decoder(list[_FactLine])
_ROWS = msgspec.json.Decoder(list[tuple[UUID, str, str]])
_RIVALS = msgspec.json.Decoder(list[tuple[UUID, int | None, int | None, list[UUID] | None]])


async def read_situation(locked: LockedGame, cells: Collection[CellKey]) -> Situation:
    parameters = {
        "game": locked.game.id,
        "board": locked.board.id,
        "log": locked.board.log_id,
        "accounts": sorted({account for account, _ in cells}),
        "questions": sorted({question for _, question in cells}),
        "pairs": _PAIRS.parameter(sorted(cells)),
    }
    row = await (await locked.connection.execute(_LOAD, parameters)).fetchone()
    people, log, rows, full, frozen = (None,) * 5 if row is None else row
    found = [] if people is None else _PARTICIPANTS.decode(people)
    facts: dict[CellKey, list[Fact]] = {cell: [] for cell in cells}
    for line in [] if log is None else _FACTS.decode(log):
        fact = fact_of(FactRow(*line))
        facts[cell_of(fact)].append(fact)
    return Situation(
        participants={AccountId(each[1]): participant_of(ParticipantRow(*each)) for each in found},
        facts=facts,
        sides={AccountId(account): _sides(*both) for account, *both in _ROWS.decode(rows or b"[]")},
        rivals=_rivals(full),
        frozen_rivals=_rivals(frozen),
    )


def _rivals(text: str | None) -> dict[QuestionId, Rivals]:
    return {
        QuestionId(question): Rivals(solved, pending, tuple(AccountId(each) for each in holders or ()))
        for question, solved, pending, holders in ([] if text is None else _RIVALS.decode(text))
    }


def _sides(full: str, frozen: str) -> list[CellSides]:
    # Neither account nor kind is part of a cell.
    whole = decode_row(_NOBODY, ParticipantKind.OFFICIAL, full)
    shown = whole if frozen == full else decode_row(_NOBODY, ParticipantKind.OFFICIAL, frozen)
    return [CellSides(*pair) for pair in zip(whole.cells, shown.cells, strict=True)]
