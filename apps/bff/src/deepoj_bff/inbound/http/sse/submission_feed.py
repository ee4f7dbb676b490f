"""Changes of submissions, handed to the streams that watch them. One reader of events feeds all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from deepoj_domain.judgement.progress import JudgeProgress
from deepoj_kit.watches import Watch, WatchHub

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


class SubmissionWatch(Watch[Change]):
    """What one watcher has not been told yet, the progress of submissions included."""

    __slots__ = ("_attempts", "_followers", "_progress", "reset")

    def __init__(self, bound: int, followers: dict[str, set[SubmissionWatch]]) -> None:
        super().__init__(bound)
        self._followers = followers
        """Who is told of the progress of a submission; all watches share it."""
        self._attempts: dict[str, int] = {}
        self._progress: dict[str, JudgeProgress] = {}
        self.reset = False
        """Changes may have been missed: begin again with the state as it is."""

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
            self.wake()

    def progressed(self) -> list[str]:
        """Return the submissions of which there is progress to tell."""
        return list(self._progress)

    def progress(self, submission_id: str) -> JudgeProgress | None:
        return self._progress.pop(submission_id, None)

    def leave(self) -> None:
        for submission_id in list(self._attempts):
            self._unfollow(submission_id)

    def begin_again(self) -> None:
        self.reset = True
        self.wake()


class SubmissionFeed:
    def __init__(self, bound: int = BOUND) -> None:
        self._followers: dict[str, set[SubmissionWatch]] = {}
        self._hub = WatchHub[str, SubmissionWatch](partial(SubmissionWatch, bound, self._followers))
        self._history: deque[Change] = deque(maxlen=_REMEMBERED)
        self._beginning = ""
        """The position before the first change; empty when that is not, or no longer, remembered."""
        self._floor: _Place | None = None
        """Every change after it is remembered; this one may be somebody's, so it is told nobody."""
        self._newest = _NOWHERE
        self.following = False
        """Whether changes arrive here; while they do not, the streams have to look by themselves."""

    @contextmanager
    def watch(self, topic: str) -> Iterator[SubmissionWatch]:
        with self._hub.watch(topic) as watch:
            try:
                yield watch
            finally:
                watch.leave()

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
            for watch in self._hub.of(topic):
                watch.offer(change.subject, change)

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
        for watch in self._hub.everybody():
            watch.begin_again()

    def close(self) -> None:
        """End all watches."""
        self._hub.close()
