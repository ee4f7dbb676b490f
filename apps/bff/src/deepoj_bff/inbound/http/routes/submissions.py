"""/api/submissions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

from litestar import MediaType, Request, Response, get, post
from litestar.params import FromQuery, HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_204_NO_CONTENT

from deepoj_bff.commands.submit import Draft
from deepoj_bff.inbound.http.auth.caller import Access, Caller, Scope
from deepoj_bff.inbound.http.auth.guard import access, caller_of, signed_in
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import (
    FromCaller,
    FromQuotas,
    FromReplay,
    FromServices,
    FromSubmissions,
    FromSubmissionStreams,
    FromSubmit,
)
from deepoj_bff.inbound.http.errors import ApiError, ErrorType, turned_away
from deepoj_bff.inbound.http.openapi.options import conditional, events
from deepoj_bff.inbound.http.params import Cursor, LastEventId, PageSize, PathId
from deepoj_bff.inbound.http.sse import frames
from deepoj_bff.inbound.http.wire.program import NewSubmission
from deepoj_bff.queries.replay import NotJudgedError, NotReproducedError
from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.submissions import SubmissionFilter, status_in
from deepoj_bff.queries.views.quota import Quota
from deepoj_bff.queries.views.replay import ReplayedSubmission
from deepoj_bff.queries.views.submission import (
    Explanation,
    LogContent,
    SourceAnswer,
    SourceOf,
    Status,
    Submission,
    SubmissionAnswer,
    SubmissionDetail,
    Submissions,
    Submitted,
)
from deepoj_domain.admission.decide import TurnedAway
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.logs import Log

SOURCE: Final = Call("record", "Get", SourceAnswer)
CANCEL: Final = Call("record", "Cancel", SubmissionAnswer)
LOG: Final = Call("record", "GetLog", LogContent)
EXPLAIN: Final = Call("record", "Explain", Explanation)

_READ: Final = access(Access.SIGNED_IN)
_SUBMIT: Final = access(Access.SIGNED_IN, Scope.SUBMIT)
_REPLAY: Final = access(Access.JUDGE, Scope.MANAGE)
_TAGS: Final = ["submissions"]

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=128,
        pattern=r"^[\x21-\x7e]+$",
        description="A retry with the same key and body gives the same submission, not a second one.",
    ),
]
AttemptNumber = Annotated[int, PathParameter(ge=1, le=2**31 - 1)]
CaseNumber = Annotated[int, PathParameter(ge=1, le=10_000)]
CaseLogName = Annotated[str, PathParameter(pattern="^(stdout|stderr|checker|resource|input|answer)$")]


@post("/", opt=_SUBMIT, tags=_TAGS, summary="Submit")
async def submit(
    data: JSONBody[NewSubmission],
    request: Request[Any, Any, Any],
    submit: FromSubmit,
    idempotency_key: IdempotencyKey = None,
) -> Response[Submitted]:
    """Stored when this answers; the verdict follows by `GET /api/submissions/{id}/events`."""
    draft = Draft(data.question_id, data.game_id, data.language, data.source)
    # `submit` is the route's only dependency: the framework starts a task for each as soon as there are two.
    stored = await submit(signed_in(caller_of(request)), draft, idempotency_key)
    if isinstance(stored, TurnedAway):
        raise turned_away(stored)
    made = Submitted(submission_id=stored.submission_id, repeated=stored.repeated)
    return Response(made, headers={"location": f"/api/submissions/{made.submission_id}"})


@get("/", opt=_READ, tags=_TAGS, summary="Submissions, newest first")
async def list_submissions(  # noqa: PLR0913 — one parameter a query parameter
    *,
    caller: FromCaller,
    submissions: FromSubmissions,
    user_id: FromQuery[UUID | None] = None,
    problem_id: FromQuery[UUID | None] = None,
    contest_id: FromQuery[UUID | None] = None,
    language: FromQuery[str | None] = None,
    status: FromQuery[list[Status] | None] = None,
    verdict: FromQuery[list[Verdict] | None] = None,
    submitted_from: FromQuery[datetime | None] = None,
    submitted_before: FromQuery[datetime | None] = None,
    with_archived: FromQuery[bool] = False,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Submissions:
    wanted = SubmissionFilter(
        account_id=user_id,
        question_id=problem_id,
        game_id=contest_id,
        language=language,
        statuses=status,
        verdicts=verdict,
        submitted_from=submitted_from,
        submitted_before=submitted_before,
        with_archived=with_archived,
    )
    return await submissions.page(wanted, caller.actor, Page(size, cursor))


@get("/quota", opt=_READ, tags=_TAGS, summary="How much I may still submit")
async def my_quota(caller: FromCaller, quotas: FromQuotas) -> Quota:
    return await quotas.of_account(signed_in(caller).account_id)


@get(
    "/events",
    opt=_READ | events(),
    tags=_TAGS,
    summary="Changes of my submissions, live",
    responses=frames.described(
        "`snapshot` with my latest submissions, then `submission` for each change, and `progress` "
        "while it is judged."
    ),
)
async def my_events(
    caller: FromCaller, submission_streams: FromSubmissionStreams, last_event_id: LastEventId = None
) -> Stream:
    return frames.stream(submission_streams.of_account(caller, last_event_id or ""), caller)


@get("/{submission_id:uuid}", opt=_READ | conditional(), tags=_TAGS, summary="A submission")
async def get_submission(
    submission_id: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    submissions: FromSubmissions,
) -> Response[SubmissionDetail]:
    return answer(request, await submissions.one(str(submission_id), caller.actor), SubmissionDetail)


@get(
    "/{submission_id:uuid}/events",
    opt=_READ | events(ends=True),
    tags=_TAGS,
    summary="A submission, live",
    responses=frames.described(
        "`submission` with the state and after each change; `progress` while it is judged, for those who are "
        "shown its cases; `end` after the final one."
    ),
)
async def submission_events(
    submission_id: PathId,
    caller: FromCaller,
    submissions: FromSubmissions,
    submission_streams: FromSubmissionStreams,
    last_event_id: LastEventId = None,
) -> Response[Any]:
    """Ends after the final state. Who has that already is answered 204, which ends a browser's retries."""
    # Asked here so that a refusal is a status and not an event.
    detail = await submissions.one(str(submission_id), caller.actor)
    seen = last_event_id or ""
    if seen == detail.etag.strip('"') and status_in(detail.body or b"").is_terminal:
        return Response(None, status_code=HTTP_204_NO_CONTENT)
    return frames.stream(submission_streams.of_one(str(submission_id), caller, seen), caller)


@get("/{submission_id:uuid}/source", opt=_READ, tags=_TAGS, summary="Its source code")
async def get_source(submission_id: PathId, caller: FromCaller, services: FromServices) -> SourceOf:
    """Empty for those who may see the submission but not its source."""
    return (await services.call(SOURCE, actor=caller.actor, submission_id=submission_id)).submission


@get(
    "/{submission_id:uuid}/attempts/{attempt:int}/compile.log",
    opt=_READ,
    tags=_TAGS,
    summary="What the compiler said",
    media_type=MediaType.TEXT,
)
async def get_compile_log(
    submission_id: PathId, attempt: AttemptNumber, caller: FromCaller, services: FromServices
) -> Response[str]:
    """At most 64 KiB, of the attempt that judged it."""
    return await _log(services, caller, submission_id, attempt, Log.COMPILE, 0)


@get(
    "/{submission_id:uuid}/attempts/{attempt:int}/cases/{case_number:int}/{log:str}",
    opt=_READ,
    tags=_TAGS,
    summary="What a case printed, or was given",
    media_type=MediaType.TEXT,
)
async def get_case_log(
    *,
    submission_id: PathId,
    attempt: AttemptNumber,
    case_number: CaseNumber,
    log: CaseLogName,
    caller: FromCaller,
    services: FromServices,
) -> Response[str]:
    """At most 64 KiB, of the attempt that judged it.

    Owners read what their program printed for samples, outside contests and after them; setters of the
    problem read everything. `input` and `answer` are there for samples only.
    """
    return await _log(services, caller, submission_id, attempt, Log(log), case_number)


async def _log(
    services: Services, caller: Caller, submission_id: UUID, attempt: int, log: Log, case_number: int
) -> Response[str]:
    found = await services.call(
        LOG,
        actor=caller.actor,
        submission_id=submission_id,
        attempt_id=attempt,
        log=log,
        case_number=case_number,
    )
    headers = {"x-truncated": "true"} if found.truncated else {}
    return Response(found.content.decode(errors="replace"), media_type=MediaType.TEXT, headers=headers)


@get(
    "/{submission_id:uuid}/attempts/{attempt:int}/manifest.json",
    opt=_READ,
    tags=_TAGS,
    summary="What it was judged with, and where",
    media_type=MediaType.TEXT,
)
async def get_manifest(
    submission_id: PathId, attempt: AttemptNumber, caller: FromCaller, services: FromServices
) -> Response[str]:
    """The document `judge_manifest.v1`, of the attempt that judged it, for the staff."""
    return await _log(services, caller, submission_id, attempt, Log.MANIFEST, 0)


@post(
    "/{submission_id:uuid}/replay",
    opt=_REPLAY,
    tags=_TAGS,
    status_code=200,
    summary="Judge it again, and say what is the same",
)
async def replay_submission(
    submission_id: PathId,
    caller: FromCaller,
    replay: FromReplay,
    worker: Annotated[
        str | None,
        QueryParameter(
            name="worker",
            min_length=1,
            max_length=128,
            pattern=r"^[\x21-\x7e]+$",
            description="Who is to judge; else any that is there.",
        ),
    ] = None,
) -> ReplayedSubmission:
    """By the revision it was judged by. The submission, its score and every board stay what they are.

    It runs after all submissions that wait, and takes as long as judging does.
    """
    try:
        return await replay(submission_id, signed_in(caller), worker)
    except NotJudgedError as error:
        raise ApiError(ErrorType.WRONG_STATE, "not_judged", "it has no result to compare with") from error
    except NotReproducedError as error:
        raise ApiError(ErrorType.WRONG_STATE, "not_reproduced", str(error)) from error


@get("/{submission_id:uuid}/explain", opt=_READ, tags=_TAGS, summary="Why it is where it is")
async def explain_submission(
    submission_id: PathId, caller: FromCaller, services: FromServices
) -> Explanation:
    return await services.call(EXPLAIN, actor=caller.actor, submission_id=submission_id)


@post("/{submission_id:uuid}/cancel", opt=_SUBMIT, tags=_TAGS, status_code=200, summary="Cancel it")
async def cancel_submission(
    submission_id: PathId, caller: FromCaller, services: FromServices, submissions: FromSubmissions
) -> Submission:
    cancelled = await services.call(CANCEL, actor=caller.actor, submission_id=submission_id)
    # The person who cancelled must not read from the cache that the submission still runs.
    submissions.forget(str(submission_id))
    return await submissions.named(cancelled.submission, caller.actor)
