"""/api/problems: packages, stored files, assets. Nothing here is held in memory as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromQuery, PathParameter, QueryParameter
from litestar.response import Stream

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromServices
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.hang_up import unless_hung_up
from deepoj_bff.inbound.http.ndjson import first_of, ndjson
from deepoj_bff.inbound.http.openapi.options import NDJSON, downloads, lines, uploads
from deepoj_bff.inbound.http.params import PathId
from deepoj_bff.inbound.http.wire.problem import (
    ArchiveFormat,
    CaseFile,
    PackageFormat,
    ScoringDialect,
    VerifyPart,
)
from deepoj_bff.queries.services import LONG, Call
from deepoj_bff.queries.views.problem import (
    AssetPart,
    Chunk,
    ImportDone,
    ImportEvent,
    ImportStage,
    StoredObject,
    VerifyDone,
    VerifyEvent,
)
from deepoj_domain.kernel.role import Actor

EXPORT: Final = Call("question", "ExportPackage", Chunk, LONG)
VERIFY: Final = Call("judgement", "Verify", VerifyEvent, LONG)
GET_CASE_FILE: Final = Call("question", "GetCaseFile", Chunk, LONG)
GET_ASSET: Final = Call("question", "GetAsset", AssetPart, LONG)

# Question has limits of its own, which say what is too large in a sentence.
PACKAGE_LIMIT: Final = 4 * 1024**3
OBJECT_LIMIT: Final = 512 * 1024**2
_PIECE: Final = 256 * 1024
_WRITE: Final = access(Access.SETTER, Scope.MANAGE)
_TAGS: Final = ["problems"]
_BYTES: Final = "application/octet-stream"
_ARCHIVES: Final = ("application/zip", "application/x-tar")
# An image may hold scripts: a browser that opens it by itself must not run them here.
_SANDBOX: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
_PDF: Final = "application/pdf"
# A page of this site may show it. Not sandboxed: browsers would not show a PDF at all then, and the scripts
# of one run in their viewer, away from any page.
_IN_PAGE: Final = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"
    ),
    "x-frame-options": "SAMEORIGIN",
}
_INLINE: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"})

Format = Annotated[ArchiveFormat, QueryParameter(name="format", description="Of the archive.")]
ExportFormat = Annotated[
    PackageFormat, QueryParameter(name="format", description="A version of the ICPC format, or Polygon's.")
]
ExportArchive = Annotated[ArchiveFormat, QueryParameter(name="archive", description="What it is packed in.")]
DryRun = Annotated[
    bool, QueryParameter(name="dry_run", description="Read the package and tell, but store nothing.")
]
Title = Annotated[
    str | None, QueryParameter(max_length=200, description="For a format that has none, such as DMOJ's.")
]
TimeLimit = Annotated[
    int | None, QueryParameter(ge=1, le=3_600_000, description="In ms, for a package that names none.")
]
MemoryLimit = Annotated[
    int | None, QueryParameter(ge=1, le=1_048_576, description="In MiB, for a package that names none.")
]
RevisionNumber = Annotated[
    int | None, QueryParameter(name="revision", ge=1, le=2**31, description="An earlier one.")
]
Pattern = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
VerifyParts = Annotated[
    list[VerifyPart] | None, QueryParameter(name="part", description="Only these; may be repeated.")
]
VerifySubmissions = Annotated[
    list[Pattern] | None,
    QueryParameter(name="submission", max_items=20, description="Only those a pattern matches."),
]
VerifyCases = Annotated[
    list[Pattern] | None,
    QueryParameter(name="case", max_items=20, description="Only those a pattern matches."),
]
VerifySeconds = Annotated[
    float | None,
    QueryParameter(name="time_limit", ge=0.001, le=60, description="In s, in place of the package's."),
]
Mutants = Annotated[
    int,
    QueryParameter(name="mutants", ge=0, le=20, description="Changed copies of a right solution to judge."),
]
WarningsAsErrors = Annotated[
    bool, QueryParameter(name="warnings_as_errors", description="A warning makes `ok` false, too.")
]
Inline = Annotated[bool, QueryParameter(name="inline", description="Show a PDF inside a page of this site.")]
CaseNumber = Annotated[int, PathParameter(ge=1, le=10_000, description="From 1 on, as in `judging`.")]
CaseFileName = Annotated[CaseFile, PathParameter()]
AssetName = Annotated[str, PathParameter(max_length=100)]


class PackageHeader(msgspec.Struct, frozen=True, kw_only=True):
    actor: Actor | None
    question_id: UUID | None = None
    format: ArchiveFormat | None = None
    dialect: ScoringDialect | None = None
    slug: str | None = None
    dry_run: bool = False
    title: str | None = None
    time_ms: int | None = None
    memory_mib: int | None = None


class ObjectHeader(msgspec.Struct, frozen=True):
    actor: Actor | None


IMPORT: Final = Call("question", "ImportPackage", ImportEvent, LONG, parts={"header": PackageHeader})
PUT_OBJECT: Final = Call("question", "PutObject", StoredObject, LONG, parts={"header": ObjectHeader})
_IMPORT: Final = _WRITE | uploads(*_ARCHIVES) | lines()


@post(
    "/import",
    opt=_IMPORT,
    tags=_TAGS,
    summary="Import a package as a new problem",
    request_max_body_size=PACKAGE_LIMIT,
)
async def import_package(  # noqa: PLR0913 — one a query parameter
    *,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    archive: Format = ArchiveFormat.ZIP,
    dialect: FromQuery[ScoringDialect | None] = None,
    slug: FromQuery[str | None] = None,
    title: Title = None,
    time_ms: TimeLimit = None,
    memory_mib: MemoryLimit = None,
    dry_run: DryRun = False,
) -> Response[ImportDone]:
    """The body is the archive. With `Accept: application/x-ndjson` the answer is a line for each step."""
    header = PackageHeader(
        actor=caller.actor,
        format=archive,
        dialect=dialect,
        slug=slug,
        dry_run=dry_run,
        title=title,
        time_ms=time_ms,
        memory_mib=memory_mib,
    )
    return await _imported(request, services, header)


@post(
    "/{problem:str}/import",
    opt=_IMPORT,
    tags=_TAGS,
    summary="Import a package as a new revision",
    request_max_body_size=PACKAGE_LIMIT,
)
async def import_revision(  # noqa: PLR0913 — one a query parameter
    *,
    problem: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    archive: Format = ArchiveFormat.ZIP,
    dialect: FromQuery[ScoringDialect | None] = None,
    title: Title = None,
    time_ms: TimeLimit = None,
    memory_mib: MemoryLimit = None,
    dry_run: DryRun = False,
) -> Response[ImportDone]:
    """As `POST /api/problems/import`; an id that is not there yet becomes that of a new problem."""
    header = PackageHeader(
        actor=caller.actor,
        question_id=problem,
        format=archive,
        dialect=dialect,
        dry_run=dry_run,
        title=title,
        time_ms=time_ms,
        memory_mib=memory_mib,
    )
    return await _imported(request, services, header)


async def _imported(
    request: Request[Any, Any, Any], services: FromServices, header: PackageHeader
) -> Response[ImportDone]:
    events = services.exchange(IMPORT, _parts(request, header))
    if NDJSON in request.headers.get("accept", ""):
        # Until the archive has arrived a refusal is still a status.
        return await ndjson(events, ImportDone, until=lambda event: not _is_receiving(event))
    async for event in events:
        if event.done is not None:
            return Response(event.done)
    raise ApiError(ErrorType.INTERNAL, "import_incomplete", "the import ended without a result")


@post(
    "/{problem:str}/verify",
    opt=_WRITE | lines(),
    tags=_TAGS,
    status_code=200,
    summary="Verify a problem on the judge",
)
async def verify_package(  # noqa: PLR0913 — one a query parameter
    *,
    problem: PathId,
    request: Request[Any, Any, Any],
    caller: FromCaller,
    services: FromServices,
    revision: RevisionNumber = None,
    part: VerifyParts = None,
    submission: VerifySubmissions = None,
    case: VerifyCases = None,
    time_limit: VerifySeconds = None,
    mutants: Mutants = 0,
    warnings_as_errors: WarningsAsErrors = False,
) -> Response[VerifyDone]:
    """Runs the validators and solutions its package has, after all submissions that wait for the judge.

    With `Accept: application/x-ndjson` the answer is a line for each step. Whoever hangs up stops it.
    """
    events = services.stream(
        VERIFY,
        actor=caller.actor,
        question_id=problem,
        revision=revision,
        parts=part or [],
        submissions=submission or [],
        cases=case or [],
        time_limit_ms=None if time_limit is None else round(time_limit * 1000),
        mutants=mutants,
        warnings_as_errors=warnings_as_errors,
    )
    if NDJSON in request.headers.get("accept", ""):
        return await ndjson(events, VerifyDone)
    return Response(await unless_hung_up(request, _verified(events)))


async def _verified(events: AsyncIterator[VerifyEvent]) -> VerifyDone:
    async for event in events:
        if event.done is not None:
            return event.done
    raise ApiError(ErrorType.INTERNAL, "verification_incomplete", "the verification ended without a result")


@get(
    "/{problem:str}/export",
    opt=_WRITE | downloads(*_ARCHIVES),
    tags=_TAGS,
    summary="Export a package",
)
async def export_package(
    *,
    problem: PathId,
    caller: FromCaller,
    services: FromServices,
    package_format: ExportFormat = PackageFormat.V2025_09,
    archive: ExportArchive = ArchiveFormat.ZIP,
    revision: RevisionNumber = None,
) -> Stream:
    """The package is judged as the problem is: what its format cannot say is refused (409)."""
    chunks = services.stream(
        EXPORT,
        actor=caller.actor,
        question_id=problem,
        revision=revision,
        format=archive,
        package_format=package_format,
    )
    headers = {"content-disposition": f'attachment; filename="{problem}.{archive}"'}
    media_type = _ARCHIVES[0] if archive is ArchiveFormat.ZIP else _ARCHIVES[1]
    return Stream(await _bytes(chunks), media_type=media_type, headers=headers)


@post(
    "/objects",
    opt=_WRITE | uploads(_BYTES),
    tags=_TAGS,
    summary="Store a file that a draft may name",
    request_max_body_size=OBJECT_LIMIT,
)
async def put_object(
    request: Request[Any, Any, Any], caller: FromCaller, services: FromServices
) -> StoredObject:
    return await services.upload(PUT_OBJECT, _parts(request, ObjectHeader(caller.actor)))


@get(
    "/{problem:str}/cases/{number:int}/{file:str}",
    opt=_WRITE | downloads(_BYTES),
    tags=_TAGS,
    summary="The input or the answer of a case",
)
async def get_case_file(
    *,
    problem: PathId,
    number: CaseNumber,
    file: CaseFileName,
    caller: FromCaller,
    services: FromServices,
    revision: RevisionNumber = None,
) -> Stream:
    chunks = services.stream(
        GET_CASE_FILE, actor=caller.actor, question_id=problem, revision=revision, number=number, file=file
    )
    headers = {"content-disposition": f'attachment; filename="{number}.{file}"'}
    return Stream(await _bytes(chunks), media_type=_BYTES, headers=headers)


async def _bytes(chunks: AsyncIterator[Chunk]) -> AsyncIterator[bytes]:
    """Wait for the first piece, so that a refusal is a status."""
    first, rest = await first_of(chunks)

    async def body() -> AsyncIterator[bytes]:
        if first is not None:
            yield first.chunk
        async for each in rest:
            yield each.chunk

    return body()


@get(
    "/{problem:str}/assets/{name:path}",
    opt=access(Access.PUBLIC) | downloads(*sorted(_INLINE), _PDF, _BYTES),
    tags=_TAGS,
    summary="A file shown beside the statement",
)
async def get_asset(
    *,
    problem: PathId,
    name: AssetName,
    caller: FromCaller,
    services: FromServices,
    contest_id: FromQuery[UUID | None] = None,
    revision: RevisionNumber = None,
    inline: Inline = False,
) -> Stream:
    parts = services.stream(
        GET_ASSET,
        actor=caller.actor,
        question_id=problem,
        game_id=contest_id,
        revision=revision,
        name=name.removeprefix("/"),
    )
    first, rest = await first_of(parts)
    if first is None or first.header is None:
        raise ApiError(ErrorType.NOT_FOUND, "asset_not_found", "the problem has no such file")
    asset = first.header

    async def body() -> AsyncIterator[bytes]:
        async for each in rest:
            yield each.chunk or b""

    in_page = inline and asset.content_type == _PDF
    known = in_page or asset.content_type in _INLINE
    headers = {
        "etag": f'"{asset.object.sha256}"',
        "content-security-policy": _SANDBOX,
        "content-disposition": "inline" if known else "attachment",
        "cache-control": "private, no-cache",
        **(_IN_PAGE if in_page else {}),
    }
    media_type = asset.content_type if known else _BYTES
    return Stream(body(), media_type=media_type, headers=headers)


async def _parts(request: Request[Any, Any, Any], header: msgspec.Struct) -> AsyncIterator[dict[str, object]]:
    yield {"header": header}
    async for piece in request.stream():
        for start in range(0, len(piece), _PIECE):
            yield {"chunk": piece[start : start + _PIECE]}


def _is_receiving(event: ImportEvent) -> bool:
    return event.progress is not None and event.progress.stage is ImportStage.RECEIVING
