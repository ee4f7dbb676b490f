"""A contest's stream: one reading for many, each with a right of their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import cast
from uuid import uuid4

import pytest

from deepoj_bff.container import BOARDS
from deepoj_bff.inbound.http.auth.caller import Caller, Identity, Means
from deepoj_bff.inbound.http.errors import is_passing
from deepoj_bff.inbound.http.sse.board_feed import BOUND, BoardFeeds
from deepoj_bff.inbound.http.sse.board_streams import BoardStreams
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, StreamTerms
from deepoj_bff.outbound.answer_cache import AnswerCache
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.services import Origin, Page, Services
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.board import BoardChange, Scoreboard
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import eventually

REFUSED = RemoteError(Kind.FORBIDDEN, "not_allowed", "not any more")
AWAY = RemoteError(Kind.UNAVAILABLE, "unavailable", "game is away")


class Game:
    """One board; whoever is in `out` may not see it."""

    def __init__(self) -> None:
        self.out: dict[Actor | None, RemoteError] = {}
        self.sequence = 0
        self.changed = asyncio.Event()
        self.readers: list[Actor | None] = []
        self.looks: list[tuple[Actor | None, int | None]] = []
        self.unwatchable: RemoteError | None = None

    def change(self, times: int = 1) -> None:
        self.sequence += times
        self.changed.set()

    async def call(
        self, _call: object, /, *, actor: Actor | None, page: Page, **_fields: object
    ) -> Scoreboard:
        self.looks.append((actor, page.size))
        if refusal := self.out.get(actor):
            raise refusal
        return Scoreboard(rows=[], page=PageInfo(), sequence=self.sequence, view=BoardView.PUBLIC)

    async def stream(
        self, _call: object, /, *, actor: Actor | None, after_sequence: int, **_fields: object
    ) -> AsyncIterator[BoardChange]:
        self.readers.append(actor)
        last = after_sequence
        while True:
            if refusal := self.unwatchable or self.out.get(actor):
                raise refusal
            while last < self.sequence:
                last += 1
                yield BoardChange(sequence=last, row=None, reload=True, clarification=None)
            self.changed.clear()
            await self.changed.wait()


class Stage:
    def __init__(self, heartbeat: float = 600.0, lifetime: float = 600.0, recheck: float = 600.0) -> None:
        self.game, self.dropped = Game(), list[str]()
        terms = StreamTerms(
            heartbeat=heartbeat, lifetime=lifetime, most=9, most_of_one=9, most_of_guests=9, recheck=recheck
        )
        self.feeds = BoardFeeds(is_passing, lambda: asyncio.sleep(0))
        self.open = OpenStreams(terms, lambda _kind, _number: None)
        services = cast("Services", self.game)
        boards = ReadBoards(services, AnswerCache(BOARDS, None, lambda _: None))
        self.live = BoardStreams(services, boards, self.feeds, self.open, self.dropped.append)

    def watch(self, caller: Caller, seen: int | None = None) -> AsyncIterator[bytes]:
        return self.live.of("c1", BoardView.PUBLIC, caller, seen)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def somebody() -> Caller:
    return Caller(Identity(Actor(AccountId(uuid4()), Role.CONTESTANT), Means.BEARER), Origin("192.0.2.1", ""))


async def following(frames: AsyncIterator[bytes]) -> tuple[str, str]:
    """Return name and id of the next event, or the reason if it is an error."""
    fields = dict(line.split(": ", 1) for line in (await anext(frames)).decode().strip().splitlines())
    name = fields.get("event", "")
    return name, json.loads(fields["data"])["reason"] if name == "error" else fields.get("id", "")


async def test_the_board_comes_first_then_each_change_and_a_resumed_stream_skips_the_board(
    stage: Stage,
) -> None:
    frames = stage.watch(somebody())
    assert await following(frames) == ("board", "0")
    stage.game.change(2)
    assert [await following(frames), await following(frames)] == [("reload", "1"), ("reload", "2")]
    assert await following(stage.watch(somebody(), seen=1)) == ("reload", "2")
    assert len(stage.game.readers) == 1


async def test_that_one_watcher_is_refused_does_not_end_the_streams_of_the_others(stage: Stage) -> None:
    ada, bob = somebody(), somebody()
    first, second = stage.watch(ada), stage.watch(bob)
    assert [await following(first), await following(second)] == [("board", "0")] * 2
    waiting = [asyncio.ensure_future(following(frames)) for frames in (first, second)]
    await eventually(lambda: stage.game.readers == [ada.actor])
    stage.game.out[ada.actor] = REFUSED
    stage.game.change()
    assert await asyncio.gather(*waiting) == [("error", "not_allowed"), ("board", "1")]
    stage.game.change()
    assert await following(second) == ("reload", "2")
    assert stage.game.readers == [ada.actor, bob.actor]


async def test_a_board_that_can_be_read_but_not_watched_ends_the_stream_and_says_why(stage: Stage) -> None:
    stage.game.unwatchable = REFUSED
    frames = stage.watch(somebody())
    seen = [await following(frames) for _ in range(3)]
    assert seen == [("board", "0"), ("board", "0"), ("error", "not_allowed")]
    assert [each async for each in frames] == []


async def test_whoever_may_not_see_the_board_any_more_is_found_out_although_another_reads_it() -> None:
    stage = Stage(heartbeat=0.01, recheck=0.05)
    ada, bob = somebody(), somebody()
    first, second = stage.watch(ada), stage.watch(bob)
    await following(first)
    await following(second)
    stage.game.out[bob.actor] = AWAY
    while (bob.actor, 1) not in stage.game.looks:
        assert await following(second) == ("", ""), "that nobody can tell is no refusal"
    stage.game.out[bob.actor] = REFUSED
    while (event := await following(second)) == ("", ""):
        pass
    assert event == ("error", "not_allowed")
    assert await following(first) == ("", "")


async def test_a_reader_that_is_too_slow_is_dropped_and_counted(stage: Stage) -> None:
    frames = stage.watch(somebody())
    await following(frames)
    stage.game.change()
    await following(frames)
    stage.game.change(2 * BOUND)
    rest = [each async for each in frames]
    assert len(rest) < 2 * BOUND
    assert stage.dropped == ["contest"]


async def test_a_reader_that_is_cut_off_in_the_midst_is_counted_too(stage: Stage) -> None:
    frames = stage.watch(somebody())
    await following(frames)
    stage.game.change(2 * BOUND)
    await following(frames)
    await frames.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert stage.dropped == ["contest"]


async def test_a_stream_ends_after_its_lifetime_and_leaves_its_place() -> None:
    stage = Stage(heartbeat=0.01, lifetime=0.05)
    frames = [each async for each in stage.watch(somebody())]
    assert frames[0].startswith(b"id: 0\nevent: board")
    assert stage.dropped == []
    for _ in range(9):
        assert await following(stage.watch(somebody())) == ("board", "0")
