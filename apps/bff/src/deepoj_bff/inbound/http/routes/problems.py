"""/api/problems: reading and writing problems."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Request, Response, delete, get, patch, post, put
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.conditional_get import answer
from deepoj_bff.inbound.http.dependencies import (
    FromCaller,
    FromCatalogue,
    FromNewId,
    FromProblemRevisions,
    FromProblems,
    FromServices,
)
from deepoj_bff.inbound.http.openapi.options import conditional
from deepoj_bff.inbound.http.params import Cursor, PageSize, PathId
from deepoj_bff.inbound.http.wire.problem import (
    ListingEdit,
    ProblemDraft,
    ProblemEdit,
    ProblemJudging,
    Publication,
    TagNames,
)
from deepoj_bff.queries.catalogue import Mine
from deepoj_bff.queries.problems import ProblemSearch, Sort
from deepoj_bff.queries.services import Call, Nothing, Page
from deepoj_bff.queries.views.problem import (
    Problem,
    ProblemAnswer,
    ProblemRevisions,
    Problems,
    ProblemStatement,
    ProblemTags,
)
from deepoj_domain.question.listing import Level

CREATE: Final = Call("question", "Create", ProblemAnswer, parts={"draft": ProblemDraft})
UPDATE: Final = Call("question", "Update", ProblemAnswer, body=ProblemEdit)
RELIST: Final = Call("question", "Relist", ProblemAnswer, parts={"tags": TagNames})
DELETE: Final = Call("question", "Delete", Nothing)
SET_ENABLED: Final = Call("question", "SetEnabled", ProblemAnswer, body=Publication)
GET_JUDGING: Final = Call("question", "GetJudging", ProblemJudging)

_READ: Final = access(Access.PUBLIC) | conditional()
_WRITE: Final = access(Access.SETTER, Scope.MANAGE)
_TAGS: Final = ["problems"]

Selector = Annotated[str, PathParameter(max_length=64, description="Id or slug.")]
ContestId = Annotated[
    UUID | None, QueryParameter(name="contest_id", description="Read it as a problem of this contest.")
]
RevisionNumber = Annotated[
    int | None,
    QueryParameter(name="revision", ge=1, le=2**31, description="An earlier one, for its setters."),
]
Locale = Annotated[
    str,
    QueryParameter(
        name="locale",
        max_length=44,
        pattern="^[A-Za-z0-9-]*$",
        description="BCP 47. Not there: the same language, else the first.",
    ),
]
SearchText = Annotated[
    str | None, QueryParameter(name="search", max_length=100, description="Part of the title or the slug.")
]
Ids = Annotated[
    list[UUID] | None,
    QueryParameter(name="id", max_items=100, description="Only these. May be repeated."),
]
Published = Annotated[
    bool | None, QueryParameter(name="published", description="False: only what is hidden, to its setters.")
]
MineParameter = Annotated[
    Mine | None,
    QueryParameter(name="mine", description="By what the caller has done; to guests all is untouched."),
]
Tags = Annotated[
    list[str] | None, QueryParameter(name="tag", max_items=20, description="All of them. May be repeated.")
]


@get("/", opt=_READ, tags=_TAGS, summary="The catalogue")
async def list_problems(  # noqa: PLR0913 — one parameter a query parameter
    *,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    catalogue: FromCatalogue,
    ids: Ids = None,
    search: SearchText = None,
    tags: Tags = None,
    level: FromQuery[Level | None] = None,
    owner_id: FromQuery[UUID | None] = None,
    published: Published = None,
    mine: MineParameter = None,
    sort: FromQuery[Sort | None] = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Response[Problems]:
    asked = ProblemSearch(
        search=search,
        tags=tags,
        level=level,
        owner_id=owner_id,
        question_ids=ids,
        published=published,
        sort=sort,
        page=Page(size, cursor),
    )
    return answer(request, await catalogue.page(asked, mine, caller.actor), Problems)


@get("/tags", opt=_READ, tags=_TAGS, summary="The tags of published problems")
async def list_tags(request: Request[Any, Any, Any], problems: FromProblems) -> Response[ProblemTags]:
    """At most 500, the most frequent first."""
    return answer(request, await problems.tags(), ProblemTags)


@get("/{problem:str}", opt=_READ, tags=_TAGS, summary="A problem, by id or slug")
async def get_problem(
    problem: Selector,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    problems: FromProblems,
    contest_id: ContestId = None,
    revision: RevisionNumber = None,
) -> Response[Problem]:
    if contest_id is not None:
        found = await problems.of_contest(problem, contest_id, caller.actor)
    elif revision is not None:
        found = await problems.of_revision(problem, revision, caller.actor)
    else:
        found = await problems.one(problem, caller.actor)
    return answer(request, found, Problem)


@get("/{problem:str}/statement", opt=_READ, tags=_TAGS, summary="Its statement as HTML, by id or slug")
async def get_statement(
    *,
    problem: Selector,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    problems: FromProblems,
    locale: Locale = "",
    contest_id: ContestId = None,
    revision: RevisionNumber = None,
) -> Response[ProblemStatement]:
    found = await problems.statement(problem, locale, caller.actor, game_id=contest_id, revision=revision)
    return answer(request, found, ProblemStatement)


@get("/{problem:str}/revisions", opt=_WRITE, tags=_TAGS, summary="Its revisions")
async def list_revisions(
    problem: PathId, caller: FromCaller, problem_revisions: FromProblemRevisions
) -> ProblemRevisions:
    return await problem_revisions(problem, caller.actor)


@get("/{problem:str}/judging", opt=_WRITE, tags=_TAGS, summary="How it is judged")
async def get_judging(
    problem: PathId, caller: FromCaller, services: FromServices, revision: RevisionNumber = None
) -> ProblemJudging:
    return await services.call(GET_JUDGING, actor=caller.actor, question_id=problem, revision=revision)


@post("/", opt=_WRITE, tags=_TAGS, summary="Write a problem")
async def create_problem(
    data: JSONBody[ProblemDraft], caller: FromCaller, services: FromServices, new_id: FromNewId
) -> Problem:
    """A new problem is hidden until published. `POST /api/problems/objects` answers the names of files."""
    made = await services.call(CREATE, actor=caller.actor, question_id=new_id(), draft=data)
    return made.question


@put("/{problem:str}", opt=_WRITE, tags=_TAGS, summary="Make a new revision")
async def update_problem(
    problem: PathId, data: JSONBody[ProblemEdit], caller: FromCaller, services: FromServices
) -> Problem:
    made = await services.call(UPDATE, data, actor=caller.actor, question_id=problem)
    return made.question


@patch("/{problem:str}", opt=_WRITE, tags=_TAGS, summary="Change slug, level or tags")
async def relist_problem(
    problem: PathId, data: JSONBody[ListingEdit], caller: FromCaller, services: FromServices
) -> Problem:
    """What is not named stays; a level of null takes it away. No new revision is made."""
    made = await services.call(RELIST, **data.named(), actor=caller.actor, question_id=problem)
    return made.question


@put("/{problem:str}/published", opt=_WRITE, tags=_TAGS, summary="Publish or hide")
async def publish_problem(
    problem: PathId, data: JSONBody[Publication], caller: FromCaller, services: FromServices
) -> Problem:
    made = await services.call(SET_ENABLED, data, actor=caller.actor, question_id=problem)
    return made.question


@delete("/{problem:str}", opt=_WRITE, tags=_TAGS, summary="Delete a problem")
async def delete_problem(
    problem: PathId,
    caller: FromCaller,
    services: FromServices,
    version: Annotated[
        int, QueryParameter(name="version", ge=0, le=2**63 - 1, description="As it was read.")
    ],
) -> None:
    await services.call(DELETE, actor=caller.actor, question_id=problem, version=version)
