"""New facts and the rows that follow, on the board a game shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.tally import CellSides, Tally, score_participant
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.commands.ports import Situation
from deepoj_game.outbound.postgres.facts import (
    Cell,
    ask_facts_of_cells,
    facts_of_accounts,
    insert_facts,
    read_facts_of_cells,
)
from deepoj_game.outbound.postgres.firsts import ask_holders, read_holders
from deepoj_game.outbound.postgres.locking import Locked
from deepoj_game.outbound.postgres.rescoring import ask_participants, read_participants
from deepoj_game.outbound.postgres.row_codec import decode_row
from deepoj_game.outbound.postgres.tallies import write_tallies
from deepoj_kit.inbox import Inbox

CONSUMER: Final = "board"
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


async def situation(
    locked: Locked, inbox: Inbox, message_ids: Sequence[str], cells: Collection[Cell]
) -> Situation:
    """Everything is asked before anything is read, so that it takes one round trip."""
    connection, board_id = locked.connection, locked.board_id
    accounts = sorted({account for account, _ in cells})
    participants = await ask_participants(connection, locked.game.id, accounts)
    facts = await ask_facts_of_cells(connection, board_id, cells)
    rows = await connection.execute(_ROWS, (board_id, accounts))
    unseen = await inbox.first_times(connection, CONSUMER, message_ids)
    known = await read_participants(participants)
    sides = {AccountId(account): _sides(full, frozen) for account, full, frozen in await rows.fetchall()}
    missing = [each for each in known.values() if each.account_id not in sides and not each.withdrawn]
    return Situation(
        unseen=frozenset(unseen),
        participants=known,
        facts=await read_facts_of_cells(facts, cells),
        sides=sides | await _scored(locked, missing),
    )


async def add_facts(
    locked: Locked, facts: Sequence[Fact], scored: Sequence[tuple[Participant, Tally]]
) -> None:
    """Each fact has a number of its own; so has each other row whose first place comes or goes with it."""
    connection, board_id = locked.connection, locked.board_id
    questions = {fact.question_id for fact in facts}
    before = await ask_holders(connection, board_id, questions)
    numbered = [(fact, locked.row_changed(fact.account_id)) for fact in facts]
    await insert_facts(connection, board_id, numbered)
    if scored:
        touched = {(fact.account_id, fact.question_id) for fact in facts}
        await write_tallies(connection, board_id, locked.rules, scored, touched)
    after = await ask_holders(connection, board_id, questions)
    moved = {account for _, _, account in await read_holders(before) ^ await read_holders(after)}
    for account in sorted(moved - {fact.account_id for fact in facts}):
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
