"""One stream for all that a browser follows: it has few connections, and many tabs (ADR 0122)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

import msgspec

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.sse.board_streams import BoardStreams
from deepoj_bff.inbound.http.sse.frames import HEARTBEAT, Event, failure
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, Place
from deepoj_bff.inbound.http.sse.submission_streams import SubmissionStreams
from deepoj_bff.queries.cache import encode
from deepoj_domain.game.visibility import BoardView
from deepoj_kit.grpc import RemoteError


class SessionTerms(msgspec.Struct, frozen=True):
    expires_at: datetime | None
    """When the credential has to be renewed; the stream itself goes on."""


@dataclass(frozen=True, slots=True)
class Board:
    contest_id: str
    view: BoardView


@dataclass(frozen=True, slots=True)
class Position:
    """How far a browser has read each part; the id of an event names all of them."""

    submissions: str = ""
    board: Board | None = None
    sequence: int | None = None

    @classmethod
    def read(cls, event_id: str, board: Board | None) -> Self:
        """Return the position that an id names; of a board only if it is the one that is asked for."""
        submissions, _, rest = event_id.partition("|")
        name, _, sequence = rest.rpartition(":")
        is_same = board is not None and name == _name(board) and sequence.isdecimal()
        return cls(submissions, board, int(sequence) if is_same else None)

    def __str__(self) -> str:
        if self.board is None or self.sequence is None:
            return f"{self.submissions}|"
        return f"{self.submissions}|{_name(self.board)}:{self.sequence}"


def _name(board: Board) -> str:
    return f"{board.contest_id}:{board.view}"


# An event, and the position after it.
_Told = tuple[Event, Callable[[Position], Position]]


@dataclass(frozen=True, slots=True)
class BrowserStreams:
    submissions: SubmissionStreams
    boards: BoardStreams
    open_streams: OpenStreams

    def of(self, caller: Caller, seen: Position, *, submissions: bool) -> AsyncIterator[bytes]:
        """Yield what happens to the caller's submissions and to the board of the position, as asked."""
        place = self.open_streams.take("browser", caller)
        parts = []
        if submissions:
            parts.append(_mine(self.submissions.events_of_account(caller, seen.submissions)))
        if seen.board is not None:
            board = seen.board
            parts.append(_board(self.boards.changes_of(board.contest_id, board.view, caller, seen.sequence)))
        return self._of(caller, seen, parts, place)

    async def _of(
        self, caller: Caller, seen: Position, parts: list[AsyncGenerator[_Told]], place: Place
    ) -> AsyncIterator[bytes]:
        with place:
            yield Event("session", encode(SessionTerms(caller.identity.expires_at))).frame()
            async with aclosing(_merged(parts, self.open_streams.terms.heartbeat)) as told:
                async for each in told:
                    if each is None:
                        yield HEARTBEAT
                        continue
                    event, moved = each
                    seen = moved(seen)
                    yield replace(event, id=str(seen) if event.id else "").frame()


async def _mine(events: AsyncGenerator[Event | None]) -> AsyncGenerator[_Told]:
    async with aclosing(events):
        async for each in events:
            if each is not None:
                name = "submissions" if each.name == "snapshot" else each.name
                yield replace(each, name=name), _after_submission(each.id)


async def _board(events: AsyncGenerator[Event | None]) -> AsyncGenerator[_Told]:
    async with aclosing(events):
        async for each in events:
            if each is not None:
                yield each, _after_change(each.id)


def _after_submission(position: str) -> Callable[[Position], Position]:
    return lambda seen: replace(seen, submissions=position) if position else seen


def _after_change(sequence: str) -> Callable[[Position], Position]:
    return lambda seen: replace(seen, sequence=int(sequence)) if sequence else seen


async def _merged(parts: list[AsyncGenerator[_Told]], heartbeat: float) -> AsyncGenerator[_Told | None]:
    """Yield from each as it comes, None after a time without; end with the first that ends.

    One event waits at most: who does not read holds the parts up, and they drop a reader that is too slow.
    """
    waiting: asyncio.Queue[_Told | None] = asyncio.Queue(maxsize=1)
    readers = [asyncio.create_task(_read(part, waiting)) for part in parts]
    try:
        while True:
            try:
                async with asyncio.timeout(heartbeat):
                    told = await waiting.get()
            except TimeoutError:
                yield None
                continue
            if told is None:
                return
            yield told
    finally:
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)


async def _read(part: AsyncGenerator[_Told], waiting: asyncio.Queue[_Told | None]) -> None:
    try:
        async with aclosing(part):
            async for each in part:
                await waiting.put(each)
    except RemoteError as error:
        await waiting.put((failure(error), lambda seen: seen))
    await waiting.put(None)
