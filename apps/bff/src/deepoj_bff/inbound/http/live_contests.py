"""The frames of a contest's stream: its board, then each change."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.caller import Caller
from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.live import HEARTBEAT, OpenStreams, Place, failure, frame
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

    async def board(self, contest_id: str, view: BoardView, actor: Actor | None) -> Scoreboard:
        page = Page(_ROWS, None)
        return await self.services.call(GET_BOARD, actor=actor, game_id=contest_id, view=view, page=page)

    def of(self, contest_id: str, view: BoardView, caller: Caller, seen: int | None) -> AsyncIterator[bytes]:
        """Yield the board, or only what changed after `seen`; then each change."""
        return self._of(contest_id, view, caller, seen, self.open_streams.take("contest", caller))

    async def _of(
        self, contest_id: str, view: BoardView, caller: Caller, seen: int | None, place: Place
    ) -> AsyncIterator[bytes]:
        ends = time.monotonic() + self.open_streams.terms.lifetime
        key = (contest_id, view, caller.account_id if view is BoardView.OWN else "")
        reading = partial(self._changes, contest_id, view, caller.actor)
        with place:
            try:
                while time.monotonic() < ends:
                    if seen is None:
                        board = await self.board(contest_id, view, caller.actor)
                        seen = board.sequence
                        yield frame("board", _encode(board), str(seen))
                    with self.feeds.watch(key, seen, reading) as watch:
                        if watch is None:
                            seen = None
                            continue
                        async for each in self._frames(watch, ends):
                            yield each
                        if watch.overflowed:
                            self.on_dropped("contest")
                        if watch.failure is not None:
                            yield failure(watch.failure)
                        return
            except RemoteError as error:
                yield failure(error)

    async def _frames(self, watch: BoardWatch, ends: float) -> AsyncIterator[bytes]:
        while time.monotonic() < ends:
            updates = await watch.updates(self.open_streams.terms.heartbeat)
            for update in updates:
                yield update.frame
            if watch.closed:
                return
            if not updates:
                yield HEARTBEAT

    async def _changes(
        self, contest_id: str, view: BoardView, actor: Actor | None, after: int
    ) -> AsyncIterator[BoardUpdate]:
        changes = self.services.stream(
            WATCH_BOARD, actor=actor, game_id=contest_id, after_sequence=after, view=view
        )
        async for change in changes:
            # The reader's own right to see a private answer is not that of all who share the reading.
            hidden = change.clarification is not None and not change.clarification.public
            if not hidden or view is BoardView.OWN:
                yield BoardUpdate(change.sequence, _frame(change))


def _frame(change: BoardChange) -> bytes:
    name = "clarification" if change.clarification else "reload" if change.reload else "row"
    return frame(name, _encode(change), str(change.sequence))


FromLiveContests = NamedDependency[SkipValidation[LiveContests]]
