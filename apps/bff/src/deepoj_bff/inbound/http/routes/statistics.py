"""What has been submitted and solved, by problem and by person."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, get

from deepoj_bff.inbound.http.auth.caller import Access
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import FromCaller, FromProblems, FromServices, FromStatistics
from deepoj_bff.inbound.http.openapi.options import conditional
from deepoj_bff.inbound.http.params import PathId
from deepoj_bff.inbound.http.routes.users import GET as GET_USER
from deepoj_bff.queries.services import Call
from deepoj_bff.queries.views.statistics import BestSubmission, ProblemStatistics, UserStatistics

BEST: Final = Call("record", "BestRecord", BestSubmission)

_READ: Final = access(Access.PUBLIC) | conditional()


@get("/problems/{problem:str}/statistics", opt=_READ, tags=["problems"], summary="How often it was solved")
async def problem_statistics(
    problem: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    problems: FromProblems,
    statistics: FromStatistics,
) -> Response[ProblemStatistics]:
    """Without contests that still run or whose board is frozen. Some minutes old at most."""
    # Whoever may not see the problem may not count by it either.
    await problems.one(str(problem), caller.actor)
    return answer(request, await statistics.of_problem(problem), ProblemStatistics)


@get("/users/{user_id:uuid}/statistics", opt=_READ, tags=["users"], summary="What an account has solved")
async def user_statistics(
    user_id: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    statistics: FromStatistics,
) -> Response[UserStatistics]:
    """Without contests that still run or whose board is frozen. Some minutes old at most."""
    await services.call(GET_USER, actor=caller.actor, account_id=user_id)
    return answer(request, await statistics.of_user(user_id), UserStatistics)


@get(
    "/users/{user_id:uuid}/best/{problem_id:uuid}",
    opt=access(Access.SIGNED_IN),
    tags=["users"],
    summary="The best submission of an account to a problem",
)
async def best_submission(
    user_id: PathId, problem_id: PathId, caller: FromCaller, services: FromServices
) -> BestSubmission:
    """The highest score, and of those the earliest; of what you may see."""
    return await services.call(BEST, actor=caller.actor, account_id=user_id, question_id=problem_id)
