"""What applying a rejudge would do to the board of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.fact import micros
from deepoj_domain.game.scoring.preview import supposing
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Row, score_participant
from deepoj_domain.kernel.ids import AccountId, GameId, RejudgeId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import is_staff
from deepoj_game.queries.access import visit_as_staff
from deepoj_game.queries.ports import BoardReader, Clock, GameReader, RejudgeOutcomes, Rejudges
from deepoj_game.queries.preview import Preview, preview
from deepoj_game.queries.views import QueryRefusal


@dataclass(frozen=True, slots=True)
class RejudgePreview:
    board: Preview
    outcomes: RejudgeOutcomes


class PreviewRejudge:
    def __init__(self, games: GameReader, boards: BoardReader, rejudges: Rejudges, clock: Clock) -> None:
        self._games = games
        self._boards = boards
        self._rejudges = rejudges
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, game_id: GameId, rejudge_id: RejudgeId
    ) -> RejudgePreview | Refused[StrEnum]:
        found = await visit_as_staff(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        outcomes = await self._rejudges.outcomes(rejudge_id)
        # Who runs one game is told nothing of what is rejudged elsewhere, not even how much.
        if outcomes is None or not (is_staff(actor) or outcomes.game_id == game_id):
            return Refused(QueryRefusal.NOT_FOUND)
        supposed = await self._supposed(found.game, outcomes)
        return RejudgePreview(await preview(self._boards, found.game, supposed), outcomes)

    async def _supposed(self, game: Game, outcomes: RejudgeOutcomes) -> dict[AccountId, Row]:
        rules, now_us = rules_of(game), micros(self._clock())
        rows: dict[AccountId, Row] = {}
        async with self._boards.log(game.id) as log:
            touched = await log.accounts_of(outcomes.by_submission)
            async for entrant, facts in log.by_participant(touched):
                # Record names the submission that would be replaced; the log goes by the first of its chain.
                by_origin = {
                    fact.origin_id: outcomes.by_submission[fact.submission_id]
                    for fact in facts
                    if fact.submission_id in outcomes.by_submission
                }
                supposed = supposing(facts, by_origin, now_us)
                tally = score_participant(rules, entrant.participant, supposed)
                rows[entrant.participant.account_id] = tally.full
        return rows
