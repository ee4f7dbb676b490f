"""Changes of submissions, handed to whoever watches. One reader feeds all watchers of a process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

# How many watched changes one slow reader may be behind before it is dropped.
BOUND: Final = 256
_REMEMBERED: Final = 4096


@dataclass(frozen=True, slots=True)
class Change:
    """`position` grows with every change; `topics` are those it concerns, such as its submission's id."""

    position: str
    subject: str
    topics: tuple[str, ...]


class Watch:
    """What one watcher has not been told yet; several changes of one subject are one."""

    __slots__ = ("_pending", "_wake", "closed", "overflowed", "reset")

    def __init__(self) -> None:
        self._pending: dict[str, str] = {}
        self._wake = asyncio.Event()
        self.closed = False
        self.overflowed = False
        self.reset = False
        """Changes may have been missed: begin again with the state as it is."""

    def offer(self, change: Change, bound: int) -> None:
        if change.subject not in self._pending and len(self._pending) >= bound:
            self.overflowed = self.closed = True
        else:
            self._pending[change.subject] = change.position
        self._wake.set()

    def close(self) -> None:
        self.closed = True
        self._wake.set()

    def begin_again(self) -> None:
        self.reset = True
        self._wake.set()

    async def changes(self, seconds: float) -> list[tuple[str, str]]:
        """Wait for changes; return (subject, position) of each, or nothing when the time is over."""
        if not self._wake.is_set():
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                return []
        self._wake.clear()
        found = list(self._pending.items())
        self._pending.clear()
        return found


class Feed:
    def __init__(self, bound: int = BOUND, on_watchers: Callable[[int], None] = lambda _: None) -> None:
        self._bound = bound
        self._on_watchers = on_watchers
        self._watches: dict[str, set[Watch]] = {}
        self._number = 0
        self._history: deque[Change] = deque(maxlen=_REMEMBERED)
        self._closed = False
        self.position = ""
        """That of the last change; empty until events are followed."""
        self.following = False
        """Whether changes arrive here; while they do not, whoever watches has to look."""

    @contextmanager
    def watch(self, topic: str) -> Iterator[Watch]:
        watch = Watch()
        watches = self._watches.setdefault(topic, set())
        watches.add(watch)
        self._count(1)
        if self._closed:
            watch.close()
        try:
            yield watch
        finally:
            watches.discard(watch)
            if not watches:
                self._watches.pop(topic, None)
            self._count(-1)

    def publish(self, change: Change) -> None:
        self.position = change.position
        self._history.append(change)
        for topic in change.topics:
            for watch in self._watches.get(topic, ()):
                watch.offer(change, self._bound)

    def since(self, position: str, topic: str) -> list[Change] | None:
        """Return the changes of a topic after a position; None when they are not remembered that far."""
        remembered = list(self._history)
        places = [place for place, change in enumerate(remembered) if change.position == position]
        if not places:
            return [] if position and position == self.position else None
        return [change for change in remembered[places[0] + 1 :] if topic in change.topics]

    def begin_again(self, position: str) -> None:
        """Tell everybody that changes before this position may have been missed, and none after it are."""
        self.following = True
        self.position = position
        self._history.clear()
        for watch in self._everybody():
            watch.begin_again()

    def close(self) -> None:
        """End all watches: they would hold the shutdown."""
        self._closed = True
        for watch in self._everybody():
            watch.close()

    def _everybody(self) -> list[Watch]:
        return [watch for watches in self._watches.values() for watch in watches]

    def _count(self, by: int) -> None:
        self._number += by
        self._on_watchers(self._number)
