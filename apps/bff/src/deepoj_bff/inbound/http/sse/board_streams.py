"""The event stream of a contest: its board, then each change."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.errors import is_passing
from deepoj_bff.inbound.http.sse.board_feed import BoardFeeds, BoardUpdate, BoardWatch
from deepoj_bff.inbound.http.sse.frames import Event, about_contest, failure, framed
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, Place, Pulse
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.cache import encode
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.board import BoardChange, Scoreboard
from deepoj_domain.game.visibility import BoardView
from deepoj_kit.grpc import RemoteError

# Opened again when it ends.
WATCH_BOARD: Final = Call("game", "WatchScoreboard", BoardChange, timedelta(hours=1))
_ROWS: Final = 100


@dataclass(frozen=True, slots=True)
class BoardStreams:
    """A view that is the same for all is read once for all who watch it; `own` is read for each caller."""

    services: Services
    boards: ReadBoards
    feeds: BoardFeeds
    open_streams: OpenStreams
    on_dropped: Callable[[str], None]

    def of(self, contest_id: str, view: BoardView, caller: Caller, seen: int | None) -> AsyncIterator[bytes]:
        """Yield the board, or only what changed after `seen`; then each change."""
        place = self.open_streams.take("contest", caller)
        watcher = _Watcher(self, contest_id, view, caller, Pulse(self.open_streams.terms), with_rows=True)
        return self._of(watcher, seen, place)

    def changes_of(
        self, contest_id: str, view: BoardView, caller: Caller, seen: int | None
    ) -> AsyncGenerator[Event | None]:
        """Yield `reload`, or what changed after `seen`, then each change; for a stream that has its place."""
        pulse = Pulse(self.open_streams.terms)
        return _Watcher(self, contest_id, view, caller, pulse, with_rows=False).events(seen)

    async def _of(self, watcher: _Watcher, seen: int | None, place: Place) -> AsyncIterator[bytes]:
        with place:
            async with aclosing(framed(watcher.events(seen))) as frames:
                async for each in frames:
                    yield each


@dataclass(slots=True)
class _Watcher:
    """One stream. Another watcher may have begun its reading, so its caller's own right is asked for too."""

    streams: BoardStreams
    contest_id: str
    view: BoardView
    caller: Caller
    pulse: Pulse
    with_rows: bool
    """Begin with the first rows; else with the word that the board is to be read."""

    async def events(self, seen: int | None) -> AsyncGenerator[Event | None]:
        own = self.caller.account_id if self.view is BoardView.OWN else ""
        key = (self.contest_id, self.view, own)
        refused: Exception | None = None
        while not self.pulse.over:
            if seen is None:
                board = await self._board(_ROWS if self.with_rows else 1)
                seen = board.sequence
                yield self._beginning(board)
            with self.streams.feeds.watch(key, seen, self._changes) as watch:
                seen = None
                if watch is None:
                    continue
                async with aclosing(self._updates(watch)) as updates:
                    async for each in updates:
                        refused = None
                        yield each
            if watch.failure is None:
                return
            # The refusal was for the watcher who began the reading. If this caller begins the next one and is
            # refused too, the refusal is for this caller.
            if refused is not None:
                yield failure(watch.failure)
                return
            refused = watch.failure

    def _beginning(self, board: Scoreboard) -> Event:
        if self.with_rows:
            return Event("board", about_contest(self.contest_id, encode(board)), str(board.sequence))
        return _event(
            self.contest_id, BoardChange(sequence=board.sequence, row=None, reload=True, clarification=None)
        )

    async def _board(self, rows: int) -> Scoreboard:
        boards = self.streams.boards
        return await boards.first_rows(self.contest_id, self.view, self.caller.actor, rows)

    async def _updates(self, watch: BoardWatch) -> AsyncGenerator[Event | None]:
        try:
            while not self.pulse.over:
                for update in await watch.news(self.streams.open_streams.terms.heartbeat):
                    self.pulse.spoke()
                    yield update.event
                if watch.closed:
                    return
                if self.pulse.due:
                    self.pulse.spoke()
                    yield None
                await self._recheck()
        finally:
            # Not after the loop: a reader too slow for its changes is mostly cut off in the midst of one.
            if watch.overflowed:
                self.streams.on_dropped("contest")

    async def _recheck(self) -> None:
        """Raise when the caller may not see the board any more."""
        if not self.pulse.recheck_due:
            return
        self.pulse.rechecked()
        try:
            await self._board(rows=1)
        except RemoteError as error:
            if not is_passing(error):
                raise

    async def _changes(self, after: int) -> AsyncIterator[BoardUpdate]:
        changes = self.streams.services.stream(
            WATCH_BOARD,
            actor=self.caller.actor,
            game_id=self.contest_id,
            after_sequence=after,
            view=self.view,
        )
        async for change in changes:
            yield BoardUpdate(change.sequence, _event(self.contest_id, change))


def _event(contest_id: str, change: BoardChange) -> Event:
    name = "clarification" if change.clarification else "reload" if change.reload else "row"
    return Event(name, about_contest(contest_id, encode(change)), str(change.sequence))
