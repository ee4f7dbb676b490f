"""The game service: who may submit now, and who sees what was submitted."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import GameRules
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub
from deepoj_record.commands.ports import Clock, Entry, EntryRefused, GameAwayError
from deepoj_record.outbound.grpc.actors import actor_message

_log = logging.getLogger(__name__)
IDEMPOTENT: Final = ("/deepoj.game.v1.GameService/CheckEntry", "/deepoj.game.v1.GameService/CheckSight")
_REFUSALS: Final = frozenset({Kind.INVALID, Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.PRECONDITION, Kind.CONFLICT})
_LIVE: Final = frozenset({game_pb2.PHASE_RUNNING, game_pb2.PHASE_FROZEN})
# Everybody acts under these rules for at most so long after they changed.
_FRESH: Final = timedelta(seconds=3)
_UNANSWERED: Final = timedelta(milliseconds=300)
_MOST_KNOWN: Final = 10_000
_GUEST: Final = common_pb2.Actor(role=common_pb2.ROLE_GUEST)
_Asked = tuple[GameId, AccountId | None]


@dataclass(frozen=True, slots=True)
class _Known:
    until: datetime
    rules: asyncio.Task[GameRules | None]


class GrpcGames:
    def __init__(self, channel: grpc.aio.Channel, clock: Clock) -> None:
        self._games = GameServiceStub(channel)
        self._clock = clock
        self._known: dict[_Asked, _Known] = {}

    async def check(self, actor: Actor, game_id: GameId, question_id: QuestionId) -> Entry | EntryRefused:
        request = game_pb2.CheckEntryRequest(
            actor=actor_message(actor), game_id=str(game_id), question_id=str(question_id)
        )
        try:
            answer = await self._games.CheckEntry(request)
        except RemoteError as error:
            if error.kind in _REFUSALS:
                return EntryRefused(error.kind, error.reason, error.message)
            raise GameAwayError(str(error)) from error
        return Entry(is_live=answer.phase in _LIVE)

    async def rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        """Those who ask at the same time share one call, and whoever asks soon after its answer."""
        now, asked = self._clock(), (game_id, None if actor is None else actor.account_id)
        known = self._known.get(asked)
        if known is None or known.until <= now:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = _Known(now + _FRESH, asyncio.create_task(self._ask(game_id, actor, asked)))
            self._known[asked] = known
        # One of those who wait may give up; the others still want the answer.
        return await asyncio.shield(known.rules)

    def _forget_soon(self, asked: _Asked) -> None:
        """One caller's short deadline must not hide a game from them for long."""
        known = self._known.get(asked)
        if known is not None:
            self._known[asked] = replace(known, until=self._clock() + _UNANSWERED)

    async def _ask(self, game_id: GameId, actor: Actor | None, asked: _Asked) -> GameRules | None:
        who = _GUEST if actor is None else actor_message(actor)
        try:
            told = await self._games.CheckSight(game_pb2.CheckSightRequest(actor=who, game_id=str(game_id)))
        except RemoteError as error:
            _log.warning("the rules of game %s are not known: %s", game_id, error)
            self._forget_soon(asked)
            return None
        return GameRules(
            staff=told.staff,
            shows_others=told.shows_others,
            tells_verdicts=told.tells_verdicts,
            still_running=frozenset(AccountId(UUID(each)) for each in told.running_ids),
        )
