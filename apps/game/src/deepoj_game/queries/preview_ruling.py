"""What a ruling would do to the board of a game, for those who may rule; refused as the ruling would be."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from deepoj_domain.game.decision import Extend, Ignore, RemoveInterval, RestoreInterval
from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Row, score_participant
from deepoj_domain.game.scoring.touched import Touched, touched_by
from deepoj_domain.game.visibility import Viewer
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit
from deepoj_game.queries.ports import BoardReader, Clock, GameReader
from deepoj_game.queries.preview import Preview, preview
from deepoj_game.queries.views import QueryRefusal

_TURN: Final = 20


@dataclass(frozen=True, slots=True)
class Ignoring:
    submission_id: SubmissionId
    """Any of its chain."""
    ignored: bool


RulingAsked = Extend | RemoveInterval | RestoreInterval | Ignoring


class PreviewRuling:
    def __init__(self, games: GameReader, boards: BoardReader, clock: Clock) -> None:
        self._games = games
        self._boards = boards
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, game_id: GameId, ruling: RulingAsked
    ) -> Preview | Refused[StrEnum]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        if found.viewer is not Viewer.ADMIN:
            return Refused(QueryRefusal.NOT_ALLOWED)
        decision = await self._decision(game_id, ruling)
        if decision is None:
            return Refused(QueryRefusal.NOT_FOUND)
        after = decision.decide(found.game, self._clock())
        if isinstance(after, Refused):
            return Refused(after.reason, after.detail)
        return await preview(self._boards, found.game, await self._supposed(found.game, after))

    async def _decision(
        self, game_id: GameId, ruling: RulingAsked
    ) -> Extend | RemoveInterval | RestoreInterval | Ignore | None:
        if not isinstance(ruling, Ignoring):
            return ruling
        async with self._boards.log(game_id) as log:
            senders = await log.accounts_of([ruling.submission_id])
            async for _, facts in log.by_participant(senders):
                if origin := _origin(facts, ruling.submission_id):
                    return Ignore(origin, ruling.ignored)
        return None

    async def _supposed(self, before: Game, after: Game) -> dict[AccountId, Row]:
        rules = rules_of(after)
        touched, rows = touched_by(rules_of(before), rules), dict[AccountId, Row]()
        if touched == Touched():
            return rows
        async with self._boards.log(before.id) as log:
            async for entrant, facts in log.by_participant():
                if touched.includes(entrant.participant, facts):
                    rows[entrant.participant.account_id] = score_participant(
                        rules, entrant.participant, facts
                    ).full
                if len(rows) % _TURN == 0:
                    # Thousands may be scored here: let others have their turn.
                    await asyncio.sleep(0)
        return rows


def _origin(facts: Sequence[Fact], submission_id: SubmissionId) -> SubmissionId | None:
    return next(
        (fact.origin_id for fact in facts if submission_id in {fact.submission_id, fact.origin_id}), None
    )
