"""The game service: who may submit now, and who sees what was submitted."""

from __future__ import annotations

import logging
from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import GameRules, SealedGames
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.single_flight import RecentAnswers
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub
from deepoj_record.commands.ports import Clock, EntryRefused, GameAwayError, GameEntry
from deepoj_record.outbound.grpc.actors import actor_message

_log = logging.getLogger(__name__)
_CALLS: Final = ("CheckEntry", "CheckSight", "ListSealed")
IDEMPOTENT: Final = tuple(f"/deepoj.game.v1.GameService/{call}" for call in _CALLS)
_REFUSALS: Final = frozenset({Kind.INVALID, Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.PRECONDITION, Kind.CONFLICT})
_LIVE: Final = frozenset({game_pb2.PHASE_RUNNING, game_pb2.PHASE_FROZEN})
_GUEST: Final = common_pb2.Actor(role=common_pb2.ROLE_GUEST)


class GrpcGames:
    def __init__(self, channel: grpc.aio.Channel, clock: Clock) -> None:
        self._games = GameServiceStub(channel)
        self._rules = RecentAnswers[tuple[GameId, AccountId | None], GameRules](clock)
        self._sealed = RecentAnswers[None, SealedGames](clock)

    async def check(self, actor: Actor, game_id: GameId, question_id: QuestionId) -> GameEntry | EntryRefused:
        request = game_pb2.CheckEntryRequest(
            actor=actor_message(actor), game_id=str(game_id), question_id=str(question_id)
        )
        try:
            answer = await self._games.CheckEntry(request)
        except RemoteError as error:
            if error.kind in _REFUSALS:
                return EntryRefused(error.kind, error.reason, error.message)
            raise GameAwayError(str(error)) from error
        return GameEntry(is_live=answer.phase in _LIVE)

    async def rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        asked = (game_id, None if actor is None else actor.account_id)
        return await self._rules.get(asked, lambda: self._ask_rules(game_id, actor))

    async def sealed(self) -> SealedGames | None:
        return await self._sealed.get(None, self._ask_sealed)

    async def _ask_rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        who = _GUEST if actor is None else actor_message(actor)
        try:
            told = await self._games.CheckSight(game_pb2.CheckSightRequest(actor=who, game_id=str(game_id)))
        except RemoteError as error:
            _log.warning("the rules of game %s are not known: %s", game_id, error)
            return None
        return GameRules(
            staff=told.staff,
            manages=told.manages,
            shows_others=told.shows_others,
            tells_verdicts=told.tells_verdicts,
            still_running=frozenset(AccountId(UUID(each)) for each in told.running_ids),
        )

    async def _ask_sealed(self) -> SealedGames | None:
        try:
            told = await self._games.ListSealed(game_pb2.ListSealedRequest())
        except RemoteError as error:
            _log.warning("which games are sealed is not known: %s", error)
            return None
        return SealedGames(
            games=frozenset(GameId(UUID(each)) for each in told.game_ids),
            running=frozenset(
                (GameId(UUID(each.game_id)), AccountId(UUID(each.account_id))) for each in told.running
            ),
        )
