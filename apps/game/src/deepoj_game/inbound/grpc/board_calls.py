"""Boards, and what a rejudge would do to them."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from deepoj_domain.game.decision import Extend, RemoveInterval, RestoreInterval
from deepoj_domain.game.work import MOST_CHANGES_TOLD
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_game.inbound.grpc import mapper
from deepoj_game.inbound.grpc.board_export import as_compact, as_csv, as_json
from deepoj_game.inbound.grpc.boards import known_as, write_change
from deepoj_game.inbound.grpc.refusals import raise_refusal
from deepoj_game.queries.board import Boards, WatchBoard
from deepoj_game.queries.explain import Explain
from deepoj_game.queries.list_ignored import ListIgnored
from deepoj_game.queries.list_undecided import ListUndecided
from deepoj_game.queries.preview_rejudge import PreviewRejudge
from deepoj_game.queries.preview_ruling import Ignoring, PreviewRuling, RulingAsked
from deepoj_proto.game.v1 import game_pb2

_view: Final = mapper.view_in(game_pb2.GetScoreboardRequest)
_exported_view: Final = mapper.view_in(game_pb2.ExportScoreboardRequest)
_watched_view: Final = mapper.view_in(game_pb2.WatchScoreboardRequest)
_at: Final = mapper.MAPPER.optional_field(game_pb2.GetScoreboardRequest, "at", datetime)
_exported_at: Final = mapper.MAPPER.optional_field(game_pb2.ExportScoreboardRequest, "at", datetime)
_explained_at: Final = mapper.MAPPER.optional_field(game_pb2.ExplainRankRequest, "at", datetime)
_by: Final = mapper.MAPPER.field(game_pb2.PreviewRulingRequest, "extend", timedelta)
_ignoring: Final = mapper.MAPPER.reader(game_pb2.Ignoring, Ignoring)


@dataclass(frozen=True, slots=True)
class BoardUseCases:
    boards: Boards
    explain: Explain
    watch: WatchBoard
    preview: PreviewRejudge
    preview_ruling: PreviewRuling
    undecided: ListUndecided
    ignored: ListIgnored


class BoardCalls:
    _boards: BoardUseCases

    async def GetScoreboard(
        self, request: game_pb2.GetScoreboardRequest, context: object
    ) -> game_pb2.GetScoreboardResponse:
        found = await self._boards.boards.page(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            _view(request),
            _at(request),
            mapper.page(request.page),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        parts = {"rows": found.rows, "sequence": found.sequence, "view": found.view}
        return mapper.build(game_pb2.GetScoreboardResponse, {**parts, "page": mapper.page_info(found.next)})

    async def GetScore(self, request: game_pb2.GetScoreRequest, context: object) -> game_pb2.GetScoreResponse:
        found = await self._boards.boards.row(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            mapper.account_id(request.account_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return game_pb2.GetScoreResponse(row=mapper.row(found))

    async def ExplainRank(
        self, request: game_pb2.ExplainRankRequest, context: object
    ) -> game_pb2.ExplainRankResponse:
        found = await self._boards.explain(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            mapper.account_id(request.account_id),
            _explained_at(request),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.explanation(found)

    async def ExportScoreboard(
        self, request: game_pb2.ExportScoreboardRequest, context: object
    ) -> AsyncIterator[game_pb2.ExportScoreboardResponse]:
        sight = await self._boards.boards.sight(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            _exported_view(request),
            _exported_at(request),
        )
        if isinstance(sight, Refused):
            raise_refusal(sight)
        labels = [problem.label for problem in sight.game.plan.problems]
        # Asked first: what is read then may be newer than the number, never older.
        sequence = await self._boards.boards.sequence(sight)
        rows = await self._boards.boards.everything(sight)
        if isinstance(rows, Refused):
            raise_refusal(rows)
        match request.format:
            case game_pb2.EXPORT_FORMAT_CSV:
                chunks = as_csv(labels, rows)
            case game_pb2.EXPORT_FORMAT_JSON:
                chunks = as_json(request.game_id, sight.view, labels, rows)
            case game_pb2.EXPORT_FORMAT_COMPACT:
                chunks = as_compact(sight.view, sequence, labels, rows)
            case _:
                raise InvalidValueError("format_unknown", "a board is exported as CSV, JSON or compact JSON")
        async for chunk in chunks:
            yield game_pb2.ExportScoreboardResponse(chunk=chunk)

    async def WatchScoreboard(
        self, request: game_pb2.WatchScoreboardRequest, context: object
    ) -> AsyncIterator[game_pb2.WatchScoreboardResponse]:
        watch = self._boards.watch(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            _watched_view(request),
            request.after_sequence,
        )
        async with aclosing(watch) as changes:
            async for change in changes:
                if isinstance(change, Refused):
                    raise_refusal(change)
                yield mapper.change(change)

    async def PreviewRejudge(
        self, request: game_pb2.PreviewRejudgeRequest, context: object
    ) -> game_pb2.PreviewRejudgeResponse:
        found = await self._boards.preview(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            mapper.rejudge_id(request.rejudge_id),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        who, board = known_as(found.board.entrants), found.board
        return game_pb2.PreviewRejudgeResponse(
            changes=[write_change(each, board.labels, who) for each in board.changes],
            submissions=found.outcomes.submissions,
            judged=found.outcomes.judged,
        )

    async def PreviewRuling(
        self, request: game_pb2.PreviewRulingRequest, context: object
    ) -> game_pb2.PreviewRulingResponse:
        found = await self._boards.preview_ruling(
            mapper.actor(request.actor), mapper.game_id(request.game_id), _ruling(request)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        who, told = known_as(found.entrants), found.changes[:MOST_CHANGES_TOLD]
        return game_pb2.PreviewRulingResponse(
            rows_changed=len(found.changes), changes=[write_change(each, found.labels, who) for each in told]
        )

    async def ListUndecided(
        self, request: game_pb2.ListUndecidedRequest, context: object
    ) -> game_pb2.ListUndecidedResponse:
        found = await self._boards.undecided(mapper.actor(request.actor), mapper.game_id(request.game_id))
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.build(game_pb2.ListUndecidedResponse, {"submissions": found})

    async def ListIgnored(
        self, request: game_pb2.ListIgnoredRequest, context: object
    ) -> game_pb2.ListIgnoredResponse:
        found = await self._boards.ignored(mapper.actor(request.actor), mapper.game_id(request.game_id))
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.build(game_pb2.ListIgnoredResponse, {"submissions": found})


def _ruling(request: game_pb2.PreviewRulingRequest) -> RulingAsked:
    match request.WhichOneof("ruling"):
        case "extend":
            return Extend(_by(request))
        case "remove_interval":
            return RemoveInterval(mapper.interval(request.remove_interval))
        case "restore_interval":
            return RestoreInterval(mapper.interval(request.restore_interval))
        case "ignore":
            return _ignoring(request.ignore)
        case None:
            raise InvalidValueError("ruling_missing", "ruling has to be set")
