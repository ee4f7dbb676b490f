"""The list of games, newest start first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from deepoj_domain.game.schedule import Phase
from deepoj_game.outbound.postgres.game_rows import GAME_COLUMNS, GAME_TABLES, GameRow, game_of
from deepoj_game.queries.paging import PageRequest, malformed
from deepoj_game.queries.ports import GameFilter
from deepoj_game.queries.views import StoredGame

_TAKES_PART: Final = """EXISTS (SELECT FROM game.participants p
    WHERE p.game_id = g.id AND p.account_id = %(account)s AND NOT p.withdrawn)"""
_KNOWN: Final = f"""(NOT g.private OR g.owner_id = %(account)s OR {_TAKES_PART}
    OR EXISTS (SELECT FROM game.staff s WHERE s.game_id = g.id AND s.account_id = %(account)s)
    OR EXISTS (SELECT FROM game.invitations i WHERE i.game_id = g.id AND i.account_id = %(account)s))"""  # noqa: S608 — constants
# As `Schedule.phase_at` says, each boundary belongs to the phase it begins.
_PHASES: Final[Mapping[Phase, str]] = {
    Phase.BEFORE: "g.starts_at > %(now)s",
    Phase.RUNNING: "g.starts_at <= %(now)s AND g.ends_at > %(now)s"
    " AND (g.freezes_at IS NULL OR g.freezes_at > %(now)s)",
    Phase.FROZEN: "g.freezes_at <= %(now)s AND g.ends_at > %(now)s",
    Phase.ENDED: "g.ends_at <= %(now)s AND (g.finalized_at IS NULL OR g.finalized_at > %(now)s)",
    Phase.FINALIZED: "g.finalized_at <= %(now)s",
}


def list_statement(which: GameFilter, page: PageRequest) -> tuple[str, Mapping[str, object]]:
    where = ["g.deleted_at IS NULL"]
    if not which.sees_all:
        where.append(_KNOWN)
    if which.mine:
        where.append(_TAKES_PART)
    if which.search:
        where.append("strpos(lower(g.title), lower(%(search)s)) > 0")
    if which.phases:
        where.append("(" + " OR ".join(f"({_PHASES[each]})" for each in sorted(which.phases)) + ")")
    parameters: dict[str, object] = {
        "account": which.account_id, "search": which.search, "now": which.now, "limit": page.size + 1,
    }  # fmt: skip
    if page.after is not None:
        where.append("(g.starts_at, g.id) < (%(start)s, %(id)s)")
        parameters |= _position(page.after)
    statement = f"""SELECT {GAME_COLUMNS} FROM {GAME_TABLES} WHERE {" AND ".join(where)}
    ORDER BY g.starts_at DESC, g.id DESC LIMIT %(limit)s"""  # noqa: S608 — constants, values are parameters
    return statement, parameters


def stored_of(row: Sequence[Any]) -> StoredGame:
    found = GameRow(*row)
    return StoredGame(game=game_of(found), version=found.version)


def _position(after: tuple[str, ...]) -> dict[str, object]:
    try:
        return {"start": datetime.fromisoformat(after[0]).astimezone(UTC), "id": UUID(after[1])}
    except ValueError as error:
        raise malformed() from error
