"""Every refusal as an RFC 9457 problem. The table is the contract: a `type` never changes its meaning."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import Meta

from deepoj_domain.admission.decide import AdmissionRefusal, TurnedAway
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.telemetry import trace_id

PROBLEM_JSON: Final = "application/problem+json"
_NAMESPACE: Final = "urn:deepoj:error:"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Row:
    slug: str
    status: int
    title: str


class ErrorType(Enum):
    INVALID_REQUEST = _Row("invalid-request", 400, "The request cannot be understood")
    UNAUTHENTICATED = _Row("unauthenticated", 401, "Sign in first")
    FORBIDDEN = _Row("forbidden", 403, "You may not do this")
    CROSS_SITE = _Row("cross-site", 403, "The request comes from another site")
    NOT_FOUND = _Row("not-found", 404, "There is no such thing, or you may not know of it")
    METHOD_NOT_ALLOWED = _Row("method-not-allowed", 405, "The resource does not take this method")
    CONFLICT = _Row("conflict", 409, "It contradicts what is there")
    WRONG_STATE = _Row("wrong-state", 409, "Its state does not allow this")
    TOO_LARGE = _Row("too-large", 413, "The body is too large")
    UNSUPPORTED_MEDIA_TYPE = _Row("unsupported-media-type", 415, "The body is of a type not taken here")
    TOO_MANY_REQUESTS = _Row("too-many-requests", 429, "Too much at once; come back later")
    INTERNAL = _Row("internal", 500, "Something is broken on our side")
    UNAVAILABLE = _Row("unavailable", 503, "A part of the system is away")
    TIMEOUT = _Row("timeout", 504, "A part of the system took too long")

    @property
    def uri(self) -> str:
        return _NAMESPACE + self.value.slug

    @property
    def status(self) -> int:
        return self.value.status

    @property
    def title(self) -> str:
        return self.value.title


class FieldError(msgspec.Struct, frozen=True):
    field: Annotated[str, Meta(examples=["language"])]
    message: Annotated[str, Meta(examples=["Expected `str`, got `int`"])]


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """RFC 9457. `type` and `reason` are stable; the texts are for people and may change."""

    type: Annotated[str, Meta(examples=["urn:deepoj:error:not-found"])]
    title: Annotated[str, Meta(examples=["There is no such thing, or you may not know of it"])]
    status: Annotated[int, Meta(ge=400, le=599, examples=[404])]
    detail: Annotated[str, Meta(examples=["there is no such submission"])]
    reason: Annotated[str, Meta(description="The precise cause, for programs.", examples=["not_found"])]
    request_id: Annotated[str, Meta(description="Name it when you ask for help.")] = ""
    trace_id: str = ""
    errors: tuple[FieldError, ...] = ()


class ApiError(Exception):
    """Raised anywhere in the HTTP layer; the handler below turns it into an answer."""

    def __init__(
        self,
        kind: ErrorType,
        reason: str,
        detail: str,
        *,
        retry_after: timedelta | None = None,
        errors: tuple[FieldError, ...] = (),
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.reason = reason
        self.detail = detail
        self.retry_after = retry_after
        self.errors = errors


_OF_KIND: Final[Mapping[Kind, ErrorType]] = {
    Kind.INVALID: ErrorType.INVALID_REQUEST,
    Kind.NOT_FOUND: ErrorType.NOT_FOUND,
    Kind.CONFLICT: ErrorType.CONFLICT,
    Kind.PRECONDITION: ErrorType.WRONG_STATE,
    Kind.FORBIDDEN: ErrorType.FORBIDDEN,
    # Services show each other credentials; that one of them is refused is nothing the client did. User says
    # so of people's credentials, and those calls are translated where they are made.
    Kind.UNAUTHENTICATED: ErrorType.UNAUTHENTICATED,
    Kind.EXHAUSTED: ErrorType.TOO_MANY_REQUESTS,
    Kind.UNAVAILABLE: ErrorType.UNAVAILABLE,
    Kind.TIMEOUT: ErrorType.TIMEOUT,
    Kind.INTERNAL: ErrorType.INTERNAL,
}
_OF_STATUS: Final = {kind.status: kind for kind in reversed(ErrorType)}
_DEFAULT_RETRY: Final = timedelta(seconds=1)


def api_error(error: Exception) -> ApiError:
    """The one place where whatever went wrong becomes a row of the table."""
    match error:
        case ApiError():
            return error
        case (
            RemoteError(kind=Kind.UNAUTHENTICATED, reason="bad_service_credential")
            | RemoteError(kind=Kind.INTERNAL)
        ):
            return _internal(error)
        case RemoteError(kind=Kind.UNAVAILABLE | Kind.TIMEOUT):
            # What gRPC says of a lost connection names addresses.
            detail = "a part of the system did not answer; try again"
            return ApiError(_OF_KIND[error.kind], error.reason, detail, retry_after=error.retry_after)
        case RemoteError():
            return ApiError(_OF_KIND[error.kind], error.reason, error.message, retry_after=error.retry_after)
        case HTTPException():
            return _of_framework(error)
        case _:
            return _internal(error)


def is_passing(error: Exception) -> bool:
    """Tell failures worth another try from refusals."""
    return isinstance(error, RemoteError) and error.kind in {Kind.UNAVAILABLE, Kind.TIMEOUT}


def as_problem(error: Exception, request_id: str = "") -> ProblemDetails:
    found = api_error(error)
    return ProblemDetails(
        type=found.kind.uri,
        title=found.kind.title,
        status=found.kind.status,
        detail=found.detail,
        reason=found.reason,
        request_id=request_id,
        trace_id=trace_id(),
        errors=found.errors,
    )


def to_response(request: Request[Any, Any, Any], error: Exception) -> Response[ProblemDetails]:
    found = api_error(error)
    body = as_problem(found, str(request.scope.get("state", {}).get("request_id", "")))
    return Response(body, status_code=body.status, media_type=PROBLEM_JSON, headers=_headers(found, request))


def _headers(found: ApiError, request: Request[Any, Any, Any]) -> dict[str, str]:
    headers = {"cache-control": "no-store"}
    if found.kind in {ErrorType.TOO_MANY_REQUESTS, ErrorType.UNAVAILABLE}:
        wait = found.retry_after or _DEFAULT_RETRY
        headers["retry-after"] = str(max(1, math.ceil(wait.total_seconds())))
    if found.kind is ErrorType.UNAUTHENTICATED:
        headers["www-authenticate"] = "Bearer"
    if found.kind is ErrorType.METHOD_NOT_ALLOWED:
        headers["allow"] = ", ".join(_allowed(request))
    return headers


def _allowed(request: Request[Any, Any, Any]) -> Iterator[str]:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        with suppress(HTTPException):
            request.app.asgi_router.handle_routing(path=request.scope["path"].rstrip("/"), method=method)
            yield method


def _of_framework(error: HTTPException) -> ApiError:
    kind = _OF_STATUS.get(error.status_code)
    if kind is None or kind is ErrorType.INTERNAL:
        return _internal(error)
    errors = tuple(
        FieldError(str(each.get("key", "")), str(each.get("message", "")))
        for each in (error.extra if isinstance(error.extra, list) else [])
        if isinstance(each, dict)
    )
    reason = kind.value.slug.replace("-", "_")
    return ApiError(kind, reason, error.detail or kind.title, errors=errors)


def _internal(error: Exception) -> ApiError:
    _log.error("request failed: %s", error, exc_info=error)
    return ApiError(ErrorType.INTERNAL, "internal", "the failure was logged under the request id")


_EXPLAINED: Final = {
    AdmissionRefusal.NO_WORKER_ALIVE: "no judge is running now; the operators have been told",
    AdmissionRefusal.QUEUE_FULL: "too many submissions are waiting; send yours a little later",
    AdmissionRefusal.RATE_LIMITED: "you are sending too fast",
    AdmissionRefusal.TOO_MANY_IN_FLIGHT: "as many of yours are being judged as may be; wait for a verdict",
    AdmissionRefusal.DAILY_QUOTA_SPENT: "today's submissions are used up; the count begins again at 0:00 UTC",
}


def turned_away(refused: TurnedAway) -> ApiError:
    closed = refused.reason is AdmissionRefusal.NO_WORKER_ALIVE
    kind = ErrorType.UNAVAILABLE if closed else ErrorType.TOO_MANY_REQUESTS
    return ApiError(kind, refused.reason, _EXPLAINED[refused.reason], retry_after=refused.retry_after)
