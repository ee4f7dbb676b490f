"""Changes of submissions, handed to the streams that watch them. One reader of events feeds all of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from deepoj_domain.judgement.progress import JudgeProgress

# How many watched changes one slow reader may be behind before it is dropped.
BOUND: Final = 256
_REMEMBERED: Final = 4096


# Positions are ids of one stream: what one front door has told of, another finds its place by.
_Place = tuple[int, int]
_NOWHERE: Final = (0, 0)


def _place(position: str) -> _Place | None:
    milliseconds, _, number = position.partition("-")
    try:
        return int(milliseconds), int(number or 0)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Change:
    """`position` grows with every change; `topics` are those it concerns, such as its submission's id."""

    position: str
    subject: str
    topics: tuple[str, ...]


class SubmissionWatch:
    """What one watcher has not been told yet; several changes of one subject are one."""

    __slots__ = ("_attempts", "_followers", "_pending", "_progress", "_wake", "closed", "overflowed", "reset")

    def __init__(self, followers: dict[str, set[SubmissionWatch]]) -> None:
        self._followers = followers
        """Who is told of the progress of a submission; all watches share it."""
        self._pending: dict[str, str] = {}
        self._attempts: dict[str, int] = {}
        self._progress: dict[str, JudgeProgress] = {}
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

    def follow(self, submission_id: str, attempt_id: int | None) -> None:
        """Be woken by the progress of this attempt, or a later one; None: by no attempt's."""
        if attempt_id is None:
            self._unfollow(submission_id)
            return
        self._attempts[submission_id] = attempt_id
        self._followers.setdefault(submission_id, set()).add(self)
        told = self._progress.get(submission_id)
        if told is not None and told.attempt_id < attempt_id:
            del self._progress[submission_id]

    def _unfollow(self, submission_id: str) -> None:
        if self._attempts.pop(submission_id, None) is None:
            return
        self._progress.pop(submission_id, None)
        followers = self._followers[submission_id]
        followers.discard(self)
        if not followers:
            del self._followers[submission_id]

    def tell(self, progress: JudgeProgress) -> None:
        if progress.attempt_id >= self._attempts[progress.submission_id]:
            self._progress[progress.submission_id] = progress
            self._wake.set()

    def progressed(self) -> list[str]:
        """Return the submissions of which there is progress to tell."""
        return list(self._progress)

    def progress(self, submission_id: str) -> JudgeProgress | None:
        return self._progress.pop(submission_id, None)

    def leave(self) -> None:
        for submission_id in list(self._attempts):
            self._unfollow(submission_id)

    def close(self) -> None:
        self.closed = True
        self._wake.set()

    def begin_again(self) -> None:
        self.reset = True
        self._wake.set()

    async def changes(self, seconds: float) -> list[tuple[str, str]]:
        """Wait for changes; return (subject, position) of each, or nothing when the time is over.

        Progress ends the waiting too.
        """
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


class SubmissionFeed:
    def __init__(self, bound: int = BOUND) -> None:
        self._bound = bound
        self._watches: dict[str, set[SubmissionWatch]] = {}
        self._followers: dict[str, set[SubmissionWatch]] = {}
        self._history: deque[Change] = deque(maxlen=_REMEMBERED)
        self._closed = False
        self._beginning = ""
        """The position before the first change; empty when that is not, or no longer, remembered."""
        self._floor: _Place | None = None
        """Every change after it is remembered; this one may be somebody's, so it is told nobody."""
        self._newest = _NOWHERE
        self.following = False
        """Whether changes arrive here; while they do not, the streams have to look by themselves."""

    @contextmanager
    def watch(self, topic: str) -> Iterator[SubmissionWatch]:
        watch = SubmissionWatch(self._followers)
        watches = self._watches.setdefault(topic, set())
        watches.add(watch)
        if self._closed:
            watch.close()
        try:
            yield watch
        finally:
            watch.leave()
            watches.discard(watch)
            if not watches:
                self._watches.pop(topic, None)

    def publish(self, change: Change) -> None:
        place = _place(change.position) or self._newest
        if len(self._history) == _REMEMBERED:
            self._beginning = ""
            self._floor = _place(self._history[0].position)
        elif self._floor is None:
            self._floor = place
        self._newest = max(self._newest, place)
        self._history.append(change)
        for topic in change.topics:
            for watch in self._watches.get(topic, ()):
                watch.offer(change, self._bound)

    def tell(self, progress: JudgeProgress) -> None:
        for watch in self._followers.get(progress.submission_id, ()):
            watch.tell(progress)

    def position(self, topic: str) -> str:
        """Return that of the topic's last change; another's would tell when something happens to it."""
        own = (change.position for change in reversed(self._history) if topic in change.topics)
        return next(own, self._beginning)

    def since(self, position: str, topic: str) -> list[Change] | None:
        """Return the changes of a topic after a position; None when they are not remembered that far."""
        after = _place(position)
        if after is None or self._floor is None or not self._floor <= after <= self._newest:
            return None
        own = (change for change in self._history if topic in change.topics)
        return [change for change in own if (_place(change.position) or _NOWHERE) > after]

    def is_ahead(self, position: str) -> bool:
        """Tell whether a position is of a change that has not arrived here yet, if there is such a change."""
        return (_place(position) or _NOWHERE) > self._newest

    def begin_again(self, position: str) -> None:
        """Tell everybody that changes before this position may have been missed, and none after it are."""
        self.following = True
        self._beginning = position
        self._floor = self._newest = _place(position) or _NOWHERE
        self._history.clear()
        for watch in self._everybody():
            watch.begin_again()

    def close(self) -> None:
        """End all watches: they would hold the shutdown."""
        self._closed = True
        for watch in self._everybody():
            watch.close()

    def _everybody(self) -> list[SubmissionWatch]:
        return [watch for watches in self._watches.values() for watch in watches]
