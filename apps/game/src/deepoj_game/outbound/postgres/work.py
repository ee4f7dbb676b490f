"""Work that takes long, and the audit of what was ruled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Integer, Text, bindparam, cast, literal_column, select
from sqlalchemy.dialects.postgresql import insert

from deepoj_domain.game.decision import TASKS, Task
from deepoj_domain.game.work import Rebuilt, Stage, Work, WorkOutcome
from deepoj_domain.kernel.ids import AccountId, GameId, WorkId
from deepoj_domain.kernel.paging import Page, PageRequest, at_id, id_at, paged
from deepoj_game.commands.ports import Ruling
from deepoj_game.outbound.postgres.tables import AUDIT, WORK, as_text, names
from deepoj_game.queries.views import RulingView
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.postgres.statements import utc, utc_or_none

# How it is carried out is for whoever does it.
_INSIDE: Final = {"task", "attempts", "board_id", "log_id", "since", "version", "position"}
_SHOWN: Final = tuple(WORK.columns[name] for name in names(WORK, without=_INSIDE | {"result"}))
_WORK: Final = select(*_SHOWN, cast(WORK.c.result, Text)).where(WORK.c.game_id == bindparam("game"))
_GET: Final = as_text(_WORK.where(WORK.c.id == bindparam("work")))
_SHOWN_UNDER_WAY: Final = as_text(_WORK.where(WORK.c.finished_at.is_(None)))
# The changes of a recompute may be many, and a list shows none of them.
_BRIEF: Final[ColumnElement[str]] = literal_column("(result - 'changes' - 'names')::text")
_NEWEST_WORK: Final = as_text(
    select(*_SHOWN, _BRIEF)
    .where(WORK.c.game_id == bindparam("game"), WORK.c.id < bindparam("before"))
    .order_by(WORK.c.id.desc())
    .limit(bindparam("most", type_=Integer))
)
_NEWEST_RULINGS: Final = as_text(
    select(*(cast(each, Text) if each.name == "details" else each for each in AUDIT.columns))
    .where(AUDIT.c.game_id == bindparam("game"), AUDIT.c.id < bindparam("before"))
    .order_by(AUDIT.c.id.desc())
    .limit(bindparam("most", type_=Integer))
)
_AUDIT: Final = as_text(insert(AUDIT))
_BEGIN: Final = """
INSERT INTO game.work (id, game_id, kind, task, asked_by, asked_at, reason)
VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (game_id) WHERE finished_at IS NULL DO NOTHING
"""
_UNDER_WAY: Final = "SELECT id, kind, task::text FROM game.work WHERE game_id = %s AND finished_at IS NULL"

_LAST: Final = UUID(int=2**128 - 1)

_RESULT = msgspec.json.Decoder(Rebuilt)


class WorkRow(NamedTuple):
    """What is shown of work, in the order of the table."""

    id: UUID
    game_id: UUID
    kind: str
    asked_by: UUID
    asked_at: datetime
    reason: str
    stage: str
    done: int
    total: int
    submissions: int
    finished_at: datetime | None
    outcome: str | None
    error: str
    result: str | None


class AuditRow(NamedTuple):
    """The columns in the order of the table."""

    id: UUID
    game_id: UUID
    actor_id: UUID
    at: datetime
    action: str
    reason: str
    details: str


def work_of(row: WorkRow) -> Work:
    return Work(
        id=WorkId(row.id),
        game_id=GameId(row.game_id),
        kind=row.kind,
        asked_by=AccountId(row.asked_by),
        asked_at=utc(row.asked_at),
        reason=row.reason,
        stage=Stage(row.stage),
        done=row.done,
        total=row.total,
        submissions=row.submissions,
        finished_at=utc_or_none(row.finished_at),
        outcome=None if row.outcome is None else WorkOutcome(row.outcome),
        error=row.error,
        result=None if row.result is None else _RESULT.decode(row.result),
    )


def task_of(kind: str, text: str) -> Task:
    return msgspec.json.decode(text, type=TASKS[kind])


async def begin_work(
    connection: Connection, work_id: WorkId, game_id: GameId, task: Task, ruling: Ruling, now: datetime
) -> bool:
    """Tell whether no other work on the game is under way."""
    text = msgspec.json.encode(task).decode()
    values = (work_id, game_id, task.kind, text, ruling.by, now, ruling.reason)
    return (await connection.execute(_BEGIN, values)).rowcount == 1


async def work_under_way(connection: Connection, game_id: GameId) -> tuple[WorkId, Task] | None:
    row = await (await connection.execute(_UNDER_WAY, (game_id,))).fetchone()
    return None if row is None else (WorkId(row[0]), task_of(row[1], row[2]))


async def write_audit(
    connection: Connection,
    audit_id: UUID,
    game_id: GameId,
    by: AccountId,
    at: datetime,
    action: str,
    reason: str,
    details: Mapping[str, object],
) -> None:
    row = AuditRow(
        id=audit_id,
        game_id=game_id,
        actor_id=by,
        at=at,
        action=action,
        reason=reason,
        details=msgspec.json.encode(details).decode(),
    )
    await connection.execute(_AUDIT, row._asdict())


class PostgresWorkReader:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def work(self, game_id: GameId, work_id: WorkId) -> Work | None:
        return await self._one(_GET, {"game": game_id, "work": work_id})

    async def under_way(self, game_id: GameId) -> Work | None:
        return await self._one(_SHOWN_UNDER_WAY, {"game": game_id})

    async def list(self, game_id: GameId, page: PageRequest) -> Page[Work]:
        rows = await self._newest(_NEWEST_WORK, game_id, page)
        return paged([work_of(WorkRow(*row)) for row in rows], page, lambda last: at_id(last.id))

    async def rulings(self, game_id: GameId, page: PageRequest) -> Page[RulingView]:
        rows = await self._newest(_NEWEST_RULINGS, game_id, page)
        return paged([_ruling(AuditRow(*row)) for row in rows], page, lambda last: at_id(last.id))

    async def _one(self, statement: bytes, values: Mapping[str, object]) -> Work | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(statement, values)).fetchone()
        return None if row is None else work_of(WorkRow(*row))

    async def _newest(
        self, statement: bytes, game_id: GameId, page: PageRequest
    ) -> Sequence[tuple[Any, ...]]:
        values = {"game": game_id, "before": _before(page), "most": page.size + 1}
        async with self._database.connection() as connection:
            return await (await connection.execute(statement, values)).fetchall()


def _ruling(row: AuditRow) -> RulingView:
    return RulingView(
        id=row.id,
        by=AccountId(row.actor_id),
        at=utc(row.at),
        action=row.action,
        reason=row.reason,
        details=row.details,
    )


def _before(page: PageRequest) -> UUID:
    """Ids grow with time: the last of the page before is later than all that follow."""
    return _LAST if page.after is None else id_at(page.after)
