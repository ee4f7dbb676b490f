"""Watchers are told of their topic, once of each subject, and never hold anybody up."""

from __future__ import annotations

from functools import partial

from deepoj_kit.watches import Watch, WatchHub


def hub() -> WatchHub[str, Watch[int]]:
    return WatchHub(partial(Watch[int], 2))


async def test_news_of_one_subject_are_the_last_of_them() -> None:
    watches = hub()
    with watches.watch("board") as watch, watches.watch("other") as other:
        for subject, news in (("a", 1), ("b", 2), ("a", 3)):
            for each in watches.of("board"):
                each.offer(subject, news)
        assert await watch.news(30) == [3, 2]
        assert await watch.news(0.001) == []
        assert await other.news(0.001) == []


async def test_whoever_is_too_far_behind_is_closed_and_still_has_what_it_had() -> None:
    with hub().watch("board") as watch:
        for number in range(3):
            watch.offer(number, number)
        assert (watch.closed, watch.overflowed) == (True, True)
        assert await watch.news(30) == [0, 1]


async def test_waking_ends_a_wait_without_news() -> None:
    watches = hub()
    with watches.watch("board") as watch:
        for each in watches.everybody():
            each.wake()
        assert (await watch.news(30), watch.closed) == ([], False)


async def test_a_closed_hub_closes_watches_that_come_later_and_forgets_those_that_leave() -> None:
    watches = hub()
    with watches.watch("board") as early:
        watches.close()
        with watches.watch("board") as late:
            assert (early.closed, late.closed) == (True, True)
            assert (early.overflowed, late.overflowed) == (False, False)
    assert not watches.of("board")
