"""The frames of the submission streams."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.caller import Caller
from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.live import HEARTBEAT, OpenStreams, failure, frame
from deepoj_bff.inbound.http.submission_views import SubmissionViews, status_in
from deepoj_bff.inbound.http.wire.base import Page
from deepoj_bff.inbound.http.wire.submission import Submissions
from deepoj_bff.queries.feed import Feed, Watch
from deepoj_kit.grpc import Kind, RemoteError

LIST: Final = Call("record", "List", Submissions)
_RECENT: Final = 20
_encode = msgspec.json.Encoder().encode


class _Mine(msgspec.Struct, frozen=True):
    account_id: str


@dataclass(frozen=True, slots=True)
class LiveSubmissions:
    services: ServicesPort
    views: SubmissionViews
    feed: Feed
    open_streams: OpenStreams
    on_dropped: Callable[[str], None]

    async def of_one(self, submission_id: str, caller: Caller, seen: str) -> AsyncIterator[bytes]:
        """Yield the state, then each change, until it is final. `seen` is the last id the client had."""
        ends = time.monotonic() + self.open_streams.terms.lifetime
        with (
            self.open_streams.counted("submission", caller.account_id),
            self.feed.watch(submission_id) as watch,
        ):
            try:
                while not watch.closed and time.monotonic() < ends:
                    detail = await self.views.detail(submission_id, caller.actor)
                    body, tag = detail.body or b"", detail.etag.strip('"')
                    if tag != seen:
                        seen = tag
                        yield frame("submission", body, tag)
                    if status_in(body).is_terminal:
                        yield frame("end", b"{}")
                        return
                    while not await watch.changes(self.open_streams.terms.heartbeat):
                        if watch.wants_a_look:
                            break
                        yield HEARTBEAT
                    if watch.reset:
                        watch.reset = False
                        self.views.forget(submission_id)
            except RemoteError as error:
                yield failure(error)

    async def of_account(self, caller: Caller, seen: str) -> AsyncIterator[bytes]:
        """Yield the caller's latest submissions, or what changed since `seen`; then each change."""
        ends = time.monotonic() + self.open_streams.terms.lifetime
        with (
            self.open_streams.counted("my_submissions", caller.account_id),
            self.feed.watch(caller.account_id) as watch,
        ):
            try:
                missed = self.feed.since(seen, caller.account_id)
                if missed is None:
                    yield await self._recent(caller)
                for change in missed or ():
                    if one := await self._one(change.subject, change.position, caller):
                        yield one
                while not watch.closed and time.monotonic() < ends:
                    async for each in self._changes(watch, caller):
                        yield each
            except RemoteError as error:
                yield failure(error)
            finally:
                # Not after the loop: a reader too slow for its changes is mostly cut off in the midst of one.
                if watch.overflowed:
                    self.on_dropped("my_submissions")

    async def _changes(self, watch: Watch, caller: Caller) -> AsyncIterator[bytes]:
        changes = await watch.changes(self.open_streams.terms.heartbeat)
        if watch.reset:
            watch.reset = False
            yield await self._recent(caller)
            return
        if not changes and not watch.closed:
            yield HEARTBEAT
        for submission_id, position in changes:
            if one := await self._one(submission_id, position, caller):
                yield one

    async def _recent(self, caller: Caller) -> bytes:
        # Read before the list: a change between the two is then sent once more rather than not at all.
        position = self.feed.position
        found = await self.services.call(
            LIST, actor=caller.actor, filter=_Mine(caller.account_id), page=Page(_RECENT, None)
        )
        return frame("snapshot", _encode(found), position)

    async def _one(self, submission_id: str, position: str, caller: Caller) -> bytes | None:
        """Return its state; None when the caller may not, or no longer, know of it."""
        try:
            detail = await self.views.detail(submission_id, caller.actor)
        except RemoteError as error:
            if error.kind is Kind.NOT_FOUND:
                return None
            raise
        return frame("submission", detail.body or b"", position)


FromLiveSubmissions = NamedDependency[SkipValidation[LiveSubmissions]]
