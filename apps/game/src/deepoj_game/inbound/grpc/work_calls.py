"""Work that takes long, and what was ruled."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from deepoj_domain.game.work import Stage, Work, WorkOutcome
from deepoj_domain.kernel.outcome import Refused
from deepoj_game.commands.recompute_board import RecomputeBoard
from deepoj_game.inbound.grpc import mapper
from deepoj_game.inbound.grpc.refusals import raise_refusal
from deepoj_game.queries.get_work import GetWork
from deepoj_game.queries.list_rulings import ListRulings
from deepoj_game.queries.list_work import ListWork
from deepoj_kit.grpc import Kind, refuse, signed_in
from deepoj_proto.game.v1 import game_pb2


@dataclass(frozen=True, slots=True)
class WorkUseCases:
    recompute: RecomputeBoard
    get: GetWork
    list: ListWork
    rulings: ListRulings


class WorkCalls:
    _work: WorkUseCases

    async def RecomputeScores(
        self, request: game_pb2.RecomputeScoresRequest, context: object
    ) -> AsyncIterator[game_pb2.RecomputeScoresResponse]:
        account = mapper.account_id(request.account_id) if request.account_id else None
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        begun = await self._work.recompute(actor, game_id, account)
        if isinstance(begun, Refused):
            raise_refusal(begun)
        async with aclosing(self._work.get.follow(game_id, begun)) as steps:
            async for work in steps:
                if work.outcome is WorkOutcome.DONE and work.result is not None:
                    yield game_pb2.RecomputeScoresResponse(done=mapper.rebuilt(work.result))
                elif work.outcome is not None:
                    refuse(Kind.INTERNAL, "work_failed", f"the recompute was given up: {work.error}")
                else:
                    yield game_pb2.RecomputeScoresResponse(progress=_progress(work))

    async def GetWork(self, request: game_pb2.GetWorkRequest, context: object) -> game_pb2.GetWorkResponse:
        found = await self._work.get(
            mapper.actor(request.actor), mapper.game_id(request.game_id), mapper.work_id(request.work_id)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return game_pb2.GetWorkResponse(work=mapper.work(found))

    async def ListWork(self, request: game_pb2.ListWorkRequest, context: object) -> game_pb2.ListWorkResponse:
        found = await self._work.list(
            mapper.actor(request.actor), mapper.game_id(request.game_id), mapper.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.paged(game_pb2.ListWorkResponse, "work", found)

    async def ListRulings(
        self, request: game_pb2.ListRulingsRequest, context: object
    ) -> game_pb2.ListRulingsResponse:
        found = await self._work.rulings(
            mapper.actor(request.actor), mapper.game_id(request.game_id), mapper.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.paged(game_pb2.ListRulingsResponse, "rulings", found)


def _progress(work: Work) -> game_pb2.RecomputeProgress:
    total = work.total if work.stage is Stage.READING else work.submissions
    return game_pb2.RecomputeProgress(
        submissions_read=work.submissions, submissions_total=total, work=mapper.work(work)
    )
