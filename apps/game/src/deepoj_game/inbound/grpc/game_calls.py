"""Create, Update, Get, List, Delete, and what an admin decides about a game."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.game.decision import Extend, RemoveInterval, RestoreInterval
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
from deepoj_game.inbound.grpc import decode, decode_draft, encode, encode_work
from deepoj_game.inbound.grpc.refusals import raise_refusal
from deepoj_game.queries.get_game import GetGame
from deepoj_game.queries.list_games import ListGames
from deepoj_game.queries.views import GameView
from deepoj_kit.grpc import signed_in
from deepoj_proto.game.v1 import game_pb2


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
        actor = person(signed_in(decode.actor(request.actor)))
        made = await self._games.create(
            actor,
            decode.game_id(request.game_id),
            decode_draft.plan(request.draft),
            request.draft.password,
        )
        if isinstance(made, Refused):
            raise_refusal(made)
        return game_pb2.CreateResponse(game=await self._after(actor, made))

    async def Update(self, request: game_pb2.UpdateRequest, context: object) -> game_pb2.UpdateResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        plan = decode_draft.plan(request.draft)
        done = await self._games.edit(actor, game_id, request.version, plan, request.draft.password)
        return game_pb2.UpdateResponse(game=await self._after(actor, game_id, done))

    async def Get(self, request: game_pb2.GetRequest, context: object) -> game_pb2.GetResponse:
        view = await self._games.get(decode.actor(request.actor), decode.game_id(request.game_id))
        if isinstance(view, Refused):
            raise_refusal(view)
        own = view.entrant
        return game_pb2.GetResponse(
            game=_game(view),
            participant=None if own is None else encode.participant(own.participant, own.display_name),
            staff=view.viewer.is_staff,
            administers=view.viewer is Viewer.ADMIN,
        )

    async def List(self, request: game_pb2.ListRequest, context: object) -> game_pb2.ListResponse:
        found = await self._games.list(
            decode.actor(request.actor),
            decode.search(request.search),
            frozenset(decode.enum(decode.PHASES, each, "phase") for each in request.phases),
            decode.page(request.page),
            mine=request.mine,
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        games = [encode.listed_game(view) for view in found.items]
        return game_pb2.ListResponse(games=games, page=encode.page_info(found.next))

    async def Delete(self, request: game_pb2.DeleteRequest, context: object) -> game_pb2.DeleteResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        if refused := await self._games.delete(actor, game_id, request.version):
            raise_refusal(refused)
        return game_pb2.DeleteResponse()

    async def Extend(self, request: game_pb2.ExtendRequest, context: object) -> game_pb2.ExtendResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        by, reason = decode.duration(request.by), decode.reason(request.reason)
        done = await self._games.change_times(actor, game_id, Extend(by), reason)
        return game_pb2.ExtendResponse(game=await self._after(actor, game_id, done))

    async def Unfreeze(self, request: game_pb2.UnfreezeRequest, context: object) -> game_pb2.UnfreezeResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        done = await self._games.unfreeze(actor, game_id)
        return game_pb2.UnfreezeResponse(game=await self._after(actor, game_id, done))

    async def Finalize(self, request: game_pb2.FinalizeRequest, context: object) -> game_pb2.FinalizeResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        done = await self._games.finalize(actor, game_id)
        return game_pb2.FinalizeResponse(game=await self._after(actor, game_id, done))

    async def RemoveInterval(
        self, request: game_pb2.RemoveIntervalRequest, context: object
    ) -> game_pb2.RemoveIntervalResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        interval, reason = decode.interval(request.interval), decode.reason(request.reason)
        done = await self._games.change_times(actor, game_id, RemoveInterval(interval), reason)
        return game_pb2.RemoveIntervalResponse(game=await self._after(actor, game_id, done))

    async def RestoreInterval(
        self, request: game_pb2.RestoreIntervalRequest, context: object
    ) -> game_pb2.RestoreIntervalResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        interval, reason = decode.interval(request.interval), decode.reason(request.reason)
        done = await self._games.change_times(actor, game_id, RestoreInterval(interval), reason)
        return game_pb2.RestoreIntervalResponse(game=await self._after(actor, game_id, done))

    async def Reopen(self, request: game_pb2.ReopenRequest, context: object) -> game_pb2.ReopenResponse:
        actor, game_id = signed_in(decode.actor(request.actor)), decode.game_id(request.game_id)
        done = await self._games.reopen(actor, game_id, decode.reason(request.reason))
        return game_pb2.ReopenResponse(game=await self._after(actor, game_id, done))

    async def IgnoreSubmission(
        self, request: game_pb2.IgnoreSubmissionRequest, context: object
    ) -> game_pb2.IgnoreSubmissionResponse:
        refused = await self._games.ignore(
            signed_in(decode.actor(request.actor)),
            decode.game_id(request.game_id),
            decode.submission_id(request.submission_id),
            decode.reason(request.reason),
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
        return _game(view)


def _game(view: GameView) -> game_pb2.Game:
    found = encode.game(view)
    if view.work is not None:
        found.work.CopyFrom(encode_work.work(view.work))
    return found
