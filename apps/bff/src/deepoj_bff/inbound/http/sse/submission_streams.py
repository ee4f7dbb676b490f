"""The event streams of one submission, and of all submissions of an account."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.errors import is_passing
from deepoj_bff.inbound.http.sse.frames import Event
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, Pulse, placed
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed, SubmissionWatch
from deepoj_bff.queries.cache import encode, etag_of
from deepoj_bff.queries.submissions import ReadSubmissions, shown_in, status_in
from deepoj_bff.queries.views.submission import Progress, Status
from deepoj_domain.judgement.progress import JudgeProgress
from deepoj_kit.grpc import Kind, RemoteError

_RECENT: Final = 20
# Seconds that one front door may be behind another; a client can also have invented its position.
_LAG: Final = 1.0


@dataclass(frozen=True, slots=True)
class SubmissionStreams:
    """Events say when to look. A stream also looks by itself until the verdict: an event may be lost."""

    submissions: ReadSubmissions
    feed: SubmissionFeed
    open_streams: OpenStreams
    on_dropped: Callable[[str], None]

    def of_one(self, submission_id: str, caller: Caller, seen: str) -> AsyncIterator[bytes]:
        """Yield the state, then each change, until it is final. `seen` is the last id the client had."""
        place = self.open_streams.take("submission", caller)
        return placed(place, self._events_of_one(submission_id, caller, seen))

    def of_account(self, caller: Caller, seen: str) -> AsyncIterator[bytes]:
        """Yield the caller's latest submissions, or what changed since `seen`; then each change."""
        return placed(self.open_streams.take("my_submissions", caller), self.events_of_account(caller, seen))

    async def _events_of_one(
        self, submission_id: str, caller: Caller, seen: str
    ) -> AsyncGenerator[Event | None]:
        pulse = Pulse(self.open_streams.terms)
        with self.feed.watch(submission_id) as watch:
            while not watch.closed and not pulse.over:
                body, tag = await self._look(submission_id, caller)
                watch.follow(submission_id, _attempt_shown(body))
                if told := watch.progress(submission_id):
                    pulse.spoke()
                    yield _progress(told)
                if tag not in {"", seen}:
                    seen = tag
                    pulse.spoke()
                    yield Event("submission", body, tag)
                if tag and status_in(body).is_terminal:
                    yield Event("end", b"{}")
                    return
                if pulse.due:
                    pulse.spoke()
                    yield None
                await watch.news(pulse.look)
                if watch.reset:
                    watch.reset = False
                    self.submissions.forget(submission_id)

    async def _look(self, submission_id: str, caller: Caller) -> tuple[bytes, str]:
        """Return the state and its tag; both empty while nobody can tell, which is asked again soon."""
        try:
            detail = await self.submissions.one(submission_id, caller.actor)
        except RemoteError as error:
            if is_passing(error):
                return b"", ""
            raise
        return detail.body or b"", detail.etag.strip('"')

    async def events_of_account(self, caller: Caller, seen: str) -> AsyncGenerator[Event | None]:
        """Yield what `of_account` does, as part of a stream that has its place."""
        pulse = Pulse(self.open_streams.terms)
        with self.feed.watch(caller.account_id) as watch:
            mine = _Mine(self, caller, watch)
            try:
                async for each in mine.beginning(seen):
                    yield each
                while not watch.closed and not pulse.over:
                    async for each in mine.changes(pulse.look):
                        pulse.spoke()
                        yield each
                    if pulse.due:
                        pulse.spoke()
                        yield None
            finally:
                # Not after the loop: a reader too slow for its changes is mostly cut off in the midst of one.
                if watch.overflowed:
                    self.on_dropped("my_submissions")


def _attempt_shown(detail: bytes) -> int | None:
    """Return whose progress is told: nobody sees cases before the result who will not see them in it."""
    shown = shown_in(detail) if detail else None
    if shown is None or not shown.shows_cases or shown.submission.status.is_terminal:
        return None
    return shown.submission.attempt_id


def _progress(told: JudgeProgress) -> Event:
    return Event("progress", encode(msgspec.convert(told, Progress, from_attributes=True)))


@dataclass(slots=True)
class _Mine:
    """One account's stream: what it was told, and which verdicts it waits for."""

    streams: SubmissionStreams
    caller: Caller
    watch: SubmissionWatch
    unfinished: dict[str, Status] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    """The tag of the last state of each: what a look has found, an event tells of once more."""
    listed: str = ""
    """The tag of the last list: thousands of streams need not keep the lists themselves."""

    async def beginning(self, seen: str) -> AsyncIterator[Event]:
        feed = self.streams.feed
        if feed.is_ahead(seen):
            # Another front door has told of it, which is quicker by a moment; what comes is in `since` then.
            await self.watch.news(_LAG)
        missed = feed.since(seen, self.caller.account_id)
        # Read for a resumed stream too: it may wait for verdicts that it was not told of again.
        recent = await self._recent()
        if missed is None:
            yield recent
        for change in missed or ():
            if state := await self._state(change.subject, change.position):
                yield state

    async def changes(self, seconds: float) -> AsyncIterator[Event]:
        """Yield what events tell, or after so many seconds without one what is found by looking."""
        watch = self.watch
        changes = await watch.news(seconds)
        if watch.reset:
            watch.reset = False
            yield await self._recent()
        elif changes:
            for change in changes:
                if state := await self._state(change.subject, change.position):
                    yield state
        elif not watch.closed:
            try:
                async for each in self._untold():
                    yield each
            except RemoteError as error:
                # No event has told of a change, so nothing is lost if only the next look succeeds.
                if not is_passing(error):
                    raise

    async def _untold(self) -> AsyncIterator[Event]:
        if not self.streams.feed.following:
            listed, found = self.listed, await self._recent()
            if self.listed != listed:
                yield found
            return
        for submission_id in self.watch.progressed() or list(self.unfinished):
            status = self.unfinished.get(submission_id)
            state = await self._state(submission_id, self.streams.feed.position(self.caller.account_id))
            if self.unfinished.get(submission_id) is status:
                self.told.pop(submission_id, None)  # whatever else has changed, its event is to tell
            elif state is not None:
                yield state
            if told := self.watch.progress(submission_id):
                yield _progress(told)

    async def _recent(self) -> Event:
        # Read before the list: a change between the two is then sent once more rather than not at all.
        account_id = self.caller.account_id
        position = self.streams.feed.position(account_id)
        found = await self.streams.submissions.latest(self.caller.actor, account_id, _RECENT)
        body = encode(found)
        self.listed = etag_of(body)
        before = self.unfinished
        self.unfinished = {each.id: each.status for each in found.submissions if not each.status.is_terminal}
        for submission_id in before.keys() - self.unfinished.keys():
            self.watch.follow(submission_id, None)
        return Event("snapshot", body, position)

    async def _state(self, submission_id: str, position: str) -> Event | None:
        """Return how it is now; None when the caller was told, or may not, or no longer, know of it."""
        try:
            found = await self.streams.submissions.one(submission_id, self.caller.actor)
        except RemoteError as error:
            if error.kind is not Kind.NOT_FOUND:
                raise
            self.unfinished.pop(submission_id, None)
            self.told.pop(submission_id, None)
            self.watch.follow(submission_id, None)
            return None
        body = found.body or b""
        self.unfinished[submission_id] = status = status_in(body)
        if status.is_terminal:
            del self.unfinished[submission_id]
        self.watch.follow(submission_id, _attempt_shown(body))
        if self.told.get(submission_id) == found.etag:
            return None
        self.told[submission_id] = found.etag
        return Event("submission", body, position)
