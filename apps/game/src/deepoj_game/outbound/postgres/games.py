"""Games with their problems, staff, invitations and ignored submissions: always read and written together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from cachetools import LRUCache
from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    Table,
    Text,
    bindparam,
    cast,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from deepoj_domain.game.format import Format, FormatOptions
from deepoj_domain.game.game import Game, GamePlan
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Interval, Schedule
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_game.outbound.postgres.tables import (
    BOARDS,
    COUNTERS,
    GAMES,
    IGNORED,
    INVITATIONS,
    PROBLEMS,
    STAFF,
    as_text,
    listed,
    names,
    records,
)
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import utc, utc_or_none

_MOST_CACHED: Final = 128


class GameRow(NamedTuple):
    """The columns in the order of `GAME_SELECT`."""

    id: UUID
    title: str
    description: str
    owner_id: UUID
    format: str
    options: str
    starts_at: datetime
    ends_at: datetime
    freezes_at: datetime | None
    removed_intervals: str
    unfrozen_at: datetime | None
    finalized_at: datetime | None
    private: bool
    password_hash: str | None
    sign_up_during: bool
    cancel_during: bool
    virtual_allowed: bool
    deleted_at: datetime | None
    version: int
    problems: str | None
    staff: str | None
    invited: str | None
    ignored: str | None


def _part(table: Table, *columns: Column[Any], by: Column[Any]) -> ColumnElement[Any]:
    line = func.json_build_array(*columns) if len(columns) > 1 else columns[0]
    gathered = func.json_agg(aggregate_order_by(line, by))
    return select(cast(gathered, Text)).where(table.c.game_id == GAMES.c.id).scalar_subquery()


_JSON: Final = {"options", "removed_intervals"}
# One statement is one snapshot: the game and what belongs to it fit together.
GAME_SELECT: Final[Select[Any]] = (
    select(
        *(cast(each, Text) if each.name in _JSON else each for each in GAMES.columns),
        COUNTERS.c.version,
        _part(
            PROBLEMS,
            PROBLEMS.c.label,
            PROBLEMS.c.question_id,
            PROBLEMS.c.points_micros,
            PROBLEMS.c.colour,
            by=PROBLEMS.c.ordinal,
        ),
        _part(STAFF, STAFF.c.account_id, STAFF.c.role, by=STAFF.c.account_id),
        _part(INVITATIONS, INVITATIONS.c.account_id, by=INVITATIONS.c.account_id),
        _part(IGNORED, IGNORED.c.origin_id, by=IGNORED.c.origin_id),
    )
    .select_from(GAMES)
    .join(COUNTERS, COUNTERS.c.game_id == GAMES.c.id)
)
_LOAD: Final = as_text(GAME_SELECT.where(GAMES.c.id == bindparam("game")))
_INSERT: Final = as_text(insert(GAMES).on_conflict_do_nothing())
_UPDATE: Final = as_text(update(GAMES).where(GAMES.c.id == bindparam("game")))
_BOARD: Final = as_text(insert(BOARDS))
_COUNTER: Final = as_text(insert(COUNTERS))
_PARTS: Final = (PROBLEMS, STAFF, INVITATIONS, IGNORED)
_DELETE_PART: Final = {
    part: as_text(delete(part).where(part.c.game_id == bindparam("game"))) for part in _PARTS
}
_PART_RECORDS: Final = {part: records(part, names(part)) for part in _PARTS}
_INSERT_PART: Final = {
    part: f"INSERT INTO {part.fullname} ({listed(names(part))})"  # noqa: S608 — the names of the tables
    f" SELECT {listed(names(part))} FROM {_PART_RECORDS[part].called('new')}".encode()
    for part in _PARTS
}

_OPTIONS = msgspec.json.Decoder(FormatOptions)
_REMOVED = msgspec.json.Decoder(tuple[Interval, ...])
_PROBLEMS = msgspec.json.Decoder(list[tuple[str, UUID, int, str]])
_STAFF = msgspec.json.Decoder(list[tuple[UUID, str]])
_IDS = msgspec.json.Decoder(list[UUID])


@dataclass(frozen=True, slots=True)
class CachedGame:
    game: Game
    rules: Rules
    version: int
    password_hash: str | None


class GameCache:
    """Games by version: an event changes no game, so most transactions need not read it again."""

    def __init__(self) -> None:
        self._games: LRUCache[GameId, CachedGame] = LRUCache(_MOST_CACHED)

    async def load(self, connection: Connection, game_id: GameId, version: int) -> CachedGame:
        known = self._games.get(game_id)
        if known is None or known.version != version:
            row = await (await connection.execute(_LOAD, {"game": game_id})).fetchone()
            if row is None:
                raise LookupError(f"game {game_id} has a counter but is not there")
            found = GameRow(*row)
            game = game_of(found)
            known = CachedGame(game, rules_of(game), found.version, found.password_hash)
            self._games[game_id] = known
        return known


def game_of(row: GameRow) -> Game:
    problems = [] if row.problems is None else _PROBLEMS.decode(row.problems)
    staff = [] if row.staff is None else _STAFF.decode(row.staff)
    plan = GamePlan(
        title=row.title,
        description=row.description,
        format=Format(row.format),
        options=_OPTIONS.decode(row.options),
        schedule=_schedule(row),
        problems=tuple(
            GameProblem(label, QuestionId(question), Score(micros), colour)
            for label, question, micros, colour in problems
        ),
        sign_up=SignUpRules(
            private=row.private,
            has_password=row.password_hash is not None,
            invited=frozenset(AccountId(each) for each in _ids(row.invited)),
            late_sign_up=row.sign_up_during,
            late_withdrawal=row.cancel_during,
            virtual_allowed=row.virtual_allowed,
        ),
        admins=frozenset(AccountId(each) for each, role in staff if role == "admin"),
        judges=frozenset(AccountId(each) for each, role in staff if role == "judge"),
    )
    return Game(
        id=GameId(row.id),
        owner=AccountId(row.owner_id),
        plan=plan,
        ignored=frozenset(SubmissionId(each) for each in _ids(row.ignored)),
        deleted=row.deleted_at is not None,
    )


def _schedule(row: GameRow) -> Schedule:
    return Schedule(
        start=utc(row.starts_at),
        end=utc(row.ends_at),
        freeze=utc_or_none(row.freezes_at),
        removed=_REMOVED.decode(row.removed_intervals),
        unfrozen_at=utc_or_none(row.unfrozen_at),
        finalized_at=utc_or_none(row.finalized_at),
    )


def _ids(text: str | None) -> list[UUID]:
    return [] if text is None else _IDS.decode(text)


async def insert_game(connection: Connection, game: Game, password_hash: str | None) -> bool:
    """Tell whether the id was free."""
    inserted = await connection.execute(_INSERT, _values(game, password_hash, None))
    if inserted.rowcount == 1:
        await _write_parts(connection, game)
    return inserted.rowcount == 1


async def insert_first_board(connection: Connection, game: Game, board_id: UUID, now: datetime) -> None:
    """Each has a log of its own; later boards may share it."""
    await insert_board(connection, game.id, board_id, board_id, now)
    numbers = {"sequence": 0, "public_sequence": 0, "version": 1}
    await connection.execute(
        _COUNTER, {"game_id": game.id, "board_id": board_id, "log_id": board_id, **numbers}
    )


async def insert_board(
    connection: Connection, game_id: GameId, board_id: UUID, log_id: UUID, now: datetime
) -> None:
    values = {"id": board_id, "game_id": game_id, "log_id": log_id, "made_at": now}
    await connection.execute(_BOARD, values)


async def update_game(
    connection: Connection, before: Game, after: Game, password_hash: str | None, now: datetime
) -> None:
    values = _values(after, password_hash, now)
    await connection.execute(_UPDATE, {**values, "game": after.id})
    if _parts(before) != _parts(after):
        for part in _PARTS:
            await connection.execute(_DELETE_PART[part], {"game": after.id})
        await _write_parts(connection, after)


async def _write_parts(connection: Connection, game: Game) -> None:
    for part, rows in zip(_PARTS, _parts(game), strict=True):
        if rows:
            await connection.execute(_INSERT_PART[part], (_PART_RECORDS[part].parameter(rows),))


def _parts(game: Game) -> Iterable[Sequence[tuple[object, ...]]]:
    """Return the rows of each table, in the order of `_PARTS` and of their columns."""
    plan = game.plan
    return (
        [
            (game.id, each.question_id, ordinal, each.label, each.points.micros, each.colour.lower())
            for ordinal, each in enumerate(plan.problems)
        ],
        [
            *((game.id, account, "admin") for account in sorted(plan.admins)),
            *((game.id, account, "judge") for account in sorted(plan.judges - plan.admins)),
        ],
        [(game.id, account) for account in sorted(plan.sign_up.invited)],
        [(game.id, origin) for origin in sorted(game.ignored)],
    )


def _values(game: Game, password_hash: str | None, now: datetime | None) -> dict[str, object]:
    plan = game.plan
    return {
        "id": game.id,
        "title": plan.title,
        "description": plan.description,
        "owner_id": game.owner,
        "format": plan.format.value,
        "options": msgspec.json.encode(plan.options).decode(),
        "starts_at": plan.schedule.start,
        "ends_at": plan.schedule.end,
        "freezes_at": plan.schedule.freeze,
        "removed_intervals": msgspec.json.encode(plan.schedule.removed).decode(),
        "unfrozen_at": plan.schedule.unfrozen_at,
        "finalized_at": plan.schedule.finalized_at,
        "private": plan.sign_up.private,
        "password_hash": password_hash,
        "sign_up_during": plan.sign_up.late_sign_up,
        "cancel_during": plan.sign_up.late_withdrawal,
        "virtual_allowed": plan.sign_up.virtual_allowed,
        "deleted_at": now if game.deleted else None,
    }
