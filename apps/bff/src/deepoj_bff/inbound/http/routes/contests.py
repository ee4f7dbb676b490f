"""/api/contests: contests, and what their staff does to them."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Response, delete, get, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromContests, FromNewId, FromServices
from deepoj_bff.inbound.http.params import Cursor, PageSize, PathId
from deepoj_bff.inbound.http.wire.contest import (
    ContestDraft,
    ContestEdit,
    Extension,
    IgnoredSubmission,
    Ignoring,
    RemovedInterval,
    Reopening,
)
from deepoj_bff.queries.contests import GET, LIST
from deepoj_bff.queries.services import Call, Nothing, Page
from deepoj_bff.queries.views.board import RulingPreview
from deepoj_bff.queries.views.contest import (
    Contest,
    ContestAnswer,
    ContestDetail,
    Contests,
    EntryCheck,
    Interval,
    LoggedSubmissions,
    Rulings,
)
from deepoj_domain.game.schedule import Phase

CREATE: Final = Call("game", "Create", ContestAnswer, parts={"draft": ContestDraft})
UPDATE: Final = Call("game", "Update", ContestAnswer, body=ContestEdit)
DELETE: Final = Call("game", "Delete", Nothing)
CHECK_ENTRY: Final = Call("game", "CheckEntry", EntryCheck)
EXTEND: Final = Call("game", "Extend", ContestAnswer, body=Extension)
UNFREEZE: Final = Call("game", "Unfreeze", ContestAnswer)
FINALIZE: Final = Call("game", "Finalize", ContestAnswer)
REOPEN: Final = Call("game", "Reopen", ContestAnswer, body=Reopening)
RULINGS: Final = Call("game", "ListRulings", Rulings)
RESTORE_INTERVAL: Final = Call("game", "RestoreInterval", ContestAnswer, body=RemovedInterval)
REMOVE_INTERVAL: Final = Call("game", "RemoveInterval", ContestAnswer, body=RemovedInterval)
IGNORE: Final = Call("game", "IgnoreSubmission", Nothing, body=Ignoring)
PREVIEW: Final = Call(
    "game",
    "PreviewRuling",
    RulingPreview,
    parts={"remove_interval": Interval, "restore_interval": Interval, "ignore": IgnoredSubmission},
)
UNDECIDED: Final = Call("game", "ListUndecided", LoggedSubmissions)
IGNORED: Final = Call("game", "ListIgnored", LoggedSubmissions)

_READ: Final = access(Access.PUBLIC)
# Who makes contests and who administers one is for game to say: the staff of a contest may be anybody.
_STAFF: Final = access(Access.SIGNED_IN, Scope.MANAGE)
_TAGS: Final = ["contests"]

DryRun = Annotated[
    bool, QueryParameter(name="dry_run", description="Only tell what it would do to the board.")
]
Search = Annotated[
    str | None, QueryParameter(name="search", max_length=200, description="Part of the title.")
]


@get("/", opt=_READ, tags=_TAGS, summary="Contests")
async def list_contests(
    *,
    caller: FromCaller,
    services: FromServices,
    search: Search = None,
    phase: FromQuery[list[Phase] | None] = None,
    mine: FromQuery[bool] = False,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Contests:
    page = Page(size, cursor)
    return await services.call(LIST, actor=caller.actor, search=search, phases=phase, mine=mine, page=page)


@get("/{contest_id:uuid}", opt=_READ, tags=_TAGS, summary="A contest, and my part in it")
async def get_contest(
    contest_id: PathId, caller: FromCaller, services: FromServices, contests: FromContests
) -> ContestDetail:
    found = await services.call(GET, actor=caller.actor, game_id=contest_id)
    return msgspec.structs.replace(found, game=await contests.titled(found.game))


@post("/", opt=_STAFF, tags=_TAGS, summary="Plan a contest")
async def create_contest(
    data: JSONBody[ContestDraft],
    caller: FromCaller,
    services: FromServices,
    contests: FromContests,
    new_id: FromNewId,
) -> Contest:
    made = await services.call(CREATE, actor=caller.actor, game_id=new_id(), draft=data)
    return await contests.titled(made.game)


@put("/{contest_id:uuid}", opt=_STAFF, tags=_TAGS, summary="Change the plan")
async def update_contest(
    contest_id: PathId,
    data: JSONBody[ContestEdit],
    caller: FromCaller,
    services: FromServices,
    contests: FromContests,
) -> Contest:
    changed = await services.call(UPDATE, data, actor=caller.actor, game_id=contest_id)
    return await contests.titled(changed.game)


@delete("/{contest_id:uuid}", opt=_STAFF, tags=_TAGS, summary="Delete a contest")
async def delete_contest(
    contest_id: PathId,
    caller: FromCaller,
    services: FromServices,
    version: Annotated[
        int, QueryParameter(name="version", ge=0, le=2**63 - 1, description="As it was read.")
    ],
) -> None:
    await services.call(DELETE, actor=caller.actor, game_id=contest_id, version=version)


@get(
    "/{contest_id:uuid}/problems/{problem_id:uuid}/entry",
    opt=access(Access.SIGNED_IN),
    tags=_TAGS,
    summary="Whether I may submit to a problem of it now",
)
async def check_entry(
    contest_id: PathId, problem_id: PathId, caller: FromCaller, services: FromServices
) -> EntryCheck:
    """200 when I may; else the refusal that a submission would get."""
    return await services.call(CHECK_ENTRY, actor=caller.actor, game_id=contest_id, question_id=problem_id)


@post(
    "/{contest_id:uuid}/extend",
    opt=_STAFF,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Move freeze and end",
)
async def extend(
    *,
    contest_id: PathId,
    data: JSONBody[Extension],
    caller: FromCaller,
    services: FromServices,
    contests: FromContests,
    dry_run: DryRun = False,
) -> Contest | RulingPreview:
    if dry_run:
        return await services.call(PREVIEW, actor=caller.actor, game_id=contest_id, extend=data.by)
    changed = await services.call(EXTEND, data, actor=caller.actor, game_id=contest_id)
    return await contests.titled(changed.game)


@post(
    "/{contest_id:uuid}/unfreeze",
    opt=_STAFF,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Show the full board",
)
async def unfreeze(
    contest_id: PathId, caller: FromCaller, services: FromServices, contests: FromContests
) -> Contest:
    return await contests.titled((await services.call(UNFREEZE, actor=caller.actor, game_id=contest_id)).game)


@post(
    "/{contest_id:uuid}/finalize", opt=_STAFF, tags=_TAGS, status_code=HTTP_200_OK, summary="Make it official"
)
async def finalize(
    contest_id: PathId, caller: FromCaller, services: FromServices, contests: FromContests
) -> Contest:
    return await contests.titled((await services.call(FINALIZE, actor=caller.actor, game_id=contest_id)).game)


@post(
    "/{contest_id:uuid}/reopen",
    opt=_STAFF,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Make the result unofficial again",
)
async def reopen(
    contest_id: PathId,
    data: JSONBody[Reopening],
    caller: FromCaller,
    services: FromServices,
    contests: FromContests,
) -> Contest:
    """The board is recomputed, because the judge may have learnt more since the result was official."""
    changed = await services.call(REOPEN, data, actor=caller.actor, game_id=contest_id)
    return await contests.titled(changed.game)


@get("/{contest_id:uuid}/rulings", opt=_STAFF, tags=_TAGS, summary="Who ruled what, when and why")
async def list_rulings(
    contest_id: PathId,
    caller: FromCaller,
    services: FromServices,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Rulings:
    page = Page(size, cursor)
    return await services.call(RULINGS, actor=caller.actor, game_id=contest_id, page=page)


@post(
    "/{contest_id:uuid}/restored-intervals",
    opt=_STAFF,
    tags=_TAGS,
    summary="Let an interval count again that was taken out",
)
async def restore_interval(
    *,
    contest_id: PathId,
    data: JSONBody[RemovedInterval],
    caller: FromCaller,
    services: FromServices,
    contests: FromContests,
    dry_run: DryRun = False,
) -> Contest | RulingPreview:
    if dry_run:
        return await services.call(
            PREVIEW, actor=caller.actor, game_id=contest_id, restore_interval=data.interval
        )
    changed = await services.call(RESTORE_INTERVAL, data, actor=caller.actor, game_id=contest_id)
    return await contests.titled(changed.game)


@post(
    "/{contest_id:uuid}/removed-intervals",
    opt=_STAFF,
    tags=_TAGS,
    summary="Take out an interval that does not count, such as a power cut",
)
async def remove_interval(
    *,
    contest_id: PathId,
    data: JSONBody[RemovedInterval],
    caller: FromCaller,
    services: FromServices,
    contests: FromContests,
    dry_run: DryRun = False,
) -> Contest | RulingPreview:
    if dry_run:
        return await services.call(
            PREVIEW, actor=caller.actor, game_id=contest_id, remove_interval=data.interval
        )
    changed = await services.call(REMOVE_INTERVAL, data, actor=caller.actor, game_id=contest_id)
    return await contests.titled(changed.game)


@put(
    "/{contest_id:uuid}/submissions/{submission_id:uuid}/ignored",
    opt=_STAFF,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Leave a submission out of the board, or take it in again",
    responses={HTTP_204_NO_CONTENT: ResponseSpec(None, description="It is so.")},
)
async def ignore_submission(
    *,
    contest_id: PathId,
    submission_id: PathId,
    data: JSONBody[Ignoring],
    caller: FromCaller,
    services: FromServices,
    dry_run: DryRun = False,
) -> Response[RulingPreview]:
    """200 answers a dry run, 204 says that it was done."""
    if dry_run:
        ignore = IgnoredSubmission(submission_id=submission_id, ignored=data.ignored)
        return Response(await services.call(PREVIEW, actor=caller.actor, game_id=contest_id, ignore=ignore))
    await services.call(IGNORE, data, actor=caller.actor, game_id=contest_id, submission_id=submission_id)
    done: Response[Any] = Response(None, status_code=HTTP_204_NO_CONTENT)
    return done


@get(
    "/{contest_id:uuid}/undecided",
    opt=_STAFF,
    tags=_TAGS,
    summary="Submissions that hold back the official result, the oldest first",
)
async def list_undecided(contest_id: PathId, caller: FromCaller, services: FromServices) -> LoggedSubmissions:
    """A thousand at most: wait for them, replay those that died, or leave them out."""
    return await services.call(UNDECIDED, actor=caller.actor, game_id=contest_id)


@get("/{contest_id:uuid}/ignored", opt=_STAFF, tags=_TAGS, summary="Submissions that were left out")
async def list_ignored(contest_id: PathId, caller: FromCaller, services: FromServices) -> LoggedSubmissions:
    return await services.call(IGNORED, actor=caller.actor, game_id=contest_id)
