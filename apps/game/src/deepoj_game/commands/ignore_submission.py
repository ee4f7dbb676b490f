"""A submission that does not count, by an admin's decision; or counts again."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.decision import Ignore
from deepoj_domain.game.game import GameOutcome
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.kernel.ids import GameId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.ports import CommandRefusal, Log, OpenGame, Ruling


class IgnoreSubmission:
    def __init__(self, rulings: AdminRulings) -> None:
        self._rulings = rulings

    async def __call__(
        self, actor: Actor, game_id: GameId, submission_id: SubmissionId, reason: str, *, ignored: bool
    ) -> Refused[StrEnum] | None:
        action, details = "ignore" if ignored else "count_again", {"submission_id": str(submission_id)}

        async def decide(opened: OpenGame, now: datetime) -> GameOutcome | Refused[CommandRefusal]:
            origin = await _origin_of(opened, submission_id)
            if origin is None:
                return Refused(CommandRefusal.NOT_FOUND)
            return Ignore(origin, ignored).decide(opened.game, now)

        ruling = Ruling(by=actor.account_id, action=action, reason=reason, details=details)
        return await self._rulings(actor, game_id, ruling, decide)


async def _origin_of(opened: OpenGame, submission_id: SubmissionId) -> SubmissionId | None:
    """Find the chain of a submission, by any submission of it."""
    log = await opened.log(Touched(submissions=frozenset({submission_id}))) or Log()
    return next(
        (
            fact.origin_id
            for facts in log.facts.values()
            for fact in facts
            if submission_id in {fact.submission_id, fact.origin_id}
        ),
        None,
    )
