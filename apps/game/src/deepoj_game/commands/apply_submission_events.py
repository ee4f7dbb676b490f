"""What became known about submissions to games, applied to their boards.

Events of one game that are there at the same time go into one transaction; nothing waits for more of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import why_no_fact
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import Situation, add_facts, cell_of
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import score_all
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.kernel.ids import GameId
from deepoj_game.commands.ports import Clock, Games, GameWrite, Log, OpenGame


@dataclass(frozen=True, slots=True)
class Known:
    message_id: str
    """Stays the same when the sender repeats itself."""
    fact: Fact


class Applied(StrEnum):
    APPLIED = "applied"
    REPEATED = "repeated"


Result = Applied | GameRefusal


class ApplySubmissionEvents:
    def __init__(self, games: Games, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self, game_id: GameId, known: Sequence[Known]) -> list[Result]:
        """Answer for each, in order. A refusal is final: the same event would be refused again."""
        async with self._games.open(game_id) as opened:
            if opened is None:
                return [GameRefusal.NOT_FOUND for _ in known]
            cells = {cell_of(each.fact) for each in known}
            unseen, there = await opened.situation([each.message_id for each in known], cells)
            results = _results(opened.game, known, unseen, there)
            accepted = [
                each.fact for each, result in zip(known, results, strict=True) if result is Applied.APPLIED
            ]
            if accepted:
                now, rules = self._clock(), rules_of(opened.game)
                there = await _with_missing_rows(opened, rules, there)
                new = add_facts(opened.game, rules, there, accepted, now)
                if new.facts:
                    await opened.write(GameWrite(at=now, new_facts=new))
        return results


def _results(game: Game, known: Sequence[Known], unseen: Collection[str], there: Situation) -> list[Result]:
    """A message that is in the batch twice is met once."""
    results: list[Result] = []
    left = set(unseen)
    for each in known:
        participant = there.participants.get(each.fact.account_id)
        if each.message_id not in left:
            results.append(Applied.REPEATED)
        elif refusal := why_no_fact(game, participant, each.fact.question_id):
            results.append(refusal)
        else:
            left.discard(each.message_id)
            results.append(Applied.APPLIED)
    return results


async def _with_missing_rows(opened: OpenGame, rules: Rules, there: Situation) -> Situation:
    """Nobody takes part without a row; should one be missing all the same, the log still has everything."""
    missing = frozenset(
        each.account_id
        for each in there.participants.values()
        if not each.withdrawn and each.account_id not in there.sides
    )
    if not missing:
        return there
    log = await opened.log(Touched(accounts=missing)) or Log()
    made = {who.account_id: tally.cells for who, tally in score_all(rules, log.participants, log.facts)}
    return replace(there, sides={**there.sides, **made})
