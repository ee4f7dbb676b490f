"""GET /api/events: one stream for a browser."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from litestar import get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Stream

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access, check_level
from deepoj_bff.inbound.http.dependencies import FromBoards, FromBrowserStreams, FromCaller
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.openapi.options import events
from deepoj_bff.inbound.http.params import LastEventId
from deepoj_bff.inbound.http.sse import frames
from deepoj_bff.inbound.http.sse.browser_streams import Board, Position
from deepoj_domain.game.visibility import BoardView

Contest = Annotated[UUID | None, QueryParameter(name="contest", description="Follow this contest.")]
Own = Annotated[
    Literal["mine"] | None, QueryParameter(name="submissions", description="Follow one's own submissions.")
]
After = Annotated[
    int | None,
    QueryParameter(name="after", ge=0, le=2**53, description="The `sequence` of the board one has read."),
]
_TEXT: Final = (
    "`session` first; `submissions` with one's latest, then `submission`, and `progress` while it is judged; "
    "`reload`, `row` and `clarification` of the contest, each with its `contest_id`."
)


@get(
    "/events",
    opt=access(Access.PUBLIC) | events(),
    tags=["live"],
    summary="All that a browser follows, in one stream",
    responses=frames.described(_TEXT),
)
async def browser_events(
    *,
    caller: FromCaller,
    boards: FromBoards,
    browser_streams: FromBrowserStreams,
    contest: Contest = None,
    view: FromQuery[BoardView] = BoardView.PUBLIC,
    own: Own = None,
    after: After = None,
    last_event_id: LastEventId = None,
) -> Stream:
    """`reload` says that the board is to be read; with `after` there is none unless it is too long ago."""
    if contest is None and own is None:
        raise ApiError(ErrorType.INVALID_REQUEST, "nothing_to_follow", "name a contest, or submissions=mine")
    if own is not None:
        check_level(Access.SIGNED_IN, caller)
    board = None if contest is None else Board(str(contest), view)
    seen = Position.read(last_event_id or "", board)
    if board is not None:
        # Asked here so that a refusal is a status and not an event.
        found = await boards.first_rows(board.contest_id, view, caller.actor, rows=1)
        known = after if seen.sequence is None else seen.sequence
        sequence = known if known is not None and known <= found.sequence else None
        seen = Position(seen.submissions, board, sequence)
    return frames.stream(browser_streams.of(caller, seen, submissions=own is not None), caller)
