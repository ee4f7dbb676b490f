"""One stream for all that a browser follows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, cast

import httpx
import msgspec
import pytest

from apps.bff.tests.fakes import Signer, ToldServices, a_detail, unnamed
from deepoj_bff.container import BOARDS
from deepoj_bff.inbound.http.auth.caller import Caller, Identity, Means
from deepoj_bff.inbound.http.errors import ApiError, is_passing
from deepoj_bff.inbound.http.sse.board_feed import BoardFeeds
from deepoj_bff.inbound.http.sse.board_streams import BoardStreams
from deepoj_bff.inbound.http.sse.browser_streams import Board, BrowserStreams, Position
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, StreamTerms
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed
from deepoj_bff.inbound.http.sse.submission_streams import SubmissionStreams
from deepoj_bff.inbound.stream.on_submission import OnSubmissionChanged
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.services import Origin, Services
from deepoj_bff.queries.submissions import ReadSubmissions
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.board import BoardChange, Scoreboard
from deepoj_bff.queries.views.submission import Status, Submissions
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.submission import Standing
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError

ADA = Caller(Identity(Actor(ALICE, Role.CONTESTANT), Means.COOKIE), Origin("192.0.2.1", ""))
# The same in every process, for the names of tests hold it.
CONTEST = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a21"
BOARD = Board(CONTEST, BoardView.PUBLIC)
REFUSED = RemoteError(Kind.FORBIDDEN, "not_allowed", "not any more")


class Game:
    """One board, which outlives any front door."""

    def __init__(self) -> None:
        self.sequence = 0
        self.changed = asyncio.Event()
        self.refusal: RemoteError | None = None

    def change(self, times: int = 1) -> None:
        self.sequence += times
        self.changed.set()

    async def call(self, _call: object, /, **_fields: object) -> Scoreboard:
        return Scoreboard(rows=[], page=PageInfo(), sequence=self.sequence, view=BoardView.PUBLIC)

    async def stream(
        self, _call: object, /, *, after_sequence: int, **_fields: object
    ) -> AsyncIterator[BoardChange]:
        last = after_sequence
        while True:
            if self.refusal:
                raise self.refusal
            while last < self.sequence:
                last += 1
                yield BoardChange(sequence=last, row=None, reload=False, clarification=None)
            self.changed.clear()
            await self.changed.wait()


class Door:
    """A front door of its own, on a game and a record that are there before and after it."""

    def __init__(self, game: Game, services: ToldServices, heartbeat: float = 600.0) -> None:
        terms = StreamTerms(
            heartbeat=heartbeat, lifetime=600.0, most=9, most_of_one=2, most_of_guests=2, look=600.0
        )
        self.dropped: list[str] = []
        opened = OpenStreams(terms, lambda _kind, _number: None)
        never = Lifetimes(fresh=0.0, stale=0.0, negative=0.0)
        reads = ReadSubmissions(services, AnswerCache(never, None, lambda _: None), unnamed)
        feed = SubmissionFeed(bound=2)
        self.feed = feed
        submissions = SubmissionStreams(reads, feed, opened, self.dropped.append)
        told = cast("Services", game)
        self.feeds = BoardFeeds(is_passing, lambda: asyncio.sleep(0))
        read_boards = ReadBoards(told, AnswerCache(BOARDS, None, lambda _: None))
        boards = BoardStreams(told, read_boards, self.feeds, opened, self.dropped.append)
        self.streams = BrowserStreams(submissions, boards, opened)
        self.listener = OnSubmissionChanged(feed, reads.forget)

    def watch(self, last_event_id: str = "", caller: Caller = ADA) -> AsyncIterator[bytes]:
        return self.streams.of(caller, Position.read(last_event_id, BOARD), submissions=True)

    def happens(self, position: str, submission_id: str) -> None:
        facts = {"id": submission_id, "account_id": ADA.account_id, "standing": Standing.HEAD}
        self.listener.on_event(position, {b"data": msgspec.json.encode({"submission": facts})})


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def record() -> ToldServices:
    told = ToldServices()
    told.answers["record", "List"] = Submissions(submissions=[], page=PageInfo(next_cursor=None))
    told.answers["record", "Get"] = a_detail("s1", Status.FINISHED)
    return told


@pytest.fixture
def front(game: Game, record: ToldServices) -> Door:
    made = Door(game, record)
    made.listener.on_following("0-0")
    return made


def parsed(frame: bytes) -> tuple[str, str, Any]:
    fields = dict(line.split(": ", 1) for line in frame.decode().strip().splitlines())
    return fields.get("event", ""), fields.get("id", ""), json.loads(fields.get("data", "null"))


async def following(frames: AsyncIterator[bytes], count: int = 1) -> list[tuple[str, str, Any]]:
    async with asyncio.timeout(30):
        return [parsed(await anext(frames)) for _ in range(count)]


async def test_one_stream_tells_of_the_session_my_submissions_and_the_contest(
    front: Door, game: Game
) -> None:
    frames = front.watch()
    [(name, event_id, data)] = await following(frames)
    assert (name, event_id, data) == ("session", "", {"expires_at": None})
    begun = {name: data for name, _, data in await following(frames, 2)}
    assert begun.keys() == {"submissions", "reload"}
    assert (begun["reload"]["contest_id"], begun["reload"]["sequence"]) == (CONTEST, 0)
    front.happens("1-0", "s1")
    [(name, event_id, _)] = await following(frames)
    assert (name, event_id) == ("submission", f"1-0|{CONTEST}:public:0")
    game.change()
    [(name, event_id, data)] = await following(frames)
    assert (name, event_id, data["contest_id"]) == ("row", f"1-0|{CONTEST}:public:1", CONTEST)


async def test_a_resumed_stream_tells_what_was_missed_and_nothing_again(front: Door, game: Game) -> None:
    front.happens("1-0", "s1")
    game.change(2)
    front.happens("2-0", "s2")
    resumed = front.watch(f"1-0|{CONTEST}:public:1")
    told = (await following(resumed, 3))[1:]
    assert {
        (name, event_id.partition("|")[0] if name == "submission" else data["sequence"])
        for name, event_id, data in told
    } == {
        ("submission", "2-0"),
        ("row", 2),
    }


async def test_after_a_restart_nothing_is_lost_and_no_change_comes_twice(
    front: Door, game: Game, record: ToldServices
) -> None:
    frames = front.watch()
    await following(frames, 3)
    game.change(2)
    last = (await following(frames, 2))[-1][1]
    await frames.aclose()  # type: ignore[attr-defined]  # it is a generator
    front.feeds.close()
    game.change(3)
    restarted = Door(game, record)
    restarted.listener.on_following("7-0")
    resumed = restarted.watch(last)
    told = (await following(resumed, 5))[1:]
    # What is remembered of submissions went with the process: their state comes whole.
    assert [data["sequence"] for name, _, data in told if name == "row"] == [3, 4, 5]
    assert [name for name, _, _ in told if name != "row"] == ["submissions"]
    game.change()
    restarted.happens("8-0", "s1")
    assert {name for name, _, _ in await following(resumed, 2)} == {"row", "submission"}


@pytest.mark.parametrize(
    "event_id",
    ["", "|", "x", f"1-0|{ALICE}:public:1", f"1-0|{CONTEST}:own:1", f"|{CONTEST}:public:-1", "|::"],
)
async def test_a_position_of_something_else_begins_anew(front: Door, game: Game, event_id: str) -> None:
    game.change()
    frames = front.watch(event_id)
    assert {name for name, _, _ in await following(frames, 3)} == {"session", "submissions", "reload"}


async def test_a_position_is_read_as_it_was_written() -> None:
    for position in (Position("5-1", BOARD, 42), Position("", BOARD, 0), Position("5-1", None, None)):
        assert Position.read(str(position), position.board) == position
        assert len(str(position)) <= 200


async def test_a_refusal_of_one_part_is_told_and_ends_the_stream(front: Door, game: Game) -> None:
    frames = front.watch()
    await following(frames, 3)
    game.refusal = REFUSED
    game.change()
    async with asyncio.timeout(30):
        rest = [parsed(each)[0] async for each in frames]
    assert rest[-1] == "error"
    assert set(rest) <= {"reload", "error"}


async def test_a_reader_too_slow_is_dropped_and_may_resume(front: Door) -> None:
    frames = front.watch()
    await following(frames, 3)
    for number in range(20):
        front.happens(f"{number + 1}-0", f"s{number}")
    async with asyncio.timeout(30):
        rest = [parsed(each)[0] async for each in frames]
    assert len(rest) < 20
    assert front.dropped == ["my_submissions"]


async def test_a_browser_that_goes_leaves_nothing_behind(front: Door, game: Game) -> None:
    before = asyncio.all_tasks()
    frames = front.watch()
    await following(frames, 3)
    assert asyncio.all_tasks() > before
    await frames.aclose()  # type: ignore[attr-defined]  # it is a generator
    game.change()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


async def test_there_are_signs_of_life_and_an_end_with_the_process(game: Game, record: ToldServices) -> None:
    front = Door(game, record, heartbeat=0.01)
    frames = front.watch()
    await following(frames, 3)
    assert (await following(frames))[0][0] == ""
    front.feed.close()
    async with asyncio.timeout(30):
        assert {parsed(each)[0] async for each in frames} <= {""}


async def test_one_account_has_so_many_streams_and_no_more(front: Door) -> None:
    kept = [front.watch(), front.watch()]
    with pytest.raises(ApiError, match="2 event streams open"):
        front.watch()
    stranger = replace(ADA, identity=Identity(None, Means.NOTHING))
    kept.append(front.watch(caller=stranger))
    del kept


async def test_the_route_refuses_with_a_status(
    client: httpx.AsyncClient, services: ToldServices, signer: Signer
) -> None:
    nothing = await client.get("/api/events")
    assert (nothing.status_code, nothing.json()["reason"]) == (400, "nothing_to_follow")
    guest = await client.get("/api/events?submissions=mine")
    assert (guest.status_code, guest.json()["reason"]) == (401, "sign_in_required")
    services.answers["game", "GetScoreboard"] = RemoteError(Kind.NOT_FOUND, "not_found", "there is none")
    headers = signer.headers(Role.CONTESTANT)
    hidden = await client.get(f"/api/events?submissions=mine&contest={CONTEST}", headers=headers)
    assert hidden.status_code == 404
    for bad in ("submissions=all", "contest=x", f"contest={CONTEST}&view=all", f"contest={CONTEST}&after=-1"):
        assert (await client.get(f"/api/events?{bad}", headers=headers)).status_code == 400
