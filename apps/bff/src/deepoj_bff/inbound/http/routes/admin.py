"""/api/admin: rejudges, dead letters, workers, queues, limits, the audit log."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Request, Response, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import (
    FromCaller,
    FromCountRejudge,
    FromDeadLetters,
    FromLimits,
    FromNewId,
    FromNow,
    FromNowStreams,
    FromPreviewRejudge,
    FromQuotas,
    FromServices,
)
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.openapi.options import events
from deepoj_bff.inbound.http.params import Cursor, LastEventId, PageSize, PathId
from deepoj_bff.inbound.http.sse import frames
from deepoj_bff.inbound.http.wire.admin import NewDrain, NewRejudge, RejudgeSelection, Replay, WorkerNamed
from deepoj_bff.queries.services import LONG, Call, Nothing, Page
from deepoj_bff.queries.views.admin import (
    AppliedRejudge,
    DeadLetterGroups,
    DeadLetters,
    DiscardedRejudge,
    Drain,
    Drained,
    Drains,
    QueueStats,
    RejudgeCount,
    RejudgePreview,
    Rejudges,
    Replayed,
    ReplayedMany,
    StartedRejudge,
    WorkerAttempts,
    Workers,
)
from deepoj_bff.queries.views.now import Now
from deepoj_bff.queries.views.quota import DoorLimits, Quotas
from deepoj_bff.queries.views.user import AuditLog

START: Final = Call("record", "StartRejudge", StartedRejudge, LONG, body=NewRejudge)
APPLY: Final = Call("record", "ApplyRejudge", AppliedRejudge, LONG)
DISCARD: Final = Call("record", "DiscardRejudge", DiscardedRejudge, LONG)
LIST_REJUDGES: Final = Call("record", "ListRejudges", Rejudges)
REPLAY: Final = Call("record", "ReplayDeadLetter", Replayed)
DEAD_LETTER_GROUPS: Final = Call("record", "ListDeadLetterGroups", DeadLetterGroups)
REPLAY_MANY: Final = Call("record", "ReplayDeadLetters", ReplayedMany, LONG, body=Replay)
QUEUE_STATS: Final = Call("record", "QueueStats", QueueStats)
ATTEMPTS: Final = Call("record", "ListAttempts", WorkerAttempts)
WORKERS: Final = Call("judgement", "ListWorkers", Workers)
DRAIN: Final = Call("record", "DrainWorker", Drained, body=NewDrain)
RESUME: Final = Call("record", "ResumeWorker", Nothing, body=WorkerNamed)
DRAINS: Final = Call("record", "ListDrains", Drains)
AUDIT_LOG: Final = Call("user", "ListAuditLog", AuditLog)

_JUDGE: Final = access(Access.JUDGE, Scope.MANAGE)
# Whoever manages a contest rejudges in it; record decides.
_REJUDGE: Final = access(Access.SIGNED_IN, Scope.MANAGE)
_ADMIN: Final = access(Access.ADMIN, Scope.ADMIN)
_TAGS: Final = ["admin"]


@post("/rejudges", opt=_REJUDGE, tags=_TAGS, summary="Judge a selection again, without showing it yet")
async def start_rejudge(
    data: JSONBody[NewRejudge], caller: FromCaller, services: FromServices, new_id: FromNewId
) -> StartedRejudge:
    if (data.submission_id is None) == (data.filter is None):
        detail = "name either a submission or a filter"
        raise ApiError(ErrorType.INVALID_REQUEST, "selection_missing", detail)
    return await services.call(START, data, actor=caller.actor, rejudge_id=data.rejudge_id or new_id())


@post(
    "/rejudges/count",
    opt=_REJUDGE,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="What a rejudge would judge again",
)
async def count_rejudge(
    data: JSONBody[RejudgeSelection], caller: FromCaller, count_rejudge: FromCountRejudge
) -> RejudgeCount:
    return await count_rejudge(data.filter, caller.actor)


@get("/rejudges", opt=_REJUDGE, tags=_TAGS, summary="Rejudges, the latest first")
async def list_rejudges(
    caller: FromCaller,
    services: FromServices,
    contest_id: Annotated[
        UUID | None,
        QueryParameter(name="contest_id", description="Of submissions to this contest."),
    ] = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Rejudges:
    page = Page(size, cursor)
    return await services.call(LIST_REJUDGES, actor=caller.actor, game_id=contest_id, page=page)


@get(
    "/rejudges/{rejudge_id:uuid}", opt=_REJUDGE, tags=_TAGS, summary="What it would change, as far as judged"
)
async def preview_rejudge(
    rejudge_id: PathId,
    caller: FromCaller,
    preview_rejudge: FromPreviewRejudge,
    size: PageSize = None,
    cursor: Cursor = None,
) -> RejudgePreview:
    return await preview_rejudge(rejudge_id, Page(size, cursor), caller.actor)


@post(
    "/rejudges/{rejudge_id:uuid}/apply",
    opt=_REJUDGE,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Make it count",
)
async def apply_rejudge(rejudge_id: PathId, caller: FromCaller, services: FromServices) -> AppliedRejudge:
    return await services.call(APPLY, actor=caller.actor, rejudge_id=rejudge_id)


@post(
    "/rejudges/{rejudge_id:uuid}/discard",
    opt=_REJUDGE,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Throw it away",
)
async def discard_rejudge(rejudge_id: PathId, caller: FromCaller, services: FromServices) -> DiscardedRejudge:
    return await services.call(DISCARD, actor=caller.actor, rejudge_id=rejudge_id)


@get("/dead-letters", opt=_ADMIN, tags=_TAGS, summary="Submissions that could not be judged")
async def list_dead_letters(
    caller: FromCaller,
    dead_letters: FromDeadLetters,
    group: Annotated[
        str | None,
        QueryParameter(
            name="group",
            max_length=32,
            pattern="^[0-9a-f]{32}$",
            description="Those of a group that wait for somebody.",
        ),
    ] = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> DeadLetters:
    return await dead_letters(group, Page(size, cursor), caller.actor)


@get("/dead-letters/groups", opt=_ADMIN, tags=_TAGS, summary="What they died of")
async def list_dead_letter_groups(caller: FromCaller, services: FromServices) -> DeadLetterGroups:
    return await services.call(DEAD_LETTER_GROUPS, actor=caller.actor)


@post(
    "/dead-letters/replay",
    opt=_ADMIN,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Judge many once more",
)
async def replay_dead_letters(
    data: JSONBody[Replay], caller: FromCaller, services: FromServices
) -> ReplayedMany:
    """At most 500 at a time; of a group the oldest. A repeated request replays only what is still dead."""
    return await services.call(REPLAY_MANY, data, actor=caller.actor)


@post("/dead-letters/{submission_id:uuid}/replay", opt=_ADMIN, tags=_TAGS, summary="Judge it once more")
async def replay_dead_letter(
    submission_id: PathId, caller: FromCaller, services: FromServices, new_id: FromNewId
) -> Replayed:
    return await services.call(
        REPLAY, actor=caller.actor, submission_id=submission_id, new_submission_id=new_id()
    )


@get("/queue", opt=_JUDGE, tags=_TAGS, summary="How long the queues are")
async def queue_stats(caller: FromCaller, services: FromServices) -> QueueStats:
    return await services.call(QUEUE_STATS, actor=caller.actor)


@get("/now", opt=_ADMIN, tags=_TAGS, summary="How the system is, in a sentence and in numbers")
async def get_now(request: Request[Any, Any, Any], caller: FromCaller, now: FromNow) -> Response[Now]:
    return answer(request, await now(caller.actor), Now)


@get(
    "/events",
    opt=_ADMIN | events(),
    tags=_TAGS,
    summary="How the system is, live",
    responses=frames.described("`now`, as `GET /api/admin/now` answers it, first and when it is different."),
)
async def now_events(
    caller: FromCaller, now_streams: FromNowStreams, last_event_id: LastEventId = None
) -> Stream:
    return frames.stream(now_streams.watch(caller, last_event_id or ""), caller)


@get("/workers", opt=_JUDGE, tags=_TAGS, summary="Judge workers alive")
async def list_workers(caller: FromCaller, services: FromServices) -> Workers:
    return await services.call(WORKERS, actor=caller.actor)


@get("/workers/drained", opt=_JUDGE, tags=_TAGS, summary="Judge workers out of service, alive or not")
async def list_drains(caller: FromCaller, services: FromServices) -> Drains:
    return await services.call(DRAINS, actor=caller.actor)


@post(
    "/workers/drain",
    opt=_ADMIN,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Take a judge worker, or all of a host, out of service",
)
async def drain_worker(data: JSONBody[NewDrain], caller: FromCaller, services: FromServices) -> Drain:
    """It takes nothing new, from some seconds on and also after a restart. Repeated, it changes the order.

    What it judges it finishes, or hands back when its time is over. Nobody need be alive under the name.
    """
    return (await services.call(DRAIN, data, actor=caller.actor)).drain


@post(
    "/workers/resume",
    opt=_ADMIN,
    tags=_TAGS,
    status_code=HTTP_204_NO_CONTENT,
    summary="Put it back into service",
)
async def resume_worker(data: JSONBody[WorkerNamed], caller: FromCaller, services: FromServices) -> None:
    await services.call(RESUME, data, actor=caller.actor)


@get("/attempts", opt=_JUDGE, tags=_TAGS, summary="Which worker had which submission, and when")
async def list_attempts(
    caller: FromCaller,
    services: FromServices,
    minutes: Annotated[
        int, QueryParameter(name="minutes", ge=1, le=60, description="What had ended before is left out.")
    ] = 10,
) -> WorkerAttempts:
    """What has ended is looked for among the latest thousand submissions that were taken."""
    return await services.call(ATTEMPTS, actor=caller.actor, within=minutes * 60_000)


@get("/quotas", opt=_ADMIN, tags=_TAGS, summary="What admission goes by")
async def quotas(quotas: FromQuotas) -> Quotas:
    return await quotas.of_all()


@get("/limits", opt=_ADMIN, tags=_TAGS, summary="What is taken at once, and from whom")
async def limits(limits: FromLimits) -> DoorLimits:
    return limits


@get("/audit-log", opt=_ADMIN, tags=_TAGS, summary="Security events of all accounts")
async def audit_log(
    caller: FromCaller, services: FromServices, size: PageSize = None, cursor: Cursor = None
) -> AuditLog:
    return await services.call(AUDIT_LOG, actor=caller.actor, page=Page(size, cursor))
