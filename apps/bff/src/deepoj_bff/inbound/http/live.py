"""Event streams: frames, heartbeats, how many may be open, and their end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import msgspec
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import SkipValidation
from litestar.response import Stream

from deepoj_bff.inbound.http.errors import ApiError, ErrorType, as_problem
from deepoj_kit.grpc import Kind, RemoteError

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


def is_passing(error: Exception) -> bool:
    return isinstance(error, RemoteError) and error.kind in {Kind.UNAVAILABLE, Kind.TIMEOUT}


def stream(frames: AsyncIterator[bytes]) -> Stream:
    return Stream(frames, media_type=EVENT_STREAM, headers=_HEADERS)


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
    look: float = 3.0
    """Seconds after which a watcher looks without an event; the view it finds may be two seconds old."""


class Pulse:
    """When a stream is to show a sign of life, to look by itself, and to end."""

    __slots__ = ("_ends", "_heartbeat", "_spoke", "look")

    def __init__(self, terms: StreamTerms) -> None:
        self._spoke = time.monotonic()
        self._ends = self._spoke + terms.lifetime
        self._heartbeat = terms.heartbeat
        self.look = min(terms.look, terms.heartbeat)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._ends

    @property
    def due(self) -> bool:
        """Whether nothing was said for so long that something has to be."""
        return time.monotonic() - self._spoke >= self._heartbeat

    def spoke(self) -> None:
        self._spoke = time.monotonic()


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
