"""A submission that does not count, by an admin's decision; or counts again."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.kernel.ids import GameId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, Journal, Ruling


class Ignore:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, submission_id: SubmissionId, reason: str, *, ignored: bool
    ) -> Refused[StrEnum] | None:
        action = "ignore" if ignored else "count_again"
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            origin = await opened.origin_of(submission_id)
            if origin is None:
                return Refused(CommandRefusal.NOT_FOUND)
            now = self._clock()
            outcome = opened.game.ignore(origin, now) if ignored else opened.game.count_again(origin, now)
            if isinstance(outcome, Refused):
                return outcome
            await opened.save(outcome.after, outcome.events, password_hash=opened.password_hash)
            details = {"submission_id": str(submission_id)}
            await opened.record(Ruling(by=actor.account_id, action=action, reason=reason, details=details))
        self._journal.changed(action, game_id, actor.account_id)
        return None
