"""The rows of boards as text with keys as bytes that sort as the keys do, and the times of their cells."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from types import GenericAlias
from typing import Any, Final, Generic, TypeVar, get_type_hints
from uuid import UUID

import msgspec

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import CellKey, Rivals, Situation, cell_of
from deepoj_domain.game.scoring.policy import Cell, Total
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import CellSides, Row, Scored, Tally
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.score import Score
from deepoj_game.outbound.postgres.facts import (
    FACT_COLUMNS,
    FACT_RECORDS,
    INSERT_FACTS,
    FactRow,
    fact_of,
    fact_values,
)
from deepoj_game.outbound.postgres.game_lock import BoardRef, LockedGame
from deepoj_game.outbound.postgres.people import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.tables import CELLS, FACTS, ROWS, excluded, listed, names, records
from deepoj_kit.postgres import Connection

T = TypeVar("T")
_BOARD: Final = {"board_id"}
_ROWS: Final = records(ROWS, names(ROWS, without=_BOARD))
_CELLS: Final = records(CELLS, names(CELLS, without=_BOARD))
_DECODED: Final = ", ".join(
    f"decode({name}, 'hex')" if name.endswith("_key") else name for name in _ROWS.names
)
_WRITE: Final = f"""
WITH logged AS ({INSERT_FACTS}), written AS (
    INSERT INTO game.rows (board_id, {listed(_ROWS.names)}) SELECT %s, {_DECODED} FROM {_ROWS.called("new")}
    ON CONFLICT (board_id, account_id) DO UPDATE SET
        {excluded(names(ROWS, without={"board_id", "account_id"}))}
)
INSERT INTO game.cells (board_id, {listed(_CELLS.names)})
SELECT %s, {listed(_CELLS.names)} FROM {_CELLS.called("new")}
ON CONFLICT (board_id, question_id, account_id) DO UPDATE SET
    {excluded(names(CELLS, without={"board_id", "question_id", "account_id"}))}
""".encode()  # noqa: S608 — the names of the columns
_DROP: Final = """
WITH dropped AS (DELETE FROM game.rows WHERE board_id = %(board)s AND account_id = ANY(%(accounts)s))
DELETE FROM game.cells WHERE board_id = %(board)s AND account_id = ANY(%(accounts)s)
"""

_ENCODER = msgspec.json.Encoder()
_CHUNK: Final = 200
_OFFSET: Final = 2**63
_KEY = struct.Struct(">QQQ")
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
_SITUATION: Final = f"""
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
_ROW_LINES = msgspec.json.Decoder(list[tuple[UUID, str, str]])
_RIVALS = msgspec.json.Decoder(list[tuple[UUID, int | None, int | None, list[UUID] | None]])


class _Fields(Generic[T]):
    """A dataclass as a tuple of its fields, in their order; a score as its micros."""

    def __init__(self, kind: type[T]) -> None:
        hints = get_type_hints(kind)
        self._kind = kind
        self._names = tuple(hints)
        self._scores = frozenset(name for name, hint in hints.items() if hint is Score)
        self.values = attrgetter(*(f"{each}.micros" if each in self._scores else each for each in hints))
        self.types = tuple(int if hint is Score else hint for hint in hints.values())

    def made_of(self, values: Iterable[Any]) -> T:
        named = dict(zip(self._names, values, strict=True))
        for name in self._scores:
            named[name] = Score(named[name])
        return self._kind(**named)


_TOTAL: Final = _Fields(Total)
_CELL: Final = _Fields(Cell)
_CELLS_TYPE: Final = GenericAlias(list, (GenericAlias(tuple, _CELL.types),))
_DECODER = msgspec.json.Decoder[tuple[Any, ...]](GenericAlias(tuple, (*_TOTAL.types, _CELLS_TYPE)))


def encode_row(row: Row) -> str:
    cells = list(map(_CELL.values, row.cells))
    return _ENCODER.encode((*_TOTAL.values(row.total), cells)).decode()


def decode_row(account_id: AccountId, kind: ParticipantKind, text: str) -> Row:
    *total, cells = _DECODER.decode(text)
    return Row(account_id, kind, _TOTAL.made_of(total), tuple(_cell(cell) for cell in cells))


@lru_cache(maxsize=65_536)
def _cell(values: tuple[int | None, ...]) -> Cell:
    """Most cells of a board are alike, and a frozen dataclass takes its time to make."""
    return _CELL.made_of(values)


def key_of(row: Row) -> bytes:
    """Shifted into the positive, so that bytes compare as the signed numbers do."""
    return _KEY.pack(*(part + _OFFSET for part in row.total.key))


async def write_rows(
    connection: Connection,
    board: BoardRef,
    rules: Rules,
    scored: Sequence[Scored],
    touched: Iterable[CellKey] | None = None,
    facts: Iterable[tuple[Fact, int | None]] = (),
) -> None:
    """`touched` names the cells that may have changed; without it all of them are written.

    `facts` are added to the log by the same statement, each with the number of its change.
    """
    only = None if touched is None else frozenset(touched)
    rows = _ROWS.parameter(_row(*each) for each in scored)
    cells = _CELLS.parameter(
        cell
        for participant, tally in scored
        if participant.kind.is_ranked
        for cell in _cells(rules, tally, only)
    )
    log = FACT_RECORDS.parameter(fact_values(fact, sequence) for fact, sequence in facts)
    await connection.execute(_WRITE, (board.log_id, log, board.id, rows, board.id, cells))


async def replace_rows(
    connection: Connection,
    board: BoardRef,
    rules: Rules,
    accounts: Sequence[AccountId],
    scored: Sequence[Scored],
) -> None:
    """Whoever of the accounts has no new row, has none afterwards."""
    await connection.execute(_DROP, {"board": board.id, "accounts": list(accounts)})
    for start in range(0, len(scored), _CHUNK):
        await write_rows(connection, board, rules, scored[start : start + _CHUNK])


def _row(participant: Participant, tally: Tally) -> tuple[object, ...]:
    full = key_of(tally.full).hex(), encode_row(tally.full)
    frozen = full if tally.frozen is tally.full else (key_of(tally.frozen).hex(), encode_row(tally.frozen))
    shown = participant.kind is not ParticipantKind.HIDDEN
    return participant.account_id, shown, participant.kind.is_ranked, *full, *frozen


def _cells(rules: Rules, tally: Tally, only: frozenset[CellKey] | None) -> Iterable[tuple[object, ...]]:
    account = tally.full.account_id
    for problem, full, frozen in zip(rules.problems, tally.full.cells, tally.frozen.cells, strict=True):
        if only is not None and (account, problem.question_id) not in only:
            continue
        times = (full.solved_ms, full.pending_ms, frozen.solved_ms, frozen.pending_ms)
        # A rebuilt board starts empty; on a live one a cell may have to be emptied.
        if only is not None or any(time is not None for time in times):
            yield problem.question_id, account, *times


async def read_situation(locked: LockedGame, cells: Collection[CellKey]) -> Situation:
    """Read all that applying events needs in one statement: round trips cost more than scoring."""
    parameters = {
        "game": locked.game.id,
        "board": locked.board.id,
        "log": locked.board.log_id,
        "accounts": sorted({account for account, _ in cells}),
        "questions": sorted({question for _, question in cells}),
        "pairs": _PAIRS.parameter(sorted(cells)),
    }
    row = await (await locked.connection.execute(_SITUATION, parameters)).fetchone()
    people, log, rows, full, frozen = (None,) * 5 if row is None else row
    found = [] if people is None else _PARTICIPANTS.decode(people)
    facts: dict[CellKey, list[Fact]] = {cell: [] for cell in cells}
    for line in [] if log is None else _FACTS.decode(log):
        fact = fact_of(FactRow(*line))
        facts[cell_of(fact)].append(fact)
    return Situation(
        participants={AccountId(each[1]): participant_of(ParticipantRow(*each)) for each in found},
        facts=facts,
        sides={AccountId(account): _sides(*both) for account, *both in _ROW_LINES.decode(rows or b"[]")},
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
