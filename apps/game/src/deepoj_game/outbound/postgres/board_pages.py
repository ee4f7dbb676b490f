"""Pages of a board from the rows as they stand: every step is a walk along an index.

A rank is one more than the number of ranked rows with a better key; a count over ten thousand rows of an
index is faster than keeping ranks up to date, when one accepted submission may move thousands of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.board import OUT_OF_COMPETITION, BoardRow
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.game.scoring.tally import Row
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.paging import Page, PageRequest, malformed
from deepoj_game.outbound.postgres.board_rows import decode_row
from deepoj_game.outbound.postgres.people import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.queries.ports import Ranked, Side
from deepoj_game.queries.views import EntrantView
from deepoj_kit.postgres import Connection

# The board of a viewer is everybody else's row on one side of the freeze, and their own in full.
_BOARD: Final = """(
    SELECT r.account_id, r.{side}_key AS key, r.{side}_row AS text FROM game.rows r
    WHERE r.board_id = %(board)s AND r.account_id <> %(own)s AND (%(hidden)s OR r.shown)
    AND r.account_id <> ALL (%(withheld)s) {others}
) UNION ALL (
    SELECT r.account_id, r.full_key AS key, r.full_row AS text FROM game.rows r
    WHERE r.board_id = %(board)s AND r.account_id = %(own)s AND r.account_id <> ALL (%(withheld)s) {mine}
)"""
_PAGE: Final = f"""
SELECT b.key, b.text, {PARTICIPANT_COLUMNS} FROM ({{board}}) b
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = b.account_id
ORDER BY b.key, b.account_id
"""  # noqa: S608 — composed of constants above
_AFTER: Final = "AND (r.{side}_key, r.account_id) > (%(key)s, %(after)s)"
_LIMITED: Final = " ORDER BY r.{side}_key, r.account_id LIMIT %(limit)s"
_BETTER: Final = """AND r.ranked AND r.{side}_key < %(key)s
    ORDER BY r.{side}_key DESC, r.account_id DESC LIMIT 1"""
_EQUAL: Final = "AND r.ranked AND r.{side}_key = %(key)s LIMIT %(few)s"
_FEW: Final = 100
_AMONG: Final = "AND r.account_id = ANY(%(accounts)s)"
# Before a row: those that are better, and those that merely stand before it.
_BEFORE: Final = """
SELECT count(*) FILTER (WHERE key < %(key)s), count(*) FROM (
    SELECT r.{side}_key AS key FROM game.rows r WHERE r.board_id = %(board)s AND r.ranked
    AND r.account_id <> %(own)s AND (r.{side}_key, r.account_id) < (%(key)s, %(account)s)
    UNION ALL
    SELECT r.full_key AS key FROM game.rows r WHERE r.board_id = %(board)s AND r.ranked
    AND r.account_id = %(own)s AND (r.full_key, r.account_id) < (%(key)s, %(account)s)
) AS before
"""
# The same rule as `first_to_solve` of the domain: the earliest millisecond, unless something undecided is
# earlier. Each minimum is one step into an index.
_TIMES: Final = """
SELECT q.question_id, s.solved, p.pending FROM unnest(%(questions)s::uuid[]) AS q (question_id)
CROSS JOIN LATERAL (
    SELECT min({view}_solved_ms) AS solved FROM game.cells c
    WHERE c.board_id = %(board)s AND c.question_id = q.question_id AND c.account_id <> %(without)s) s
CROSS JOIN LATERAL (
    SELECT min({view}_pending_ms) AS pending FROM game.cells c
    WHERE c.board_id = %(board)s AND c.question_id = q.question_id AND c.account_id <> %(without)s) p
"""
_NOBODY: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Times:
    solved_ms: int | None = None
    pending_ms: int | None = None


async def first_times(
    connection: Connection,
    board_id: UUID,
    questions: Sequence[QuestionId],
    *,
    frozen: bool,
    without: AccountId | None = None,
) -> dict[QuestionId, Times]:
    """Return the earliest of each problem, of all but `without`."""
    statement = _TIMES.format(view="frozen" if frozen else "full")
    parameters = {"board": board_id, "questions": list(questions), "without": without or _NOBODY}
    rows = await (await connection.execute(statement.encode(), parameters)).fetchall()
    return {QuestionId(question): Times(solved, pending) for question, solved, pending in rows}


@dataclass(frozen=True, slots=True)
class _Found:
    key: bytes
    row: Row
    entrant: EntrantView


class BoardPages:
    """One board in one snapshot."""

    def __init__(self, connection: Connection, board_id: UUID, game: Game, side: Side) -> None:
        self._connection = connection
        self._game = game
        self._side = side
        self._column = "frozen" if side.frozen else "full"
        self._parameters: dict[str, object] = {
            "board": board_id, "game": game.id, "own": side.own or _NOBODY, "hidden": side.with_hidden,
            "withheld": list(side.withheld),
        }  # fmt: skip
        self._board_id = board_id

    async def page(self, page: PageRequest) -> Page[Ranked]:
        after = "" if page.after is None else _AFTER
        found = await self._find(after + _LIMITED, {"limit": page.size + 1, **_position(page)})
        shown = found[: page.size]
        if not shown:
            return Page([])
        firsts = await self._firsts()
        better, ahead = (0, 0) if page.after is None else await self._before(shown[0])
        ranked = [
            Ranked(BoardRow(rank, each.row, self._first_in(firsts, each.row)), each.entrant)
            for rank, each in zip(_ranks(shown, better, ahead), shown, strict=True)
        ]
        last = shown[-1]
        more = (last.key.hex(), str(last.row.account_id)) if len(found) > page.size else None
        return Page(ranked, more)

    async def rows(self, accounts: Collection[AccountId]) -> Mapping[AccountId, Ranked]:
        found = await self._find(_AMONG, {"accounts": list(accounts)})
        firsts = await self._firsts() if found else {}
        rows: dict[AccountId, Ranked] = {}
        for each in found:
            better, _ = await self._before(each)
            rank = better + 1 if each.row.kind.is_ranked else OUT_OF_COMPETITION
            row = BoardRow(rank, each.row, self._first_in(firsts, each.row))
            rows[each.row.account_id] = Ranked(row, each.entrant)
        return rows

    async def around(self, account_id: AccountId) -> list[Ranked]:
        """The row, those that share its rank, and one of the next better rank; in their order."""
        wanted = {account_id}
        for mine in await self._find(_AMONG, {"accounts": [account_id]}):
            if mine.row.kind.is_ranked:
                better = await self._find(_BETTER, {"key": mine.key})
                equal = await self._find(_EQUAL, {"key": mine.key, "few": _FEW})
                wanted |= {each.row.account_id for each in (*better[-1:], *equal)}
        rows = await self.rows(wanted)
        return sorted(rows.values(), key=lambda each: (each.row.row.total.key, each.row.row.account_id))

    async def _find(
        self, clause: str, parameters: Mapping[str, object], *, only_own: bool = False
    ) -> list[_Found]:
        """`clause` narrows both halves of the board, each with the key of its own side."""
        board = _BOARD.format(
            side=self._column,
            others="AND false" if only_own else clause.format(side=self._column),
            mine=clause.format(side="full"),
        )
        cursor = await self._connection.execute(
            _PAGE.format(board=board).encode(), {**self._parameters, **parameters}
        )
        return [_found(row) for row in await cursor.fetchall()]

    async def _before(self, first: _Found) -> tuple[int, int]:
        parameters = {**self._parameters, "key": first.key, "account": first.row.account_id}
        statement = _BEFORE.format(side=self._column)
        row = await (await self._connection.execute(statement.encode(), parameters)).fetchone()
        return (0, 0) if row is None else (row[0], row[1])

    async def _firsts(self) -> dict[QuestionId, Times]:
        """The earliest times of the board, whose own row may be on the other side of the freeze."""
        questions = [problem.question_id for problem in self._game.plan.problems]
        own = self._side.own
        times = await first_times(
            self._connection, self._board_id, questions, frozen=self._side.frozen, without=own
        )
        for found in [] if own is None else await self._find("", {}, only_own=True):
            if found.row.kind.is_ranked:
                times = {
                    question: _earlier(times.get(question, Times()), cell)
                    for question, cell in zip(questions, found.row.cells, strict=True)
                }
        return times

    def _first_in(self, firsts: Mapping[QuestionId, Times], row: Row) -> frozenset[str]:
        if not row.kind.is_ranked:
            return frozenset()
        return frozenset(
            problem.label
            for problem, cell in zip(self._game.plan.problems, row.cells, strict=True)
            if _is_first(firsts.get(problem.question_id, Times()), cell)
        )


def _ranks(found: Sequence[_Found], better: int, ahead: int) -> list[int]:
    """Continue the ranks of the rows before this page; equal rows share one."""
    given: list[int] = []
    rank, key, place = better + 1, found[0].key, ahead
    for each in found:
        if each.key != key:
            rank, key = place + 1, each.key
        ranked = each.row.kind.is_ranked
        given.append(rank if ranked else OUT_OF_COMPETITION)
        place += ranked
    return given


def _is_first(times: Times, cell: Cell) -> bool:
    if cell.solved_ms is None or cell.solved_ms != times.solved_ms:
        return False
    return times.pending_ms is None or times.pending_ms >= cell.solved_ms


def _earlier(times: Times, cell: Cell) -> Times:
    return Times(
        min((each for each in (times.solved_ms, cell.solved_ms) if each is not None), default=None),
        min((each for each in (times.pending_ms, cell.pending_ms) if each is not None), default=None),
    )


def _found(row: Sequence[object]) -> _Found:
    key, text, *rest = row
    found = ParticipantRow(*rest)  # type: ignore[arg-type]  # the columns of the statement above
    participant = participant_of(found)
    return _Found(
        bytes(key),  # type: ignore[call-overload]  # a bytea
        decode_row(participant.account_id, participant.kind, str(text)),
        EntrantView(participant, found.display_name),
    )


def _position(page: PageRequest) -> dict[str, object]:
    if page.after is None:
        return {}
    try:
        key, account = page.after
        return {"key": bytes.fromhex(key), "after": UUID(account)}
    except ValueError as error:
        raise malformed() from error
