"""One reader, many watchers: nothing lost, nobody waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from deepoj_bff.inbound.http.sse.board_feed import BOUND, BoardFeeds, BoardUpdate
from deepoj_bff.inbound.http.sse.frames import Event
from deepoj_bff.inbound.http.sse.submission_feed import Change, SubmissionFeed
from deepoj_kit.testing.conditions import eventually


def change(position: int, subject: str, *topics: str) -> Change:
    return Change(str(position), subject, (subject, *topics))


async def test_a_watcher_hears_of_its_topics_only_and_of_each_subject_once() -> None:
    feed = SubmissionFeed()
    with feed.watch("ada") as watch:
        for each in (change(1, "s1", "ada"), change(2, "s2", "bob"), change(3, "s1", "ada")):
            feed.publish(each)
        assert [(each.subject, each.position) for each in await watch.news(0.01)] == [("s1", "3")]
        assert await watch.news(0.01) == []


async def test_a_watcher_too_far_behind_is_dropped() -> None:
    feed = SubmissionFeed(bound=2)
    with feed.watch("ada") as slow, feed.watch("s1") as quick:
        for number in range(3):
            feed.publish(change(number, f"s{number}", "ada"))
        assert (slow.closed, slow.overflowed) == (True, True)
        assert (quick.closed, quick.overflowed) == (False, False)


async def test_what_was_missed_is_told_as_far_as_it_is_remembered() -> None:
    feed = SubmissionFeed()
    for number in range(1, 4):
        feed.publish(change(number, f"s{number}", "ada"))
    missed = feed.since("1", "ada")
    assert missed is not None
    assert [each.subject for each in missed] == ["s2", "s3"]
    assert feed.since("3", "ada") == []
    assert feed.since("0", "ada") is None
    feed.begin_again("9")
    assert (feed.since("3", "ada"), feed.since("9", "ada")) == (None, [])


async def test_a_position_tells_nothing_of_the_changes_of_others() -> None:
    feed = SubmissionFeed()
    feed.begin_again("1")
    feed.publish(change(2, "s2", "ada"))
    feed.publish(change(3, "s3", "bea"))
    assert [feed.position(topic) for topic in ("ada", "bea", "eve")] == ["2", "3", "1"]
    feed.publish(change(4, "s4", "ada"))
    assert [each.subject for each in feed.since("1", "ada") or ()] == ["s2", "s4"]
    assert feed.since("1", "eve") == []
    for number in range(5000):
        feed.publish(change(5 + number, "s", "ada"))
    assert feed.position("eve") == "", "what happened since is not remembered any more"


async def test_a_position_of_another_front_door_finds_its_place() -> None:
    """Each remembers from when it was started; the ids are those of one stream."""
    early, late = SubmissionFeed(), SubmissionFeed()
    early.begin_again("5-0")
    for feed in (early, late):
        if feed is late:
            feed.begin_again("7-3")
        for number in range(8, 12):
            feed.publish(change(number, f"s{number}", "ada" if number % 2 else "bea"))
    assert late.since(early.position("ada"), "ada") == []
    assert [each.subject for each in late.since("9-0", "ada") or ()] == ["s11"]
    assert [each.subject for each in early.since(late.position("eve"), "ada") or ()] == ["s9", "s11"]
    assert late.since(early.position("eve"), "ada") is None, "it was started later"
    assert (late.since("11-1", "ada"), late.is_ahead("11-1"), late.is_ahead("11")) == (None, True, False)
    assert (late.since("x", "ada"), late.is_ahead("-")) == (None, False)


async def test_after_a_gap_and_at_the_end_everybody_is_woken() -> None:
    feed = SubmissionFeed()
    with feed.watch("ada") as watch:
        feed.begin_again("1")
        assert await watch.news(30) == []
        assert watch.reset
        feed.close()
        assert await watch.news(30) == []
        assert watch.closed
    with feed.watch("ada") as late:
        assert late.closed


class Board:
    """A board that is read from wherever one likes, and breaks when it is told to."""

    def __init__(self) -> None:
        self.changes: list[int] = []
        self.more = asyncio.Event()
        self.opened: list[int] = []
        self.failure: Exception | None = None

    def publish(self, *sequences: int) -> None:
        self.changes += sequences
        self.more.set()

    async def read(self, after: int) -> AsyncIterator[BoardUpdate]:
        self.opened.append(after)
        last = after
        while True:
            for sequence in [each for each in self.changes if each > last]:
                last = sequence
                yield BoardUpdate(sequence, Event("row", b"{}", f"{sequence}"))
            if self.failure is not None:
                failure, self.failure = self.failure, None
                raise failure
            self.more.clear()
            await self.more.wait()


async def no_pause() -> None:
    await asyncio.sleep(0)


def feeds() -> BoardFeeds:
    return BoardFeeds(lambda error: isinstance(error, ConnectionError), no_pause)


async def test_a_board_is_read_once_for_all_and_each_gets_what_it_has_not_seen() -> None:
    board, boards = Board(), feeds()
    board.publish(1, 2)
    with boards.watch("g", 0, board.read) as first:
        assert first is not None
        assert [each.sequence for each in await first.news(30)] == [1, 2]
        with boards.watch("g", 1, board.read) as second:
            assert second is not None
            assert [each.sequence for each in await second.news(30)] == [2]
            board.publish(3)
            assert [each.sequence for each in await second.news(30)] == [3]
        assert [each.sequence for each in await first.news(30)] == [3]
    assert board.opened == [0]


async def test_a_reading_that_breaks_off_goes_on_where_it_was() -> None:
    board, boards = Board(), feeds()
    with boards.watch("g", 0, board.read) as watch:
        assert watch is not None
        board.failure = ConnectionError("away")
        board.publish(1)
        assert [each.sequence for each in await watch.news(30)] == [1]
        board.publish(2)
        assert [each.sequence for each in await watch.news(30)] == [2]
    assert board.opened == [0, 1]


async def test_a_refusal_ends_the_watches_and_says_why() -> None:
    board, boards = Board(), feeds()
    board.failure = PermissionError("not for you")
    with boards.watch("g", 0, board.read) as watch:
        assert watch is not None
        await watch.news(30)
        assert (watch.closed, str(watch.failure)) == (True, "not for you")


async def test_a_slow_reader_of_a_board_is_dropped() -> None:
    board, boards = Board(), feeds()
    board.publish(*range(1, BOUND + 2))
    with boards.watch("g", 0, board.read) as watch:
        assert watch is not None
        await watch.news(30)
        board.publish(*range(BOUND + 2, 3 * BOUND))
        await eventually(lambda: watch.overflowed)


async def test_changes_from_before_the_reading_began_are_not_guessed() -> None:
    board, boards = Board(), feeds()
    with boards.watch("g", 5, board.read), boards.watch("g", 3, board.read) as early:
        assert early is None
