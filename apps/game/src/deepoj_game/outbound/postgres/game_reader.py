"""Games as the queries see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, tuple_

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.schedule import Phase
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.paging import Page, PageRequest, at_id, at_moment, id_at, moment_at, paged
from deepoj_game.outbound.postgres.game_lock import read_counter
from deepoj_game.outbound.postgres.games import GAME_SELECT, GameCache, GameRow, game_of
from deepoj_game.outbound.postgres.people import (
    ClarificationRow,
    ParticipantRow,
    clarification_of,
    find_participants,
    participant_of,
)
from deepoj_game.outbound.postgres.tables import (
    CLARIFICATIONS,
    GAMES,
    INVITATIONS,
    PARTICIPANTS,
    STAFF,
    fetch,
)
from deepoj_game.queries.ports import GameFilter
from deepoj_game.queries.views import EntrantView, StoredGame
from deepoj_kit.postgres import Database

_G, _P, _C = GAMES.c, PARTICIPANTS.c, CLARIFICATIONS.c
_TAKES_PART: Final = ~_P.withdrawn
_BEGAN_AFTER: Final = """
SELECT account_id FROM game.participants WHERE game_id = %s AND virtual_start > %s AND NOT withdrawn
"""
_SEALED: Final = """
SELECT id FROM game.games WHERE starts_at <= %(now)s AND (ends_at > %(now)s
    OR freezes_at <= %(now)s AND (unfrozen_at IS NULL OR unfrozen_at > %(now)s))
"""
# At most as long as start and end are apart: what was removed of a game makes virtual runs shorter.
_RUNNING: Final = """
SELECT p.game_id, p.account_id, p.virtual_start FROM game.games g
JOIN game.participants p ON p.game_id = g.id
WHERE g.virtual_allowed AND NOT p.withdrawn AND p.virtual_start > %(now)s - (g.ends_at - g.starts_at)
"""
_COUNTS: Final = """
SELECT game_id, count(*) FROM game.participants
WHERE game_id = ANY(%s) AND NOT withdrawn AND kind <> 'hidden' GROUP BY game_id
"""
_FIRST: Final = UUID(int=0)


class PostgresGameReader:
    def __init__(self, database: Database, cache: GameCache) -> None:
        self._database = database
        self._cache = cache

    async def game(self, game_id: GameId) -> StoredGame | None:
        async with self._database.connection() as connection:
            counter = await read_counter(connection, game_id)
            if counter is None:
                return None
            cached = await self._cache.load(connection, game_id, counter.version)
        return StoredGame(game=cached.game, version=cached.version)

    async def entrant(self, game_id: GameId, account_id: AccountId) -> EntrantView | None:
        async with self._database.connection() as connection:
            rows = await find_participants(connection, game_id, [account_id])
        return next((_entrant(row) for row in rows if not row.withdrawn), None)

    async def began_after(self, game_id: GameId, moment: datetime) -> frozenset[AccountId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_BEGAN_AFTER, (game_id, moment))).fetchall()
        return frozenset(AccountId(row[0]) for row in rows)

    async def sealed(self, now: datetime) -> Sequence[GameId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_SEALED, {"now": now})).fetchall()
        return [GameId(row[0]) for row in rows]

    async def running(self, now: datetime) -> Sequence[tuple[GameId, AccountId]]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_RUNNING, {"now": now})).fetchall()
        lengths = {each: await self._length(GameId(each)) for each in {row[0] for row in rows}}
        return [
            (GameId(game_id), AccountId(account_id))
            for game_id, account_id, start in rows
            if now < start + lengths[game_id]
        ]

    async def counts(self, game_ids: Sequence[GameId]) -> Mapping[GameId, int]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_COUNTS, (list(game_ids),))).fetchall()
        return {GameId(game_id): count for game_id, count in rows}

    async def list(self, which: GameFilter, page: PageRequest) -> Page[StoredGame]:
        statement = GAME_SELECT.where(*_conditions(which))
        if page.after is not None:
            statement = statement.where(tuple_(_G.starts_at, _G.id) < tuple_(*moment_at(page.after)))
        rows = await self._fetch(statement.order_by(_G.starts_at.desc(), _G.id.desc()).limit(page.size + 1))
        games = [GameRow(*row) for row in rows]
        found = [StoredGame(game=game_of(row), version=row.version) for row in games]
        return paged(found, page, lambda last: at_moment(last.game.plan.schedule.start, last.game.id))

    async def entrants(
        self, game_id: GameId, page: PageRequest, search: str, *, with_hidden: bool
    ) -> Page[EntrantView]:
        statement = select(PARTICIPANTS).where(
            _P.game_id == game_id, _P.account_id > _after(page), _TAKES_PART
        )
        if search:
            statement = statement.where(func.strpos(func.lower(_P.display_name), search.lower()) > 0)
        if not with_hidden:
            statement = statement.where(_P.kind != ParticipantKind.HIDDEN.value)
        rows = await self._fetch(statement.order_by(_P.account_id).limit(page.size + 1))
        found = [_entrant(ParticipantRow(*row)) for row in rows]
        return paged(found, page, lambda last: at_id(last.participant.account_id))

    async def clarifications(
        self, game_id: GameId, page: PageRequest, *, visible_to: AccountId | None, everything: bool
    ) -> Page[Clarification]:
        statement = select(CLARIFICATIONS).where(_C.game_id == game_id, _C.id > _after(page))
        if not everything:
            own = () if visible_to is None else (_C.asked_by == visible_to,)
            statement = statement.where(or_(_C.public, *own))
        rows = await self._fetch(statement.order_by(_C.id).limit(page.size + 1))
        found = [clarification_of(ClarificationRow(*row)) for row in rows]
        return paged(found, page, lambda last: at_id(last.id))

    async def _length(self, game_id: GameId) -> timedelta:
        stored = await self.game(game_id)
        return timedelta(0) if stored is None else stored.game.plan.schedule.length

    async def _fetch(self, statement: Select[Any]) -> Sequence[tuple[Any, ...]]:
        async with self._database.connection() as connection:
            return await fetch(connection, statement)


def _conditions(which: GameFilter) -> list[ColumnElement[bool]]:
    account = which.account_id
    takes_part = exists().where(_P.game_id == _G.id, _P.account_id == account, _TAKES_PART)
    found: list[ColumnElement[bool]] = [_G.deleted_at.is_(None)]
    if not which.sees_all:
        known = [
            _G.owner_id == account,
            takes_part,
            *(
                exists().where(table.c.game_id == _G.id, table.c.account_id == account)
                for table in (STAFF, INVITATIONS)
            ),
        ]
        found.append(or_(~_G.private, *([] if account is None else known)))
    if which.mine:
        found.append(takes_part)
    if which.search:
        found.append(func.strpos(func.lower(_G.title), which.search.lower()) > 0)
    if which.phases:
        found.append(or_(*(_in_phase(each, which.now) for each in sorted(which.phases))))
    return found


def _in_phase(phase: Phase, now: datetime) -> ColumnElement[bool]:
    """As `Schedule.phase_at` says, each boundary belongs to the phase it begins."""
    match phase:
        case Phase.BEFORE:
            return _G.starts_at > now
        case Phase.RUNNING:
            thawed = or_(_G.freezes_at.is_(None), _G.freezes_at > now)
            return and_(_G.starts_at <= now, _G.ends_at > now, thawed)
        case Phase.FROZEN:
            return and_(_G.freezes_at <= now, _G.ends_at > now)
        case Phase.ENDED:
            return and_(_G.ends_at <= now, or_(_G.finalized_at.is_(None), _G.finalized_at > now))
        case Phase.FINALIZED:
            return _G.finalized_at <= now


def _entrant(row: ParticipantRow) -> EntrantView:
    return EntrantView(participant_of(row), row.display_name)


def _after(page: PageRequest) -> UUID:
    return _FIRST if page.after is None else id_at(page.after)
