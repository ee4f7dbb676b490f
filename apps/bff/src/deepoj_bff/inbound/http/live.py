"""Event streams: frames, heartbeats, how many may be open, and their end."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import msgspec
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import SkipValidation
from litestar.response import Stream

from deepoj_bff.inbound.http.caller import Caller
from deepoj_bff.inbound.http.errors import ApiError, ErrorType, as_problem

HEARTBEAT: Final = b": still here\n\n"
EVENT_STREAM: Final = "text/event-stream"
_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
_RETRY: Final = timedelta(seconds=5)
_encode = msgspec.json.Encoder().encode


def frame(name: str, data: bytes, event_id: str = "") -> bytes:
    """Encode one event; JSON has no line breaks of its own."""
    head = f"id: {event_id}\nevent: {name}\n" if event_id else f"event: {name}\n"
    return head.encode() + b"data: " + data + b"\n\n"


def failure(error: Exception) -> bytes:
    """Tell why a stream ends: its status was sent long ago."""
    return frame("error", _encode(as_problem(error)))


def stream(frames: AsyncIterator[bytes], caller: Caller) -> Stream:
    return Stream(_while_current(frames, caller), media_type=EVENT_STREAM, headers=_HEADERS)


async def _while_current(frames: AsyncIterator[bytes], caller: Caller) -> AsyncIterator[bytes]:
    """Send nothing after a change of the caller's account: whoever still may comes back and resumes."""
    try:
        async for each in frames:
            if not caller.is_current():
                detail = "your account has changed: prove again who you are"
                yield failure(ApiError(ErrorType.UNAUTHENTICATED, "credential_refused", detail))
                return
            yield each
    finally:
        if isinstance(frames, AsyncGenerator):
            await frames.aclose()


def described(text: str) -> dict[int, ResponseSpec]:
    return {200: ResponseSpec(str, description=text, media_type=EVENT_STREAM, generate_examples=False)}


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTerms:
    heartbeat: float
    """Seconds between signs of life on a stream without events."""
    lifetime: float
    """Seconds after which a stream ends, so that its caller proves again who they are. Clients resume."""
    most: int
    most_of_one: int


@dataclass(slots=True)
class OpenStreams:
    terms: StreamTerms
    on_change: Callable[[str, int], None]
    _by_account: Counter[str] = field(default_factory=Counter)
    _by_kind: Counter[str] = field(default_factory=Counter)

    def check(self, account_id: str) -> None:
        """Raise when there is no room for one more."""
        if self._by_kind.total() >= self.terms.most:
            detail = "as many event streams are open as this server takes"
            raise ApiError(ErrorType.UNAVAILABLE, "too_many_streams", detail, retry_after=_RETRY)
        if account_id and self._by_account[account_id] >= self.terms.most_of_one:
            detail = f"you have {self.terms.most_of_one} event streams open; close one"
            raise ApiError(ErrorType.TOO_MANY_REQUESTS, "too_many_streams", detail, retry_after=_RETRY)

    @contextmanager
    def counted(self, kind: str, account_id: str) -> Iterator[None]:
        self._add(kind, account_id, 1)
        try:
            yield
        finally:
            self._add(kind, account_id, -1)

    def _add(self, kind: str, account_id: str, by: int) -> None:
        self._by_kind[kind] += by
        self._by_account[account_id] += by
        if not self._by_account[account_id]:
            del self._by_account[account_id]
        self.on_change(kind, self._by_kind[kind])


FromOpenStreams = NamedDependency[SkipValidation[OpenStreams]]
