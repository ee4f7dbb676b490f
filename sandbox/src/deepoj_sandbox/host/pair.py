"""Two programs joined by pipes, each one's output the other's input."""

import contextlib
import math
import os
import time

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import drive
from deepoj_sandbox.host.execution import Execution
from deepoj_sandbox.host.streams import Sink, open_pipe
from deepoj_sandbox.kernel import inotify
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult

# Between the last close of a program that ends and its keeper's report.
_LAST_WORDS_SECONDS = 0.02


def run_pair(
    boxes: tuple[Box, Box],
    requests: tuple[RunRequest, RunRequest],
    errors: tuple[Sink, Sink],
    caller: int = -1,
) -> tuple[RunResult, RunResult]:
    """Run both to their end. `ended_first` says whose end is not a consequence of the other's.

    A pair that waits for each other ends at the wall limit.
    """
    with contextlib.closing(_open_talk()) as talk:
        executions = [
            Execution(box, request, stdin, stdout, sink)
            for box, request, stdin, stdout, sink in zip(
                boxes, requests, talk.inputs, talk.outputs, errors, strict=True
            )
        ]
        results = drive(executions, caller, talk)
    first, second = (
        result._replace(ended_first=place == talk.gone[0]) for place, result in enumerate(results)
    )
    return first, second


def _open_talk() -> "Talk":
    try:
        return Talk()
    except OSError as error:
        raise SandboxError("open pipes", error.errno or 0) from error


class Talk:
    """The pipes of a pair. The programs talk directly: nothing of ours stands between them.

    Whoever ends because the other did must be told apart from who ended first. So a writing end stays open
    here until the end of its program is reported, and the other sees no end before. A program that closes its
    output and goes on is noticed too, and followed soon. The reading ends are not kept: writing to a program
    that is gone fails at once.
    """

    def __init__(self) -> None:
        first_in, second_out = open_pipe()
        second_in, first_out = open_pipe()
        self.inputs = [first_in, second_in]
        self.outputs = (first_out, second_out)
        """Each becomes its execution's, which closes it."""
        self.gone: list[int] = []
        # Not duplicates: the last close of the program's own is told only of an open file of its own.
        path = "/proc/self/fd/{}"
        self._held = [os.open(path.format(each), os.O_WRONLY | os.O_CLOEXEC) for each in self.outputs]
        self._due = [math.inf, math.inf]
        self.watch, self._places = -1, dict[int, int]()
        # Where there is nothing to watch with, nothing is kept, and who ended first is a guess.
        with contextlib.suppress(OSError):
            self.watch = inotify.open_watch()
            for place, output in enumerate(self.outputs):
                self._places[inotify.watch_closing(self.watch, output)] = place

    def started(self) -> None:
        """Both programs have their ends."""
        for place in (0, 1):
            self._close(self.inputs, place)
            if len(self._places) < len(self.outputs):
                self._let_go(place)

    def closed(self) -> None:
        """`watch` is readable: a program, or what is left of it, has closed its output."""
        for number in inotify.closings(self.watch):
            place = self._places[number]
            if self._held[place] >= 0:
                self._due[place] = min(self._due[place], time.monotonic() + _LAST_WORDS_SECONDS)

    def ended(self, place: int) -> None:
        """The program is reported to be over."""
        self.gone.append(place)
        self._let_go(place)

    def patience(self) -> float:
        """Pass on the ends of output that are due; return the seconds until the next one."""
        now = time.monotonic()
        for place, due in enumerate(self._due):
            if due <= now:
                self._let_go(place)
        return min(self._due) - now

    def _let_go(self, place: int) -> None:
        self._due[place] = math.inf
        self._close(self._held, place)

    def _close(self, ends: list[int], place: int) -> None:
        if ends[place] >= 0:
            os.close(ends[place])
        ends[place] = -1

    def close(self) -> None:
        for place in (0, 1):
            self._close(self.inputs, place)
            self._close(self._held, place)
        if self.watch >= 0:
            os.close(self.watch)
