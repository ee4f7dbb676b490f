"""What became known about submissions to games, applied to their boards.

Events of one game that are there at the same time go into one transaction; nothing waits for more of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.game.participant import Participant, why_no_score
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import CellSides, Tally, score_cell, score_row
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_game.commands.ports import Games, OpenGame, Situation

Cell = tuple[AccountId, QuestionId]


@dataclass(frozen=True, slots=True)
class Known:
    message_id: str
    """Stays the same when the sender repeats itself."""
    fact: Fact


class Applied(StrEnum):
    APPLIED = "applied"
    REPEATED = "repeated"


Result = Applied | GameRefusal


class Apply:
    def __init__(self, games: Games) -> None:
        self._games = games

    async def __call__(self, game_id: GameId, known: Sequence[Known]) -> list[Result]:
        """Answer for each, in order. A refusal is final: the same event would be refused again."""
        async with self._games.open(game_id) as opened:
            if opened is None:
                return [GameRefusal.NOT_FOUND for _ in known]
            cells = {cell_of(each.fact) for each in known}
            there = await opened.situation([each.message_id for each in known], cells)
            unseen = set(there.unseen)
            results: list[Result] = []
            accepted: list[Fact] = []
            for each in known:
                result = _judge(opened, each, unseen, there)
                if result is Applied.APPLIED:
                    # A message that is in the batch twice is met once.
                    unseen.discard(each.message_id)
                    accepted.append(each.fact)
                results.append(result)
            await _add(opened, accepted, there)
        return results


def _judge(opened: OpenGame, each: Known, unseen: Collection[str], there: Situation) -> Result:
    if each.message_id not in unseen:
        return Applied.REPEATED
    participant = there.participants.get(each.fact.account_id)
    return why_no_score(opened.game, participant, each.fact.question_id) or Applied.APPLIED


async def _add(opened: OpenGame, accepted: Sequence[Fact], there: Situation) -> None:
    new: list[Fact] = []
    for fact in accepted:
        facts = there.facts[cell_of(fact)]
        if fact not in facts:
            facts.append(fact)
            new.append(fact)
    if not new:
        return
    rules = rules_of(opened.game)
    playing = (there.participants[account] for account in sorted({fact.account_id for fact in new}))
    scored = [
        (each, _tally(rules, each, there.sides[each.account_id], there.facts))
        for each in playing
        if not each.withdrawn
    ]
    await opened.add_facts(new, scored)


def _tally(
    rules: Rules,
    participant: Participant,
    sides: Sequence[CellSides],
    log: Mapping[Cell, Sequence[Fact]],
) -> Tally:
    """Score the cells that have new facts; the others stand as they are."""
    cells = [
        score_cell(rules, participant, problem, log[cell]) if cell in log else known
        for problem, known in zip(rules.problems, sides, strict=True)
        for cell in ((participant.account_id, problem.question_id),)
    ]
    return score_row(rules, participant, cells)


def cell_of(fact: Fact) -> Cell:
    return fact.account_id, fact.question_id
