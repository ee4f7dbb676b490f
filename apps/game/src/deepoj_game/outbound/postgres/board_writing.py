"""New facts and the rows that follow, on the board a game shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.tally import Tally
from deepoj_domain.kernel.ids import AccountId
from deepoj_game.outbound.postgres.locking import Locked
from deepoj_game.outbound.postgres.situations import Loaded
from deepoj_game.outbound.postgres.tallies import Scored, is_ranked, write_tallies

# A chain is decided when any of its facts is: what supersedes a verdict is a verdict.
_UNDECIDED: Final = """
SELECT count(DISTINCT f.origin_id) FROM game.facts f
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = f.account_id
WHERE f.board_id = %(board)s AND NOT f.decided AND NOT p.withdrawn AND p.kind <> 'virtual'
  AND f.submitted_us >= %(start)s AND f.submitted_us < %(end)s AND f.origin_id <> ALL (%(ignored)s)
  AND NOT EXISTS (
      SELECT FROM game.facts d WHERE d.board_id = f.board_id AND d.origin_id = f.origin_id AND d.decided)
"""


async def add_facts(
    locked: Locked, facts: Sequence[Fact], scored: Sequence[Scored], loaded: Loaded | None
) -> None:
    """Each fact has a number of its own; so has each other row whose first place comes or goes with it."""
    numbered = [(fact, locked.row_changed(fact.account_id)) for fact in facts]
    touched = {(fact.account_id, fact.question_id) for fact in facts}
    await write_tallies(locked.connection, locked.board_id, locked.rules, scored, touched, facts=numbered)
    if loaded is not None:
        moved = {account for each in _moved_firsts(locked, scored, loaded) for account in each}
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


def _moved_firsts(
    locked: Locked, scored: Sequence[tuple[Participant, Tally]], loaded: Loaded
) -> Iterator[frozenset[AccountId]]:
    """Who was first to solve and is not any more, or is now and was not."""
    places = {problem.question_id: place for place, problem in enumerate(locked.rules.problems)}
    ranked = [(who.account_id, tally) for who, tally in scored if is_ranked(who)]
    for (view, question), others in loaded.others.items():
        place = places[question]
        before = [(account, getattr(loaded.sides[account][place], view)) for account, _ in ranked]
        after = [(account, getattr(tally, view).cells[place]) for account, tally in ranked]
        yield others.first_with(before) ^ others.first_with(after)
