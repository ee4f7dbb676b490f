"""What an admin decides about a game as a whole: extend, remove an interval, unfreeze, finalize, delete."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from enum import StrEnum

from deepoj_domain.game.game import GameOutcome
from deepoj_domain.game.schedule import Interval
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, Journal, OpenGame, Ruling

Decision = Callable[[OpenGame, datetime], Awaitable[GameOutcome]]
Refusal = Refused[StrEnum] | None


class Rule:
    """Each decision is written with its author and reason, scores that follow from it included."""

    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def extend(self, actor: Actor, game_id: GameId, by: timedelta, reason: str) -> Refusal:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return opened.game.extend(by, now)

        ruling = Ruling(by=actor.account_id, action="extend", reason=reason, details={"by": str(by)})
        return await self._rule(actor, game_id, ruling, decide)

    async def remove_interval(
        self, actor: Actor, game_id: GameId, interval: Interval, reason: str
    ) -> Refusal:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return opened.game.remove_interval(interval, now)

        times = {"from": interval.since.isoformat(), "before": interval.until.isoformat()}
        ruling = Ruling(by=actor.account_id, action="remove_interval", reason=reason, details=times)
        return await self._rule(actor, game_id, ruling, decide)

    async def unfreeze(self, actor: Actor, game_id: GameId) -> Refusal:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return opened.game.unfreeze(now)

        return await self._rule(actor, game_id, Ruling(by=actor.account_id, action="unfreeze"), decide)

    async def finalize(self, actor: Actor, game_id: GameId) -> Refusal:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return opened.game.finalize(await opened.undecided(), now)

        return await self._rule(actor, game_id, Ruling(by=actor.account_id, action="finalize"), decide)

    async def delete(self, actor: Actor, game_id: GameId, version: int) -> Refusal:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return opened.game.delete(now)

        ruling = Ruling(by=actor.account_id, action="delete")
        return await self._rule(actor, game_id, ruling, decide, version=version)

    async def _rule(
        self, actor: Actor, game_id: GameId, ruling: Ruling, decide: Decision, *, version: int | None = None
    ) -> Refusal:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            if version is not None and opened.version != version:
                return Refused(CommandRefusal.VERSION_CONFLICT)
            outcome = await decide(opened, self._clock())
            if isinstance(outcome, Refused):
                self._journal.refused(ruling.action, game_id, outcome.reason)
                return outcome
            await opened.save(outcome.after, outcome.events, password_hash=opened.password_hash)
            await opened.record(ruling)
        self._journal.changed(ruling.action, game_id, actor.account_id)
        return None
