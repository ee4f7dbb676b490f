"""Boards, and what a rejudge would do to them."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_game.inbound.grpc import decode, encode, encode_board
from deepoj_game.inbound.grpc.exporting import as_csv, as_json
from deepoj_game.inbound.grpc.refusals import raise_refusal
from deepoj_game.queries.board import Boards
from deepoj_game.queries.explain import Explain
from deepoj_game.queries.preview import PreviewRejudge
from deepoj_game.queries.watch import Watch
from deepoj_proto.game.v1 import game_pb2


@dataclass(frozen=True, slots=True)
class BoardUseCases:
    boards: Boards
    explain: Explain
    watch: Watch
    preview: PreviewRejudge


class BoardCalls:
    _boards: BoardUseCases

    async def GetScoreboard(
        self, request: game_pb2.GetScoreboardRequest, context: object
    ) -> game_pb2.GetScoreboardResponse:
        found = await self._boards.boards.page(
            decode.actor(request.actor),
            decode.game_id(request.game_id),
            decode.enum(decode.VIEWS, request.view, "view"),
            decode.moment(request, "at"),
            decode.page(request.page),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return game_pb2.GetScoreboardResponse(
            rows=[encode_board.row(each) for each in found.rows],
            page=encode.page_info(found.next),
            sequence=found.sequence,
            view=encode_board.VIEW_OF[found.view],
        )

    async def GetScore(self, request: game_pb2.GetScoreRequest, context: object) -> game_pb2.GetScoreResponse:
        found = await self._boards.boards.row(
            decode.actor(request.actor),
            decode.game_id(request.game_id),
            decode.account_id(request.account_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return game_pb2.GetScoreResponse(row=encode_board.row(found))

    async def ExplainRank(
        self, request: game_pb2.ExplainRankRequest, context: object
    ) -> game_pb2.ExplainRankResponse:
        found = await self._boards.explain(
            decode.actor(request.actor),
            decode.game_id(request.game_id),
            decode.account_id(request.account_id),
            decode.moment(request, "at"),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return game_pb2.ExplainRankResponse(
            row=encode_board.row(found.row),
            submissions=[encode_board.counted(each) for each in found.submissions],
            summary=found.summary,
        )

    async def ExportScoreboard(
        self, request: game_pb2.ExportScoreboardRequest, context: object
    ) -> AsyncIterator[game_pb2.ExportScoreboardResponse]:
        sight = await self._boards.boards.sight(
            decode.actor(request.actor),
            decode.game_id(request.game_id),
            decode.enum(decode.VIEWS, request.view, "view"),
            decode.moment(request, "at"),
        )
        if isinstance(sight, Refused):
            raise_refusal(sight)
        labels = [problem.label for problem in sight.game.plan.problems]
        rows = await self._boards.boards.everything(sight)
        if isinstance(rows, Refused):
            raise_refusal(rows)
        match request.format:
            case game_pb2.EXPORT_FORMAT_CSV:
                chunks = as_csv(labels, rows)
            case game_pb2.EXPORT_FORMAT_JSON:
                chunks = as_json(request.game_id, sight.view, labels, rows)
            case _:
                raise InvalidValueError("format_unknown", "a board is exported as CSV or JSON")
        async for chunk in chunks:
            yield game_pb2.ExportScoreboardResponse(chunk=chunk)

    async def WatchScoreboard(
        self, request: game_pb2.WatchScoreboardRequest, context: object
    ) -> AsyncIterator[game_pb2.WatchScoreboardResponse]:
        watch = self._boards.watch(
            decode.actor(request.actor),
            decode.game_id(request.game_id),
            decode.enum(decode.VIEWS, request.view, "view"),
            request.after_sequence,
        )
        async with aclosing(watch) as changes:
            async for change in changes:
                if isinstance(change, Refused):
                    raise_refusal(change)
                yield encode_board.shown(change)

    async def PreviewRejudge(
        self, request: game_pb2.PreviewRejudgeRequest, context: object
    ) -> game_pb2.PreviewRejudgeResponse:
        found = await self._boards.preview(
            decode.actor(request.actor),
            decode.game_id(request.game_id),
            decode.rejudge_id(request.rejudge_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        names = {account: each.display_name for account, each in found.entrants.items()}
        known = {account: each.participant for account, each in found.entrants.items()}
        return game_pb2.PreviewRejudgeResponse(
            changes=[encode_board.change(each, found.labels, names, known) for each in found.changes],
            submissions=found.outcomes.submissions,
            judged=found.outcomes.judged,
        )
