"""One reader of the event stream a process, which wakes whoever watches the submission an event is about."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

import msgspec
from redis.asyncio import Redis

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_kit.lifecycle import State
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.pacing import Backoff, wait_first
from deepoj_kit.streams.codec import MESSAGE_ID
from deepoj_kit.streams.commands import newest_id, read_after
from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.ports import Stored
from deepoj_record.queries.views import Written

_log = logging.getLogger(__name__)
_BLOCK = 1.0
_LINGER = 10.0
# Between two reads of a process that hears only what it wrote itself.
_ECHOES = 0.02
_MOST_TOLD = 4096
_MESSAGE_ID = MESSAGE_ID.encode()


class _Subject(msgspec.Struct):
    id: UUID


class _Event(msgspec.Struct):
    """As much of any submission event as is needed here."""

    submission: _Subject


@dataclass(eq=False, slots=True)
class _Watcher:
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    written: Written | None = None

    def look(self) -> None:
        self.written = None
        self.changed.set()

    def tell(self, written: Written) -> None:
        """Unless a look is due already: what it is due for may be newer."""
        if not self.changed.is_set() or self.written is not None:
            self.written = written
        self.changed.set()

    def hint(self) -> Written | None:
        hint, self.written = self.written, None
        self.changed.clear()
        return hint


_EVENT = msgspec.json.Decoder(_Event)


class RedisChanges:
    """`recheck` is how long, in seconds, a watcher waits for a hint before it looks by itself.

    The first time it waits `soon`.
    """

    def __init__(self, redis: Redis, stream: str, recheck: float = 2.0, soon: float = 0.1) -> None:
        self._redis = redis
        self._stream = stream
        self._recheck = recheck
        self._soon = soon
        self._watchers: dict[UUID, set[_Watcher]] = {}
        self._watched = asyncio.Event()
        self._is_over = False
        self._hears_others = True
        self._told: set[bytes] = set()
        self._wanted_at = 0.0
        self._backoff = Backoff()

    @asynccontextmanager
    async def of(self, submission_id: SubmissionId) -> AsyncIterator[AsyncIterator[Written | None]]:
        watcher = _Watcher()
        watcher.look()
        watchers = self._watchers.setdefault(submission_id, set())
        watchers.add(watcher)
        self._watched.set()
        try:
            yield self._hints(watcher)
        finally:
            watchers.discard(watcher)
            if not watchers:
                self._watchers.pop(submission_id, None)

    def written(self, rows: Sequence[OutboxRow], states: Sequence[Stored]) -> None:
        """Tell the watchers of this process at once; the stream is for those of the others."""
        if not self._watched.is_set():
            return
        if len(self._told) > _MOST_TOLD:
            # Forgotten, they wake once more; nothing is missed.
            self._told.clear()
        for row in rows:
            if row.stream == self._stream:
                self._told.add(str(row.id).encode())
                self._wake(row.payload["data"], states)

    async def on_state(self, state: State) -> None:
        """End all watches when the process drains: they would hold its graceful stop."""
        if state is State.DRAINING:
            self._is_over = True
            self._wake_all()

    async def run(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                await wait_first(stop, self._watched)
                await self._follow(stop)
                failures = 0
            except Unavailable as error:
                failures += 1
                _log.warning("reading events is interrupted: %s", error)
                await wait_first(stop, timeout=self._backoff.jittered(failures))

    async def _follow(self, stop: asyncio.Event) -> None:
        """Read from where the stream ends now, for as long as anybody watches and a little longer."""
        last = await newest_id(self._redis, self._stream)
        # Whoever looked before this moment looks once more: from here on nothing is missed.
        self._wake_all()
        while self._is_wanted() and not stop.is_set():
            last = await self._read(last)
            if not self._hears_others:
                await wait_first(stop, timeout=_ECHOES)
        if not self._watchers:
            self._watched.clear()

    def _is_wanted(self) -> bool:
        """Whoever comes soon after the last watcher finds the stream followed and need not look twice."""
        if self._watchers:
            self._wanted_at = time.monotonic()
        return time.monotonic() - self._wanted_at < _LINGER

    async def _read(self, last: str) -> str:
        entries = await read_after(self._redis, self._stream, last, _BLOCK)
        foreign = [entry for entry in entries if entry.fields.get(_MESSAGE_ID) not in self._told]
        self._told.difference_update(entry.fields.get(_MESSAGE_ID, b"") for entry in entries)
        for entry in foreign:
            self._wake(entry.fields.get(b"data", b""))
        if entries:
            self._hears_others = bool(foreign)
        return entries[-1].id if entries else last

    def _wake_all(self) -> None:
        for watcher in [each for watchers in self._watchers.values() for each in watchers]:
            watcher.look()

    def _wake(self, event: bytes | str, states: Sequence[Stored] = ()) -> None:
        try:
            subject = _EVENT.decode(event).submission.id
        except msgspec.DecodeError:
            _log.warning("an event on %s cannot be read", self._stream)
            return
        for watcher in self._watchers.get(subject, ()):
            state = next((each for each in states if each.submission.id == subject), None)
            if state is None:
                watcher.look()
            else:
                watcher.tell(Written(state.submission, state.version))

    async def _hints(self, watcher: _Watcher) -> AsyncIterator[Written | None]:
        yield watcher.hint()
        patience = self._soon
        while not self._is_over:
            await wait_first(watcher.changed, timeout=patience)
            yield watcher.hint()
            patience = self._recheck
