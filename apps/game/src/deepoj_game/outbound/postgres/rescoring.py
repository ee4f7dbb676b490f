"""Scores anew, participant by participant, from the log of a board."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import score_participant
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.outbound.postgres.facts import facts_of_accounts
from deepoj_game.outbound.postgres.game_rows import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.tallies import drop_tallies, write_tallies
from deepoj_kit.postgres import Connection

_PARTICIPANTS: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p WHERE p.game_id = %s AND p.account_id = ANY(%s)
"""  # noqa: S608 — constants
_EVERYBODY: Final = "SELECT account_id FROM game.participants WHERE game_id = %s ORDER BY account_id"
_SINCE: Final = """
SELECT DISTINCT account_id FROM game.facts WHERE board_id = %s AND submitted_us >= %s
UNION SELECT account_id FROM game.participants WHERE game_id = %s AND kind = 'virtual'
"""
_OF_ORIGINS: Final = "SELECT DISTINCT account_id FROM game.facts WHERE board_id = %s AND origin_id = ANY(%s)"
_CHUNK: Final = 200


async def rescore(
    connection: Connection, board_id: UUID, game_id: GameId, rules: Rules, accounts: Iterable[AccountId]
) -> None:
    """Who has withdrawn, or never took part, has no row."""
    remaining = list(accounts)
    for start in range(0, len(remaining), _CHUNK):
        chunk = remaining[start : start + _CHUNK]
        known = await participants_of(connection, game_id, chunk)
        facts = await facts_of_accounts(connection, board_id, chunk)
        taking_part = [each for each in known.values() if not each.withdrawn]
        scored = [(each, score_participant(rules, each, facts[each.account_id])) for each in taking_part]
        await drop_tallies(connection, board_id, chunk)
        await write_tallies(connection, board_id, rules, scored)
        # Thousands of rows are scored here in one go: let others have their turn.
        await asyncio.sleep(0)


async def participants_of(
    connection: Connection, game_id: GameId, accounts: Sequence[AccountId]
) -> dict[AccountId, Participant]:
    cursor = await connection.execute(_PARTICIPANTS.encode(), (game_id, list(accounts)))
    found = (participant_of(ParticipantRow(*row)) for row in await cursor.fetchall())
    return {each.account_id: each for each in found}


async def everybody(connection: Connection, game_id: GameId) -> list[AccountId]:
    cursor = await connection.execute(_EVERYBODY, (game_id,))
    return [AccountId(row[0]) for row in await cursor.fetchall()]


async def affected(
    connection: Connection, board_id: UUID, game_id: GameId, before: Rules, after: Rules
) -> list[AccountId]:
    """Find whose score may be another under the new rules; those whom nothing touches keep theirs."""
    same_format = (before.policy, before.problems) == (after.policy, after.problems)
    if not same_format or not _same_beginning(before.clock, after.clock):
        return await everybody(connection, game_id)
    found: set[AccountId] = set()
    if (since := _first_difference(before.clock, after.clock)) is not None:
        cursor = await connection.execute(_SINCE, (board_id, since, game_id))
        found.update(AccountId(row[0]) for row in await cursor.fetchall())
    if before.ignored != after.ignored:
        cursor = await connection.execute(_OF_ORIGINS, (board_id, list(before.ignored ^ after.ignored)))
        found.update(AccountId(row[0]) for row in await cursor.fetchall())
    return sorted(found)


def _same_beginning(before: GameClock, after: GameClock) -> bool:
    return (before.start_us, before.removed) == (after.start_us, after.removed)


def _first_difference(before: GameClock, after: GameClock) -> int | None:
    """Freeze and end matter to what was submitted at or after them."""
    moved = [
        moment
        for one, other in ((before.end_us, after.end_us), (before.freeze_us, after.freeze_us))
        if one != other
        for moment in (one, other)
        if moment is not None
    ]
    return min(moved, default=None)
