"""The frames of a contest's stream: its board, then each change."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.caller import Caller
from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.live import HEARTBEAT, OpenStreams, Place, Pulse, failure, frame, is_passing
from deepoj_bff.inbound.http.wire.base import Page
from deepoj_bff.inbound.http.wire.board import BoardChange, BoardView, Scoreboard
from deepoj_bff.queries.board_feed import BoardFeeds, BoardUpdate, BoardWatch
from deepoj_domain.kernel.role import Actor
from deepoj_kit.grpc import RemoteError

GET_BOARD: Final = Call("game", "GetScoreboard", Scoreboard)
# Opened again when it ends.
WATCH_BOARD: Final = Call("game", "WatchScoreboard", BoardChange, timedelta(hours=1))
_ROWS: Final = 100
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class LiveContests:
    """Views that are the same for all are read once; one's own is read for oneself."""

    services: ServicesPort
    feeds: BoardFeeds
    open_streams: OpenStreams
    on_dropped: Callable[[str], None]

    async def board(
        self, contest_id: str, view: BoardView, actor: Actor | None, rows: int = _ROWS
    ) -> Scoreboard:
        page = Page(rows, None)
        return await self.services.call(GET_BOARD, actor=actor, game_id=contest_id, view=view, page=page)

    def of(self, contest_id: str, view: BoardView, caller: Caller, seen: int | None) -> AsyncIterator[bytes]:
        """Yield the board, or only what changed after `seen`; then each change."""
        place = self.open_streams.take("contest", caller)
        return self._of(_Watcher(self, contest_id, view, caller, Pulse(self.open_streams.terms)), seen, place)

    async def _of(self, watcher: _Watcher, seen: int | None, place: Place) -> AsyncIterator[bytes]:
        with place:
            try:
                async with aclosing(watcher.frames(seen)) as frames:
                    async for each in frames:
                        yield each
            except RemoteError as error:
                yield failure(error)


@dataclass(slots=True)
class _Watcher:
    """One stream. Its reading may have been begun by another, so its own right is asked for by itself."""

    live: LiveContests
    contest_id: str
    view: BoardView
    caller: Caller
    pulse: Pulse

    async def frames(self, seen: int | None) -> AsyncGenerator[bytes]:
        own = self.caller.account_id if self.view is BoardView.OWN else ""
        key = (self.contest_id, self.view, own)
        refused: Exception | None = None
        while not self.pulse.over:
            if seen is None:
                board = await self.live.board(self.contest_id, self.view, self.caller.actor)
                seen = board.sequence
                yield frame("board", _encode(board), str(seen))
            with self.live.feeds.watch(key, seen, self._changes) as watch:
                seen = None
                if watch is None:
                    continue
                async with aclosing(self._updates(watch)) as updates:
                    async for each in updates:
                        refused = None
                        yield each
            if watch.failure is None:
                return
            # Whoever began the reading was refused: that says something of this caller only the second time.
            if refused is not None:
                yield failure(watch.failure)
                return
            refused = watch.failure

    async def _updates(self, watch: BoardWatch) -> AsyncGenerator[bytes]:
        try:
            while not self.pulse.over:
                for update in await watch.updates(self.live.open_streams.terms.heartbeat):
                    self.pulse.spoke()
                    yield update.frame
                if watch.closed:
                    return
                if self.pulse.due:
                    self.pulse.spoke()
                    yield HEARTBEAT
                await self._recheck()
        finally:
            # Not after the loop: a reader too slow for its changes is mostly cut off in the midst of one.
            if watch.overflowed:
                self.live.on_dropped("contest")

    async def _recheck(self) -> None:
        """Raise when the caller may not see the board any more."""
        if not self.pulse.recheck_due:
            return
        self.pulse.rechecked()
        try:
            await self.live.board(self.contest_id, self.view, self.caller.actor, rows=1)
        except RemoteError as error:
            if not is_passing(error):
                raise

    async def _changes(self, after: int) -> AsyncIterator[BoardUpdate]:
        changes = self.live.services.stream(
            WATCH_BOARD,
            actor=self.caller.actor,
            game_id=self.contest_id,
            after_sequence=after,
            view=self.view,
        )
        async for change in changes:
            # The reader's own right to see a private answer is not that of all who share the reading.
            hidden = change.clarification is not None and not change.clarification.public
            if not hidden or self.view is BoardView.OWN:
                yield BoardUpdate(change.sequence, _frame(change))


def _frame(change: BoardChange) -> bytes:
    name = "clarification" if change.clarification else "reload" if change.reload else "row"
    return frame(name, _encode(change), str(change.sequence))


FromLiveContests = NamedDependency[SkipValidation[LiveContests]]
