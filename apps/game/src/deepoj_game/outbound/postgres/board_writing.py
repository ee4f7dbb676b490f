"""New facts and the rows that follow, on the board a game shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.tally import CellSides, Tally, score_participant
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.outbound.postgres.facts import facts_of_accounts, insert_facts
from deepoj_game.outbound.postgres.firsts import holders
from deepoj_game.outbound.postgres.locking import Locked
from deepoj_game.outbound.postgres.rescoring import participants_of
from deepoj_game.outbound.postgres.row_codec import decode_row
from deepoj_game.outbound.postgres.tallies import write_tallies

_NOBODY: Final = AccountId(UUID(int=0))
_ROWS: Final = """
SELECT account_id, full_row, frozen_row FROM game.rows WHERE board_id = %s AND account_id = ANY(%s)
"""
# A chain is decided when any of its facts is: what supersedes a verdict is a verdict.
_UNDECIDED: Final = """
SELECT count(DISTINCT f.origin_id) FROM game.facts f
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = f.account_id
WHERE f.board_id = %(board)s AND NOT f.decided AND NOT p.withdrawn AND p.kind <> 'virtual'
  AND f.submitted_us >= %(start)s AND f.submitted_us < %(end)s AND f.origin_id <> ALL (%(ignored)s)
  AND NOT EXISTS (
      SELECT FROM game.facts d WHERE d.board_id = f.board_id AND d.origin_id = f.origin_id AND d.decided)
"""


async def sides(locked: Locked, accounts: Collection[AccountId]) -> Mapping[AccountId, Sequence[CellSides]]:
    cursor = await locked.connection.execute(_ROWS, (locked.board_id, list(accounts)))
    rows = await cursor.fetchall()
    found = {AccountId(account): _sides(full, frozen) for account, full, frozen in rows}
    if missing := [account for account in accounts if account not in found]:
        found |= await _scored(locked, missing)
    return found


async def add_facts(locked: Locked, facts: Sequence[Fact], tallies: Sequence[Tally]) -> None:
    """Each fact has a number of its own; so has each other row whose first place comes or goes with it."""
    connection, board_id = locked.connection, locked.board_id
    numbered = [(fact, locked.row_changed(fact.account_id)) for fact in facts]
    await insert_facts(connection, board_id, numbered)
    accounts = [tally.full.account_id for tally in tallies]
    if not accounts:
        return
    questions = {fact.question_id for fact in facts}
    before = await holders(connection, board_id, questions)
    participants = await participants_of(connection, locked.game.id, accounts)
    scored = [(participants[tally.full.account_id], tally) for tally in tallies]
    touched = {(fact.account_id, fact.question_id) for fact in facts}
    await write_tallies(connection, board_id, locked.rules, scored, touched)
    after = await holders(connection, board_id, questions)
    for account in sorted({account for _, _, account in before ^ after} - set(accounts)):
        locked.row_changed(account)


async def undecided(locked: Locked) -> int:
    clock = locked.rules.clock
    parameters = {
        "game": locked.game.id,
        "board": locked.board_id,
        "start": clock.start_us,
        "end": clock.end_us,
        "ignored": list(locked.game.ignored),
    }
    row = await (await locked.connection.execute(_UNDECIDED, parameters)).fetchone()
    return 0 if row is None else row[0]


def _sides(full: str, frozen: str) -> list[CellSides]:
    # Neither account nor kind is part of a cell.
    whole = decode_row(_NOBODY, ParticipantKind.OFFICIAL, full)
    shown = whole if frozen == full else decode_row(_NOBODY, ParticipantKind.OFFICIAL, frozen)
    return [CellSides(*pair) for pair in zip(whole.cells, shown.cells, strict=True)]


async def _scored(locked: Locked, accounts: Sequence[AccountId]) -> dict[AccountId, list[CellSides]]:
    """Nobody takes part without a row; should one be missing all the same, the log still has everything."""
    participants = await participants_of(locked.connection, locked.game.id, accounts)
    facts = await facts_of_accounts(locked.connection, locked.board_id, accounts)
    tallies = {
        account: score_participant(locked.rules, participants[account], facts[account])
        for account in accounts
    }
    return {
        account: [CellSides(*pair) for pair in zip(tally.full.cells, tally.frozen.cells, strict=True)]
        for account, tally in tallies.items()
    }
