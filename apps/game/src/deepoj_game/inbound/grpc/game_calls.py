"""Create, Update, Get, List, Delete, and what an admin decides about a game."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from deepoj_domain.game.decision import Extend, RemoveInterval, RestoreInterval
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.visibility import Viewer
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, person
from deepoj_game.commands.change_times import ChangeTimes
from deepoj_game.commands.create_game import CreateGame
from deepoj_game.commands.delete_game import DeleteGame
from deepoj_game.commands.edit_game import EditGame
from deepoj_game.commands.finalize import Finalize
from deepoj_game.commands.ignore_submission import IgnoreSubmission
from deepoj_game.commands.reopen import Reopen
from deepoj_game.commands.unfreeze import Unfreeze
from deepoj_game.inbound.grpc import mapper
from deepoj_game.inbound.grpc.drafts import plan
from deepoj_game.inbound.grpc.refusals import raise_refusal
from deepoj_game.queries.get_game import GetGame
from deepoj_game.queries.list_games import ListGames
from deepoj_kit.grpc import signed_in
from deepoj_proto.game.v1 import game_pb2

_phases: Final = mapper.MAPPER.field(game_pb2.ListRequest, "phases", frozenset[Phase])
_by: Final = mapper.MAPPER.field(game_pb2.ExtendRequest, "by", timedelta)


@dataclass(frozen=True, slots=True)
class GameUseCases:
    create: CreateGame
    edit: EditGame
    delete: DeleteGame
    change_times: ChangeTimes
    unfreeze: Unfreeze
    finalize: Finalize
    reopen: Reopen
    ignore: IgnoreSubmission
    get: GetGame
    list: ListGames


class GameCalls:
    _games: GameUseCases

    async def Create(self, request: game_pb2.CreateRequest, context: object) -> game_pb2.CreateResponse:
        actor = person(signed_in(mapper.actor(request.actor)))
        made = await self._games.create(
            actor,
            mapper.game_id(request.game_id),
            plan(request.draft),
            request.draft.password,
        )
        if isinstance(made, Refused):
            raise_refusal(made)
        return game_pb2.CreateResponse(game=await self._after(actor, made))

    async def Update(self, request: game_pb2.UpdateRequest, context: object) -> game_pb2.UpdateResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        drafted, password = plan(request.draft), request.draft.password
        done = await self._games.edit(actor, game_id, request.version, drafted, password)
        return game_pb2.UpdateResponse(game=await self._after(actor, game_id, done))

    async def Get(self, request: game_pb2.GetRequest, context: object) -> game_pb2.GetResponse:
        view = await self._games.get(mapper.actor(request.actor), mapper.game_id(request.game_id))
        if isinstance(view, Refused):
            raise_refusal(view)
        viewer = view.viewer
        parts = {"game": view, "participant": view.entrant, "staff": viewer.is_staff}
        return mapper.build(game_pb2.GetResponse, {**parts, "administers": viewer is Viewer.ADMIN})

    async def List(self, request: game_pb2.ListRequest, context: object) -> game_pb2.ListResponse:
        found = await self._games.list(
            mapper.actor(request.actor),
            mapper.search(request.search),
            _phases(request),
            mapper.page(request.page),
            mine=request.mine,
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        games = [mapper.listed_game(view) for view in found.items]
        return game_pb2.ListResponse(games=games, page=mapper.page_info(found.next))

    async def Delete(self, request: game_pb2.DeleteRequest, context: object) -> game_pb2.DeleteResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        if refused := await self._games.delete(actor, game_id, request.version):
            raise_refusal(refused)
        return game_pb2.DeleteResponse()

    async def Extend(self, request: game_pb2.ExtendRequest, context: object) -> game_pb2.ExtendResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        by, reason = _by(request), mapper.reason(request.reason)
        done = await self._games.change_times(actor, game_id, Extend(by), reason)
        return game_pb2.ExtendResponse(game=await self._after(actor, game_id, done))

    async def Unfreeze(self, request: game_pb2.UnfreezeRequest, context: object) -> game_pb2.UnfreezeResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        done = await self._games.unfreeze(actor, game_id)
        return game_pb2.UnfreezeResponse(game=await self._after(actor, game_id, done))

    async def Finalize(self, request: game_pb2.FinalizeRequest, context: object) -> game_pb2.FinalizeResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        done = await self._games.finalize(actor, game_id)
        return game_pb2.FinalizeResponse(game=await self._after(actor, game_id, done))

    async def RemoveInterval(
        self, request: game_pb2.RemoveIntervalRequest, context: object
    ) -> game_pb2.RemoveIntervalResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        interval, reason = mapper.interval(request.interval), mapper.reason(request.reason)
        done = await self._games.change_times(actor, game_id, RemoveInterval(interval), reason)
        return game_pb2.RemoveIntervalResponse(game=await self._after(actor, game_id, done))

    async def RestoreInterval(
        self, request: game_pb2.RestoreIntervalRequest, context: object
    ) -> game_pb2.RestoreIntervalResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        interval, reason = mapper.interval(request.interval), mapper.reason(request.reason)
        done = await self._games.change_times(actor, game_id, RestoreInterval(interval), reason)
        return game_pb2.RestoreIntervalResponse(game=await self._after(actor, game_id, done))

    async def Reopen(self, request: game_pb2.ReopenRequest, context: object) -> game_pb2.ReopenResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        done = await self._games.reopen(actor, game_id, mapper.reason(request.reason))
        return game_pb2.ReopenResponse(game=await self._after(actor, game_id, done))

    async def IgnoreSubmission(
        self, request: game_pb2.IgnoreSubmissionRequest, context: object
    ) -> game_pb2.IgnoreSubmissionResponse:
        refused = await self._games.ignore(
            signed_in(mapper.actor(request.actor)),
            mapper.game_id(request.game_id),
            mapper.submission_id(request.submission_id),
            mapper.reason(request.reason),
            ignored=request.ignored,
        )
        if refused:
            raise_refusal(refused)
        return game_pb2.IgnoreSubmissionResponse()

    async def _after(
        self, actor: Actor, game_id: GameId, refused: Refused[StrEnum] | None = None
    ) -> game_pb2.Game:
        """Return the game as it is now."""
        if refused:
            raise_refusal(refused)
        view = await self._games.get(actor, game_id)
        if isinstance(view, Refused):
            raise_refusal(view)
        return mapper.game(view)
