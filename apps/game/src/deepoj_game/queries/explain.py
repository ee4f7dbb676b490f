"""Which submissions made a participant's rank, and what is missing to the next better one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.participant import Participant
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.board import Board
from deepoj_domain.game.scoring.explain import CountedSubmission, RankGap, explain_rank, explain_submissions
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.visibility import may_see_submission
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.board import Boards, Sight, row_view
from deepoj_game.queries.past import Past
from deepoj_game.queries.ports import BoardReader, Clock, Ranked
from deepoj_game.queries.views import QueryRefusal, RowView


@dataclass(frozen=True, slots=True)
class Explanation:
    row: RowView
    submissions: tuple[CountedSubmission, ...]
    gap: RankGap


class Explain:
    def __init__(self, sights: Boards, boards: BoardReader, past: Past, clock: Clock) -> None:
        self._sights = sights
        self._boards = boards
        self._past = past
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, game_id: GameId, account_id: AccountId, at: datetime | None
    ) -> Explanation | Refused[StrEnum]:
        sight = await self._sights.best_sight(actor, game_id, account_id, at)
        if isinstance(sight, Refused):
            return sight
        if refused := self._why_not(sight, account_id, None):
            return refused
        neighbours = await self._neighbours(sight, account_id)
        if isinstance(neighbours, Refused):
            return neighbours
        mine = next((each for each in neighbours if each.row.row.account_id == account_id), None)
        if mine is None:
            return Refused(QueryRefusal.NOT_A_PARTICIPANT)
        if refused := self._why_not(sight, account_id, mine.entrant.participant):
            return refused
        submissions = await self._submissions(sight, account_id)
        rules = rules_of(sight.game)
        labels = tuple(problem.label for problem in rules.problems)
        board = Board(labels, tuple(each.row for each in neighbours))
        gap = explain_rank(rules.policy, board, account_id)
        return Explanation(row_view(sight.game, mine), submissions, gap)

    def _why_not(
        self, sight: Sight, account_id: AccountId, participant: Participant | None
    ) -> Refused[StrEnum] | None:
        """`participant` may not be known yet: then whoever must not see anybody's is refused already."""
        visit = sight.visit
        own = visit.actor is not None and visit.actor.account_id == account_id
        if not may_see_submission(
            sight.game, visit.viewer, own=own, now=self._clock(), participant=participant
        ):
            return Refused(QueryRefusal.NOT_ALLOWED)
        return Refused(GameRefusal.BOARD_HIDDEN) if account_id in sight.side.withheld else None

    async def _submissions(self, sight: Sight, account_id: AccountId) -> tuple[CountedSubmission, ...]:
        rules = rules_of(sight.game)
        submissions: tuple[CountedSubmission, ...] = ()
        async with self._boards.log(sight.game.id) as log:
            async for entrant, facts in log.by_participant([account_id]):
                frozen = sight.side.frozen and sight.side.own != account_id
                submissions = explain_submissions(
                    rules, entrant.participant, facts, is_frozen=frozen, at_us=sight.at_us
                )
        return submissions

    async def _neighbours(self, sight: Sight, account_id: AccountId) -> list[Ranked] | Refused[GameRefusal]:
        if sight.at_us is None:
            return list(await self._boards.around(sight.game, sight.side, account_id))
        past = await self._past.at(sight.visit, sight.at_us)
        if isinstance(past, Refused):
            return past
        board = past.board(sight.game, sight.view, sight.side)
        return [Ranked(row, past.entrants[row.row.account_id]) for row in board.rows]
