"""Programs that talk: one leads, and has a channel to and from each of the others."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deepoj_sandbox.box import wire
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.channel import Channel, Seat
from deepoj_sandbox.host.drive import drive
from deepoj_sandbox.host.execution import Execution
from deepoj_sandbox.host.silence import Silence
from deepoj_sandbox.host.streams import Sink
from deepoj_sandbox.kernel import inotify
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult

MOST_MEMBERS = 10
"""A message carries 24 descriptors, and the leader's has two for each of the others."""


class Aside(NamedTuple):
    """Standard input and output of a program that opens its channels by name."""

    stdin: int
    stdout: Sink


class Part(NamedTuple):
    """One program of a talk.

    With `aside` its channels are /proc/self/fd/3 and up, which it opens as it would named pipes: the leader's
    first from the first of the others, then to that, from the second …; a member's from the leader, then to
    it. Without, they are its standard input and output.
    """

    box: Box
    request: RunRequest
    errors: Sink
    aside: Aside | None = None


def run_talk(leader: Part, members: Sequence[Part], directory: Path, caller: int = -1) -> list[RunResult]:
    """Run all to their end; the leader's result comes first.

    When all have waited for each other for as long as the leader may be idle, the members end as at their
    wall limit, and the leader too if it does nothing even then. `ended` of a result says in which order they
    ended.
    """
    parts = (leader, *members)
    with contextlib.closing(_open_talk(parts, directory)) as talk:
        results = drive([talk.execution(place) for place in range(len(parts))], caller, talk)
    return [result._replace(ended=talk.gone.index(place)) for place, result in enumerate(results)]


def _open_talk(parts: Sequence[Part], directory: Path) -> "Talk":
    try:
        return Talk(parts, directory)
    except OSError as error:
        raise SandboxError("open channels", error.errno or 0) from error


class Talk:
    def __init__(self, parts: Sequence[Part], directory: Path) -> None:
        self._parts = parts
        self._running: dict[int, Execution] = {}
        self._silence = Silence(parts[0].request.limits.idle_ms)
        self.gone: list[int] = []
        self.watch = -1
        self._channels: list[Channel] = []
        self._by_number: dict[int, Channel] = {}
        seats = [Seat(place, part.aside is not None) for place, part in enumerate(parts)]
        with contextlib.ExitStack() as opened:
            opened.callback(self.close)
            for member in seats[1:]:
                for ends in ((member, seats[0]), (seats[0], member)):
                    self._channels.append(Channel(*ends, directory))
            self._watch_closings()
            opened.pop_all()

    def _watch_closings(self) -> None:
        # Where there is nothing to watch with, nothing is kept, and who ended first is a guess.
        with contextlib.suppress(OSError):
            self.watch = inotify.open_watch()
            for channel in self._channels:
                self._by_number[inotify.watch_pipe(self.watch, channel.held)] = channel

    def execution(self, place: int) -> Execution:
        self._running[place] = execution = self._execution(place)
        return execution

    def _execution(self, place: int) -> Execution:
        part = self._parts[place]
        if place:
            from_other, to_other = self._channels[2 * place - 1], self._channels[2 * place - 2]
            own = [from_other, to_other]
        else:
            from_other, to_other = self._channels[:2]
            own = self._channels
        if part.aside:
            names = tuple(channel.name for channel in own)
            return Execution(part.box, part.request, *part.aside, part.errors, names=names)
        return Execution(part.box, part.request, from_other.reader, to_other.taken_writer(), part.errors)

    def started(self) -> None:
        """All programs have their ends."""
        for channel in self._channels:
            channel.started()
            if len(self._by_number) < len(self._channels):
                channel.let_go()

    def told(self) -> None:
        """`watch` is readable: somebody has closed an output, or written to it."""
        for number, written, closed in inotify.news(self.watch):
            if closed:
                self._by_number[number].closed()
            if written:
                self._silence.moved()
                # Once is enough until the next round: a talk may be lively.
                self._listen(self._by_number[number], writes=False)

    def _listen(self, channel: Channel, *, writes: bool) -> bool:
        """Say whether that is possible; who has closed its output cannot be listened to anew."""
        if channel.held < 0:
            return False
        try:
            inotify.watch_pipe(self.watch, channel.held, writes=writes)
        except OSError:
            return False
        return True

    def ended(self, place: int) -> None:
        """The program is reported to be over."""
        self.gone.append(place)
        del self._running[place]
        self._silence.moved()
        self._silence.answered(place)
        for channel in self._channels:
            channel.ended(place)

    def heard(self, place: int, word: wire.Word) -> None:
        """A program was asked whether it did anything."""
        self.told()
        if word is not wire.Word.STILL:
            self._silence.moved()
        self._silence.answered(place)
        if self._silence.is_over():
            members = [execution for each, execution in self._running.items() if each]
            for execution in members or self._running.values():
                execution.give_up()

    def patience(self) -> float:
        """Do what is due; return the seconds until there is more to do."""
        if self._silence.patience() <= 0:
            self._ask()
        return min(self._silence.patience(), *(channel.patience() for channel in self._channels))

    def _ask(self) -> None:
        open_channels = [
            each for each in self._channels if {each.source, each.target} <= self._running.keys()
        ]
        if not all(self._listen(channel, writes=True) for channel in open_channels):
            self._silence.moved()
        self._silence.begin(self._running)
        for execution in self._running.values():
            execution.look()

    def close(self) -> None:
        for channel in self._channels:
            channel.close()
        if self.watch >= 0:
            os.close(self.watch)
        self.watch = -1
