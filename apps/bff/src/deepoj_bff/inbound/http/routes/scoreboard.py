"""/api/contests: scoreboards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final

from litestar import Request, Response, get, post
from litestar.params import FromQuery, HeaderParameter, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_202_ACCEPTED

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import FromBoards, FromBoardStreams, FromCaller, FromServices
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.ndjson import first_of, ndjson
from deepoj_bff.inbound.http.openapi.options import NDJSON, conditional, downloads, events, lines
from deepoj_bff.inbound.http.params import Cursor, PageSize, PathId
from deepoj_bff.inbound.http.sse import frames
from deepoj_bff.queries.boards import EXPORT
from deepoj_bff.queries.services import LONG, Call, Page
from deepoj_bff.queries.views.board import (
    CompactBoard,
    RankChanges,
    RankExplanation,
    RecomputeEvent,
    Score,
    Scoreboard,
    WorkAnswer,
    WorkDetail,
    WorkList,
)
from deepoj_bff.queries.views.contest import Work
from deepoj_domain.game.visibility import BoardView

GET_SCORE: Final = Call("game", "GetScore", Score)
EXPLAIN: Final = Call("game", "ExplainRank", RankExplanation)
PREVIEW: Final = Call("game", "PreviewRejudge", RankChanges)
GET_WORK: Final = Call("game", "GetWork", WorkAnswer)
LIST_WORK: Final = Call("game", "ListWork", WorkList)
RECOMPUTE: Final = Call("game", "RecomputeScores", RecomputeEvent, LONG)

_READ: Final = access(Access.PUBLIC)
_STAFF: Final = access(Access.SIGNED_IN, Scope.MANAGE)
_TAGS: Final = ["scoreboard"]


class FileFormat(StrEnum):
    CSV = "csv"
    JSON = "json"


At = Annotated[datetime | None, QueryParameter(name="at", description="The board as it was then.")]
View = Annotated[
    BoardView,
    QueryParameter(name="view", description="`own` shows my row unfrozen, `admin` all rows, to the staff."),
]
LastSequence = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", max_length=20, description="Where a stream broke off.")
]


@get("/{contest_id:uuid}/scoreboard", opt=_READ | conditional(), tags=_TAGS, summary="The board")
async def get_scoreboard(
    *,
    contest_id: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    boards: FromBoards,
    view: View = BoardView.PUBLIC,
    at: At = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Response[Scoreboard]:
    found = await boards.page(contest_id, view, at, Page(size, cursor), caller.actor)
    return answer(request, found, Scoreboard)


@get(
    "/{contest_id:uuid}/scoreboard/compact",
    opt=_READ | conditional(),
    tags=_TAGS,
    summary="The whole board, for clients that keep it",
)
async def get_compact_scoreboard(
    *,
    contest_id: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    boards: FromBoards,
    view: View = BoardView.PUBLIC,
    at: At = None,
) -> Response[CompactBoard]:
    return answer(request, await boards.whole(contest_id, view, at, caller.actor), CompactBoard)


@get(
    "/{contest_id:uuid}/scoreboard/export",
    opt=_READ | downloads("text/csv", "application/json"),
    tags=_TAGS,
    summary="The whole board as a file",
)
async def export_scoreboard(
    *,
    contest_id: PathId,
    caller: FromCaller,
    services: FromServices,
    view: View = BoardView.PUBLIC,
    at: At = None,
    format: FromQuery[FileFormat] = FileFormat.CSV,  # noqa: A002 — the name of the query parameter
) -> Stream:
    chunks = services.stream(EXPORT, actor=caller.actor, game_id=contest_id, view=view, format=format, at=at)
    first, rest = await first_of(chunks)

    async def body() -> AsyncIterator[bytes]:
        if first is not None:
            yield first.chunk
        async for each in rest:
            yield each.chunk

    media_type = "text/csv; charset=utf-8" if format is FileFormat.CSV else "application/json"
    headers = {"content-disposition": f'attachment; filename="scoreboard.{format}"'}
    return Stream(body(), media_type=media_type, headers=headers)


@get("/{contest_id:uuid}/scoreboard/{user_id:uuid}", opt=_READ, tags=_TAGS, summary="One row of the board")
async def get_score(contest_id: PathId, user_id: PathId, caller: FromCaller, services: FromServices) -> Score:
    return await services.call(GET_SCORE, actor=caller.actor, game_id=contest_id, account_id=user_id)


@get(
    "/{contest_id:uuid}/scoreboard/{user_id:uuid}/explain",
    opt=_READ,
    tags=_TAGS,
    summary="Which submissions made this rank",
)
async def explain_rank(
    contest_id: PathId, user_id: PathId, caller: FromCaller, services: FromServices, at: At = None
) -> RankExplanation:
    return await services.call(EXPLAIN, actor=caller.actor, game_id=contest_id, account_id=user_id, at=at)


@get(
    "/{contest_id:uuid}/events",
    opt=_READ | events(),
    tags=_TAGS,
    summary="The board, live",
    responses=frames.described(
        "`board` with the first rows, then `row`, `reload` and `clarification`; ids are sequence numbers."
    ),
)
async def contest_events(
    contest_id: PathId,
    caller: FromCaller,
    boards: FromBoards,
    board_streams: FromBoardStreams,
    view: View = BoardView.PUBLIC,
    last_event_id: LastSequence = None,
) -> Stream:
    # Asked here so that a refusal is a status and not an event.
    board = await boards.first_rows(str(contest_id), view, caller.actor, rows=1)
    seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else None
    if seen is not None and seen > board.sequence:
        seen = None
    return frames.stream(board_streams.of(str(contest_id), view, caller, seen), caller)


@get(
    "/{contest_id:uuid}/rejudges/{rejudge_id:uuid}/preview",
    opt=_STAFF,
    tags=_TAGS,
    summary="What a rejudge would do to the board",
)
async def preview_board(
    contest_id: PathId, rejudge_id: PathId, caller: FromCaller, services: FromServices
) -> RankChanges:
    return await services.call(PREVIEW, actor=caller.actor, game_id=contest_id, rejudge_id=rejudge_id)


@post(
    "/{contest_id:uuid}/recompute",
    opt=_STAFF | lines(),
    tags=_TAGS,
    status_code=HTTP_202_ACCEPTED,
    summary="Rebuild the board from the records",
)
async def recompute(
    contest_id: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    user_id: Annotated[
        str | None, QueryParameter(name="user_id", max_length=36, description="Only this participant.")
    ] = None,
) -> Response[Work]:
    """Safe at any time and to repeat. The answer is the work that has begun: ask `work/{id}` how far it is.

    With `Accept: application/x-ndjson` a line for each step, until it is done.
    """
    events = services.stream(RECOMPUTE, actor=caller.actor, game_id=contest_id, account_id=user_id)
    if NDJSON in request.headers.get("accept", ""):
        return await ndjson(events, Work)
    first, _ = await first_of(events)
    if first is None or first.progress is None:
        raise ApiError(ErrorType.INTERNAL, "recompute_incomplete", "the recompute did not say that it began")
    work = first.progress.work
    return Response(work, headers={"location": f"/api/contests/{contest_id}/work/{work.id}"})


@get("/{contest_id:uuid}/work", opt=_STAFF, tags=_TAGS, summary="Work on the board, the latest first")
async def list_work(
    contest_id: PathId,
    caller: FromCaller,
    services: FromServices,
    size: PageSize = None,
    cursor: Cursor = None,
) -> WorkList:
    return await services.call(LIST_WORK, actor=caller.actor, game_id=contest_id, page=Page(size, cursor))


@get("/{contest_id:uuid}/work/{work_id:uuid}", opt=_STAFF, tags=_TAGS, summary="How far work has come")
async def get_work(
    contest_id: PathId, work_id: PathId, caller: FromCaller, services: FromServices
) -> WorkDetail:
    found = await services.call(GET_WORK, actor=caller.actor, game_id=contest_id, work_id=work_id)
    return found.work
